// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <boost/test/unit_test.hpp>
#include <cstdlib>
#include <filesystem>
#include <string>

namespace bayesid::test {

/// Folder with reference problems or measurements that stand in `shared` beside the project, or
/// where BAYESID_SHARED says.
inline std::filesystem::path shared_folder(const std::string& name) {
  const char* shared = std::getenv("BAYESID_SHARED");
  return (shared ? std::filesystem::path(shared)
                 : std::filesystem::path(BAYESID_SOURCE).parent_path() / "shared") /
         name;
}

/// A test case with it is skipped, not passed, where that folder is absent. It has the label
/// needs_<folder> too, which makes it a test of its own.
inline boost::unit_test::precondition needs_shared(const std::string& name) {
  return boost::unit_test::precondition([name](boost::unit_test::test_unit_id) {
    boost::test_tools::assertion_result out(std::filesystem::exists(shared_folder(name)));
    out.message() << shared_folder(name).string() << " is absent";
    return out;
  });
}

}  // namespace bayesid::test
