// SPDX-License-Identifier: BSD-3-Clause
// Logs that tell nothing of a noise that nobody has stated: each is answered by one sentence, and
// no standard deviation becomes zero.
#define BOOST_TEST_DYN_LINK
#include <algorithm>
#include <boost/test/unit_test.hpp>
#include <cmath>

#include "app/changed_case.hpp"

using namespace bayesid::test;
using namespace bayesid::test::changed;

namespace {

constexpr std::size_t tau_shoulder = 5, tau_elbow = 6;
constexpr const char* stated =
    "measurements:\n  position: 1.0e-4\n  velocity: 1.0e-2\n  effort: 0.01\n"
    "disturbance: {position: 1.0e-6, velocity: 1.0e-3}\n";

std::string automatic_config() {
  return replaced(small_case().config, stated, "");
}

Change constant(const std::vector<std::size_t>& columns, double value) {
  return [=](const std::string& text) {
    std::string out = text;
    for (const std::size_t i : columns) out = column(i, [=](double) { return value; })(out);
    return out;
  };
}

/// The first samples, all alike.
Change at_rest(std::size_t samples) {
  return lines([=](Lines& all) {
    const std::string first = all[1].substr(all[1].find(','));
    all.resize(samples + 1);
    for (std::size_t i = 1; i < all.size(); ++i)
      all[i] = all[i].substr(0, all[i].find(',')) + first;
  });
}

/// Each line five times, a fifth of the time apart.
const Change repeated = lines([](Lines& all) {
  Lines out{all[0]};
  for (std::size_t i = 1; i < all.size(); ++i) {
    for (int k = 0; k < 5; ++k)
      out.push_back(std::to_string(std::stod(all[i]) + 0.001 * k) +
                    all[i].substr(all[i].find(',')));
  }
  all = out;
});

/// No more than the median, which half of the samples have.
std::string saturated(const std::string& log) {
  std::vector<double> efforts;
  const Lines all = lines_of(log);
  for (std::size_t i = 1; i < all.size(); ++i)
    efforts.push_back(std::stod(cells_of(all[i])[tau_shoulder]));
  std::ranges::sort(efforts);
  const double limit = efforts[efforts.size() / 2];
  return column(tau_shoulder, [=](double tau) { return std::min(tau, limit); })(log);
}

Run identify(const TempFolder& folder, const std::string& config, const std::string& log) {
  folder.write("arm.urdf", small_case().urdf);
  folder.write("arm.yaml", config);
  folder.write("run.csv", log);
  return run_program(folder.path(), {"identify", "arm.yaml", "--out", "result"});
}

void check_noise(const TempFolder& folder) {
  const std::string text = text_of(folder.path() / "result" / "result.json");
  BOOST_REQUIRE(!text.empty());
  for (const auto& [name, one] : json::parse(text)["noise"].items()) {
    BOOST_TEST_CONTEXT(name) {
      BOOST_REQUIRE(one["found"].is_number());
      BOOST_TEST(one["found"].get<double>() > 1e-8);
      BOOST_TEST(one["found"].get<double>() < 100);
    }
  }
}

}  // namespace

BOOST_AUTO_TEST_CASE(logs_that_tell_nothing_are_errors) {
  const std::vector<Case> cases{
      {55, "", at_rest(201), {"run.csv: the robot stands still in every sample", "motion"}},
      {55, "", at_rest(60), {"run.csv: the robot stands still in every sample", "motion"}},
      {28, "", constant({tau_shoulder, tau_elbow}, 0), {"run.csv: every effort (tau.*) is zero"}},
      {28,
       "",
       constant({tau_shoulder, tau_elbow}, 3),
       {"run.csv: every effort is constant in every sample (tau.shoulder is 3)",
        "log the measured efforts"}},
  };
  for (const Case& one : cases) {
    const TempFolder folder;
    const Run run = identify(folder, automatic_config(), one.change(small_case().log));
    BOOST_TEST(run.code == 2, "row " << one.row << ": " << run.err);
    BOOST_TEST(lines_of(run.err).size() == 1U, run.err);
    check_parts(one, run.err);
  }
}

BOOST_AUTO_TEST_CASE(logs_that_tell_little_are_used_with_a_warning) {
  const std::vector<Case> cases{
      {0, "", append(""), {}},
      {28,
       "",
       constant({tau_elbow}, 3),
       {"warning: run.csv: tau.elbow is 3 in every sample while the joint moves",
        "model.actuation.joints"}},
      {54, "", repeated, {"warning: run.csv: positions repeat the sample before in "}},
      {52,
       "",
       saturated,
       {"warning: run.csv: tau.shoulder is exactly ", "its extreme, in 50", "clipped"}},
  };
  for (const Case& one : cases) {
    const TempFolder folder;
    const Run run = identify(folder, automatic_config(), one.change(small_case().log));
    BOOST_TEST((run.code == 0 || run.code == 1), "row " << one.row << ": " << run.err);
    check_parts(one, run.err);
    check_noise(folder);
  }
}

BOOST_AUTO_TEST_CASE(a_sensor_of_five_samples_keeps_its_first_guess) {
  const TempFolder folder;
  folder.write("arm.urdf", small_case().urdf);
  folder.write("arm.yaml", replaced(small_case().config, "  effort: 0.01\n",
                                    "  effort: 0.01\n  pose.hand: {position: 5e-3}\n"));
  BOOST_REQUIRE(run_program(folder.path(), {"simulate", "arm.yaml", "--out", "sim"}).code == 0);
  const Change five = lines([](Lines& all) {
    const Lines names = cells_of(all[0]);
    for (std::size_t i = 1; i < all.size(); ++i) {
      Lines cells = cells_of(all[i]);
      for (std::size_t c = 0; c < names.size(); ++c) {
        if (names[c].starts_with("pose.") && i % 40 != 1) cells[c] = "nan";
      }
      all[i] = joined(cells, ",");
      all[i].pop_back();
    }
    all.pop_back();  // the sixth
  });
  const Run run = identify(
      folder,
      replaced(small_case().config, stated, "measurements: {pose.hand: {position: auto}}\n"),
      five(text_of(folder.path() / "sim" / "log1.csv")));
  BOOST_TEST((run.code == 0 || run.code == 1), run.err);
  BOOST_TEST(
      run.err.find("warning: pose.hand.position was measured 5 times, too few to find its "
                   "std, which is taken as 0.001: state it in measurements") != std::string::npos,
      run.err);
  check_noise(folder);
}
