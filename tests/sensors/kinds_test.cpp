// SPDX-License-Identifier: BSD-3-Clause
// Kinds of sensors that a program registers beside those of the library.
#define BOOST_TEST_DYN_LINK
#include <boost/test/unit_test.hpp>
#include <thread>

#include "bayesid/error.hpp"
#include "bayesid/sensor.hpp"

namespace bayesid {
namespace {

/// Of no use but for its names.
struct Named final : SensorKind {
  Named(std::string prefix, SampledAt sampled_at)
      : prefix_(std::move(prefix)), sampled_at_(sampled_at) {}
  std::string prefix() const override { return prefix_; }
  SampledAt sampled_at() const override { return sampled_at_; }
  std::vector<std::string> channels(const Robot&, const std::string& group) const override {
    return {group + ".d"};
  }
  std::string unit(const Robot&, const std::string&) const override { return "m"; }
  std::vector<std::string> groups(const Noise&) const override { return {}; }
  Eigen::VectorXd noise_std(const Noise&, const std::string&) const override { return {}; }
  std::unique_ptr<Sensor> make(const SensorSetting&, const std::string&,
                               Eigen::MatrixXd) const override {
    return nullptr;
  }
  Eigen::VectorXd simulate(const SensorSetting&, const std::string&, const Instant&,
                           const Draw&) const override {
    return {};
  }

  std::string prefix_;
  SampledAt sampled_at_;
};

void add(const std::string& prefix, SampledAt sampled_at = SampledAt::own_times) {
  register_sensor_kind(std::make_unique<Named>(prefix, sampled_at));
}

}  // namespace

BOOST_AUTO_TEST_CASE(a_registered_kind_stands_behind_those_of_the_library) {
  const std::vector<const SensorKind*>& before = sensor_kinds();
  const std::size_t count = before.size();
  BOOST_TEST(group_of_channel("range_one.hand.d") == "");
  add("range_one.");
  BOOST_TEST(before.size() == count);  // a list that was handed out stays as it is
  BOOST_TEST(sensor_kinds().size() == count + 1);
  BOOST_TEST(sensor_kinds().back()->prefix() == "range_one.");
  BOOST_TEST(group_of_channel("range_one.hand.d") == "range_one.hand");
  BOOST_TEST(kind_of_group("range_one.hand") == sensor_kinds().back());
  BOOST_TEST(group_of_channel("range_onedge.hand.d") == "");
}

BOOST_AUTO_TEST_CASE(kinds_whose_channels_mean_something_else_are_refused) {
  add("range_two.");
  for (const char* prefix : {"range_two.", "q.", "imu.", "tau.", "contact.", "range", "a.b.", "."})
    BOOST_CHECK_THROW(add(prefix), InputError);
  BOOST_CHECK_THROW(add("range_three.", SampledAt::states), InputError);
}

BOOST_AUTO_TEST_CASE(kinds_are_registered_and_read_from_any_thread) {
  const std::size_t count = sensor_kinds().size();
  constexpr int num_threads = 4, each = 20;
  std::vector<std::thread> threads;
  for (int t = 0; t < num_threads; ++t) {
    threads.emplace_back([t] {
      for (int i = 0; i < each; ++i) {
        add("kind_" + std::to_string(t) + "_" + std::to_string(i) + ".");
        group_of_channel("kind_0_0.hand.d");
      }
    });
  }
  for (std::thread& thread : threads) thread.join();
  BOOST_TEST(sensor_kinds().size() == count + num_threads * each);
}

}  // namespace bayesid
