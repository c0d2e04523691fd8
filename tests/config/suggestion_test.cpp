// SPDX-License-Identifier: BSD-3-Clause
#define BOOST_TEST_DYN_LINK
#include <boost/test/unit_test.hpp>
#include <limits>
#include <string>

#include "math/did_you_mean.hpp"
#include "math/parse_number.hpp"

using bayesid::did_you_mean;
using bayesid::parse_number;

BOOST_AUTO_TEST_CASE(did_you_mean_finds_misspelt_and_shortened_names_only) {
  BOOST_TEST(did_you_mean("tolerence", {"tolerance", "dynamics"}) == ", did you mean tolerance?");
  BOOST_TEST(did_you_mean("max_iter", {"tolerance", "max_iterations"}) ==
             ", did you mean max_iterations?");
  BOOST_TEST(did_you_mean("position_std", {"position"}) == ", did you mean position?");
  BOOST_TEST(did_you_mean("payload", {"tolerance", "dynamics"}).empty());
  BOOST_TEST(did_you_mean("x", {}).empty());
}

BOOST_AUTO_TEST_CASE(parse_number_takes_whole_decimal_numbers_only) {
  const struct {
    const char* text;
    double value;
  } good[] = {{"1", 1},
              {"+1", 1},
              {"-.5", -0.5},
              {"1e-4", 1e-4},
              {"1.0E-4", 1e-4},
              {"5.", 5},
              {"-0", 0},
              {"1e308", 1e308},
              {"1e-400", 0},
              {"007", 7},
              {"123456789012", 123456789012.0}};
  for (const auto& [text, value] : good) {
    BOOST_TEST_CONTEXT(text) {
      BOOST_REQUIRE(parse_number(text).has_value());
      BOOST_TEST(*parse_number(text) == value);
    }
  }
  for (const char* text :
       {"",   "+",  "-",   ".",   "e5",   "+-1",   "--1",    "1e",    "1,5",  "0x1",
        "1 ", " 1", "inf", "nan", ".inf", "1e400", "-1e400", "1_000", "1e5x", "١"}) {
    BOOST_TEST(!parse_number(text).has_value(), text);
  }
}

BOOST_AUTO_TEST_CASE(parse_number_keeps_nineteen_digits_in_a_long_double) {
  if (std::numeric_limits<long double>::digits < 63) return;
  BOOST_TEST((*parse_number<long double>("1700000000000000001") == 1700000000000000001LL));
}
