// SPDX-License-Identifier: BSD-3-Clause
#define BOOST_TEST_DYN_LINK
#include <sys/resource.h>

#include <boost/test/unit_test.hpp>
#include <csignal>
#include <filesystem>
#include <fstream>
#include <iterator>

#include "bayesid/report/result.hpp"
#include "support/input_error.hpp"
#include "support/temp_folder.hpp"

namespace bayesid {

namespace fs = std::filesystem;

namespace {

std::string text_of(const fs::path& file) {
  std::ifstream in(file, std::ios::binary);
  return {std::istreambuf_iterator<char>(in), {}};
}

long num_entries(const fs::path& folder) {
  return std::distance(fs::directory_iterator(folder), fs::directory_iterator());
}

/// A folder with one file, as an earlier run left it.
fs::path make_folder(const test::TempFolder& parent, const std::string& name,
                     const std::string& file) {
  const fs::path out = parent.path() / name;
  fs::create_directory(out);
  std::ofstream(out / file) << "old";
  return out;
}

/// No file may grow beyond a size while this lives: what a full disk feels like.
class FileLimit {
 public:
  explicit FileLimit(rlim_t bytes) : handler_(std::signal(SIGXFSZ, SIG_IGN)) {
    getrlimit(RLIMIT_FSIZE, &before_);
    const rlimit limit{bytes, before_.rlim_max};
    setrlimit(RLIMIT_FSIZE, &limit);
  }
  FileLimit(const FileLimit&) = delete;
  FileLimit& operator=(const FileLimit&) = delete;
  ~FileLimit() {
    setrlimit(RLIMIT_FSIZE, &before_);
    std::signal(SIGXFSZ, handler_);
  }

 private:
  rlimit before_{};
  void (*handler_)(int);
};

}  // namespace

BOOST_AUTO_TEST_CASE(output_folder_appears_whole) {
  const test::TempFolder parent;
  const fs::path path = parent.path() / "out";
  OutputFolder folder(path.string() + "/");
  folder.write("result.json", "{}");
  folder.write("logs/run1.csv", "time\n");
  BOOST_TEST(!fs::exists(path));
  folder.publish();
  BOOST_TEST(text_of(path / "result.json") == "{}");
  BOOST_TEST(text_of(path / "logs/run1.csv") == "time\n");
  BOOST_TEST(num_entries(parent.path()) == 1);
}

BOOST_AUTO_TEST_CASE(output_folder_leaves_nothing_when_not_published) {
  const test::TempFolder parent;
  {
    OutputFolder folder((parent.path() / "a/b/out").string());
    folder.write("result.json", "{}");
  }
  BOOST_TEST(num_entries(parent.path()) == 0);
}

BOOST_AUTO_TEST_CASE(output_folder_makes_missing_parents) {
  const test::TempFolder parent;
  const fs::path path = parent.path() / "a/b/out";
  OutputFolder folder(path.string());
  folder.write("result.json", "{}");
  folder.publish();
  BOOST_TEST(text_of(path / "result.json") == "{}");
}

BOOST_AUTO_TEST_CASE(output_folder_replaces_an_earlier_result) {
  for (const std::string marker : {"result.json", "truth.json"}) {
    const test::TempFolder parent;
    const fs::path path = make_folder(parent, "out", marker);
    std::ofstream(path / "trajectory.csv") << "old";
    OutputFolder folder(path.string());
    folder.write("result.json", "new");
    BOOST_TEST(text_of(path / marker) == "old");
    folder.publish();
    BOOST_TEST(text_of(path / "result.json") == "new");
    BOOST_TEST(!fs::exists(path / "trajectory.csv"));
    BOOST_TEST(num_entries(parent.path()) == 1);
  }
}

BOOST_AUTO_TEST_CASE(output_folder_replaces_an_empty_folder) {
  const test::TempFolder parent;
  fs::create_directory(parent.path() / "out");
  OutputFolder folder((parent.path() / "out").string());
  folder.write("result.json", "new");
  folder.publish();
  BOOST_TEST(text_of(parent.path() / "out/result.json") == "new");
}

BOOST_AUTO_TEST_CASE(output_folder_keeps_what_is_not_a_result) {
  const test::TempFolder parent;
  const fs::path notes = make_folder(parent, "notes", "notes.md");
  const fs::path mixed = make_folder(parent, "mixed", "result.json");
  std::ofstream(mixed / "thesis.docx") << "years";
  const fs::path nested = make_folder(parent, "nested", "result.json");
  fs::create_directory(nested / "photos");
  const std::string file = parent.write("file", "text");
  for (const std::string& path : {notes.string(), mixed.string(), nested.string(), file}) {
    const std::string message = test::input_error([&] { OutputFolder folder(path); });
    BOOST_TEST(message.find(path + " exists and is not an earlier result; choose another --out") !=
               std::string::npos);
  }
  BOOST_TEST(num_entries(parent.path()) == 4);
  BOOST_TEST(text_of(mixed / "thesis.docx") == "years");
}

BOOST_AUTO_TEST_CASE(output_folder_never_replaces_what_the_run_reads) {
  const test::TempFolder parent;
  const fs::path path = make_folder(parent, "simulation", "truth.json");
  std::ofstream(path / "config.yaml") << "schema: 1";
  const std::string message = test::input_error(
      [&] { OutputFolder folder(path.string(), {(path / "config.yaml").string()}); });
  BOOST_TEST(message.find("holds config.yaml, which this run reads") != std::string::npos);
  BOOST_TEST(fs::exists(path / "config.yaml"));
}

BOOST_AUTO_TEST_CASE(output_folder_names_a_place_it_cannot_write) {
  const test::TempFolder parent;
  const std::string below_file = parent.write("file", "text") + "/out";
  for (const std::string& path :
       {below_file, std::string("/proc/out"), std::string("/proc/a/out")}) {
    const std::string message = test::input_error([&] { OutputFolder folder(path); });
    BOOST_TEST(message.find("cannot write " + path) != std::string::npos, message);
  }
  BOOST_TEST(test::input_error([] { OutputFolder folder(""); }).find("--out is empty") == 0u);
}

BOOST_AUTO_TEST_CASE(output_folder_survives_a_full_disk) {
  const test::TempFolder parent;
  const fs::path path = make_folder(parent, "out", "result.json");
  {
    OutputFolder folder(path.string());
    const FileLimit limit(1000);
    const std::string message =
        test::input_error([&] { folder.write("trajectory.csv", std::string(100000, 'x')); });
    BOOST_TEST(message ==
               "cannot write " + (path / "trajectory.csv").string() + ": File too large");
  }
  BOOST_TEST(text_of(path / "result.json") == "old");
  BOOST_TEST(num_entries(parent.path()) == 1);
}

BOOST_AUTO_TEST_CASE(output_folder_follows_a_link) {
  const test::TempFolder parent;
  const fs::path path = make_folder(parent, "real", "result.json");
  fs::create_directory_symlink(path, parent.path() / "link");
  OutputFolder folder((parent.path() / "link").string());
  folder.write("result.json", "new");
  folder.publish();
  BOOST_TEST(fs::is_symlink(parent.path() / "link"));
  BOOST_TEST(text_of(path / "result.json") == "new");
}

}  // namespace bayesid
