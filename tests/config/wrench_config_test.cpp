// SPDX-License-Identifier: BSD-3-Clause
// Sensors of contact forces in configurations.
#define BOOST_TEST_DYN_LINK
#include <boost/test/unit_test.hpp>
#include <string>

#include "bayesid/config.hpp"
#include "support/input_error.hpp"
#include "support/temp_folder.hpp"

using bayesid::Config;
using bayesid::test::input_error;
using bayesid::test::TempFolder;

namespace {

const std::string head =
    "schema: 1\n"
    "model:\n"
    "  urdf: robot.urdf\n"
    "  contacts:\n"
    "    - {name: LF, frame: LF_FOOT}\n"
    "    - {name: sole, frame: SOLE, type: frame}\n";

std::string answer_to(const std::string& more) {
  const TempFolder folder;
  const std::string path = folder.write("robot.yaml", head + more);
  return input_error([&] { bayesid::read_config(path); });
}

}  // namespace

BOOST_AUTO_TEST_CASE(config_force_sensors_are_read_and_written) {
  const TempFolder folder;
  Config config = bayesid::read_config(
      folder.write("one.yaml", head + "logs: [{file: run.csv, columns: {wrench.LF.fz: load}}]\n"
                                      "measurements:\n"
                                      "  wrench.LF: {force: 2}\n"
                                      "  wrench.ankle: {contact: sole, force: 3, torque: 0.2}\n"
                                      "parameters: {wrench_offset: {torque: 0.1}}\n"
                                      "simulation: {rates: {wrench.ankle: 100}}\n"));
  for (int round = 0; round < 2; ++round) {
    const bayesid::WrenchConfig& foot = config.measurements.wrenches.at("LF");
    BOOST_TEST(foot.contact == "LF");
    BOOST_TEST(*foot.force == 2.0);
    BOOST_TEST(!foot.torque.has_value());
    const bayesid::WrenchConfig& ankle = config.measurements.wrenches.at("ankle");
    BOOST_TEST(ankle.contact == "sole");
    BOOST_TEST(*ankle.torque == 0.2);
    BOOST_TEST(config.parameters.wrench_offset->force == 5.0);
    BOOST_TEST(config.parameters.wrench_offset->torque == 0.1);
    BOOST_TEST(config.simulation.rates.at("wrench.ankle") == 100.0);
    BOOST_TEST(config.logs[0].columns.at("wrench.LF.fz").source == "load");
    config = bayesid::read_config(
        folder.write("two.yaml", bayesid::config_yaml(config, folder.path().string())));
  }
}

BOOST_AUTO_TEST_CASE(config_force_sensors_belong_to_contacts) {
  const auto check = [](const std::string& more, const std::string& message) {
    const std::string found = answer_to(more);
    BOOST_TEST(found.ends_with(message), "'" << found << "' instead of '" << message << "'");
  };
  check("measurements: {wrench.foot: {contact: LG, force: 1}}\n",
        "robot.yaml:7: measurements.wrench.foot: the contact LG is not in model.contacts, did you "
        "mean LF?");
  check("measurements: {wrench.palm: {force: 1}}\n",
        "robot.yaml:7: measurements.wrench.palm: the contact palm is not in model.contacts, "
        "expected one of LF, sole");
  check("measurements: {wrench.LF: {contact: LF}}\n",
        "robot.yaml:7: measurements.wrench.LF needs force or torque");
  check("measurements: {wrench.LF: {torque: 0.1}}\n",
        "robot.yaml:7: measurements.wrench.LF.torque is 0.1, but contact LF is of type point, "
        "which has no moment");
  check("measurements: {wrench.LF: {force: 1}}\nparameters: {delay: {wrench.LF: 0.01}}\n",
        "robot.yaml:8: parameters.delay.wrench.LF: delays of force sensors are not supported by "
        "this version; correct the stamps in the log");
  check("simulation: {rates: {wrench.LF: 100}}\n",
        "robot.yaml:7: simulation.rates.wrench.LF: measurements has no sensor wrench.LF");
}
