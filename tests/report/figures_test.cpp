// SPDX-License-Identifier: BSD-3-Clause
#define BOOST_TEST_DYN_LINK
#include <tinyxml2.h>

#include <boost/test/unit_test.hpp>

#include "bayesid/error.hpp"
#include "bayesid/report/page.hpp"
#include "bayesid/report/result.hpp"
#include "report/unpack_series.hpp"
#include "support/simulated_problem.hpp"

namespace bayesid {

namespace {

Result detailed_result() {
  const test::SimulatedProblem& scene = test::simulated_problem();
  Result out = make_result(*scene.problem, scene.solution, {});
  out.details = std::make_shared<const ResultDetails>(
      make_details(*scene.problem, scene.solution, out.posterior, out.predictions, 1));
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

}  // namespace bayesid
