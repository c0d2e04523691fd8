// SPDX-License-Identifier: BSD-3-Clause
#define BOOST_TEST_DYN_LINK
#include "math/nearest_name.hpp"

#include <boost/test/unit_test.hpp>

using bayesid::nearest_name;

BOOST_AUTO_TEST_CASE(nearest_name_finds_a_misspelt_word) {
  BOOST_TEST(nearest_name("max_iter", {"tolerance", "max_iterations", "maxiter"}) == "maxiter");
  BOOST_TEST(nearest_name("panda_joint1", {"panda_joint7", "panda_link1"}) == "panda_joint7");
}

BOOST_AUTO_TEST_CASE(nearest_name_is_empty_when_nothing_is_near) {
  BOOST_TEST(nearest_name("shoulder", {"wrist", "elbow"}).empty());
  BOOST_TEST(nearest_name("x", {}).empty());
}
