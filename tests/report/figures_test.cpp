// SPDX-License-Identifier: BSD-3-Clause
#define BOOST_TEST_DYN_LINK
#include <tinyxml2.h>

#include <boost/test/unit_test.hpp>

#include "bayesid/error.hpp"
#include "bayesid/report.hpp"
#include "bayesid/result.hpp"
#include "report/unpack_series.hpp"
#include "support/simulated_problem.hpp"

namespace bayesid {

namespace {

Result detailed_result() {
  const test::SimulatedProblem& scene = test::simulated_problem();
  Result out = make_result(*scene.problem, scene.solution, {});
  out.details =
      std::make_shared<const ResultDetails>(make_details(*scene.problem, scene.solution, out, 1));
  return out;
}

}  // namespace

BOOST_AUTO_TEST_CASE(unpack_series_finds_what_was_packed) {
  const Result result = detailed_result();
  const auto index = nlohmann::ordered_json::parse(result.details->series.index);
  const UnpackedSeries series = unpack_series(index, result.details->series.bytes);
  const std::vector<TrajectoryTable>& tables = result.details->motion.tables;
  BOOST_REQUIRE(series.tables.size() == tables.size());
  BOOST_TEST(series.clouds.size() == 2u);
  BOOST_TEST((series.tables[0].time - tables[0].time).cwiseAbs().maxCoeff() < 1e-9);
  const Column &before = tables[0].columns[0], &after = series.tables[0].columns[0];
  BOOST_TEST(after.name == before.name);
  const double range = before.values.maxCoeff() - before.values.minCoeff();
  BOOST_TEST((after.values - before.values).cwiseAbs().maxCoeff() < range / 131000);
  BOOST_CHECK_THROW(unpack_series(index, "short"), InputError);
}

BOOST_AUTO_TEST_CASE(figures_are_pictures_whatever_joints_are_called) {
  Result result = detailed_result();
  result.model.joints[0].name = "</text><script>alert(1)</script>&";
  const std::string bytes = result.details->series.bytes;
  const auto figures =
      make_figures({.name = "r", .document = result_json(result), .series = bytes});
  for (const char* name : {"figure_effort.svg", "figure_friction.svg", "figure_residuals.svg",
                           "figure_convergence.svg", "figure_correlation.svg", "figure_energy.svg"})
    BOOST_TEST(figures.contains(name), name);
  for (const auto& [name, text] : figures) {
    tinyxml2::XMLDocument picture;
    BOOST_TEST((picture.Parse(text.data(), text.size()) == tinyxml2::XML_SUCCESS), name);
    BOOST_TEST(text.find("<script") == std::string::npos, name);
    BOOST_TEST(text.find("nan") == std::string::npos, name);
  }
}

BOOST_AUTO_TEST_CASE(every_panel_of_a_figure_labels_its_axes) {
  const Result result = detailed_result();
  const std::string bytes = result.details->series.bytes;
  const auto figures =
      make_figures({.name = "r", .document = result_json(result), .series = bytes});
  const auto count = [](const std::string& text, const std::string& part) {
    int out = 0;
    for (size_t at = text.find(part); at != std::string::npos; at = text.find(part, at + 1)) ++out;
    return out;
  };
  // Two joints, a shoulder that turns and a slide.
  const std::string &effort = figures.at("figure_effort.svg"),
                    &slow = figures.at("figure_friction.svg");
  BOOST_TEST(count(effort, ">time, s<") == 4);
  BOOST_TEST(count(effort, ">effort, N·m<") == 1);
  BOOST_TEST(count(effort, ">residual, N<") == 1);
  BOOST_TEST(count(slow, ">speed, rad/s<") == 1);
  BOOST_TEST(count(slow, ">speed, m/s<") == 1);
  BOOST_TEST(count(slow, ">friction, N<") == 1);
  BOOST_TEST(count(figures.at("figure_convergence.svg"), ">iteration<") == 2);
  BOOST_TEST(count(figures.at("figure_energy.svg"), ">J<") == 4);
  BOOST_TEST(count(figures.at("figure_residuals.svg"), ">residual, standard deviations<") == 6);
  // A log of four seconds has ticks in every panel.
  for (const char* tick : {">1<", ">2<", ">3<"}) BOOST_TEST(count(effort, tick) >= 4);
}

}  // namespace bayesid
