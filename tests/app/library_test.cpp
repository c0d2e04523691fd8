// SPDX-License-Identifier: BSD-3-Clause
#define BOOST_TEST_DYN_LINK
#include <boost/test/unit_test.hpp>
#include <nlohmann/json.hpp>

#include "app/program.hpp"
#include "bayesid/identify.hpp"
#include "support/temp_folder.hpp"

using namespace bayesid::test;
using nlohmann::json;

namespace {

/// Without what is of one run: times, command line.
json without_circumstances(const std::string& text) {
  json out = json::parse(text);
  out.erase("timing");
  out.erase("provenance");
  for (json& row : out["history"]) row.erase("seconds");
  return out;
}

}  // namespace

BOOST_AUTO_TEST_CASE(the_library_gives_what_the_program_gives) {
  const TempFolder folder;
  folder.write("arm.urdf", small_case().urdf);
  const std::string config = folder.write("arm.yaml", small_case().config);
  folder.write("run.csv", small_case().log);
  const std::string out = folder.path() / "result";
  // With the same names of files: they stand in the result.
  const Run run = run_program(folder.path(), {"identify", config, "--out", out, "--threads", "1"});
  BOOST_TEST(run.code == 0, run.err);
  const bayesid::Run same = bayesid::identify(bayesid::read_config(config));
  const bayesid::Files files = bayesid::files_of(same, out);
  BOOST_TEST(without_circumstances(bytes_of(files, "result.json")) ==
             without_circumstances(text_of(out + "/result.json")));
  for (const char* name : {"identified.urdf", "actuation.yaml", "trajectory.csv", "series.bin",
                           "config.yaml", "scene.json"})
    BOOST_TEST((bytes_of(files, name) == text_of(out + "/" + name)), name);
}
