// SPDX-License-Identifier: BSD-3-Clause
#define BOOST_TEST_DYN_LINK
#include <sys/resource.h>

#include <boost/test/unit_test.hpp>
#include <csignal>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <map>

#include "bayesid/result.hpp"
#include "report/file_list.hpp"
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

/// A folder as an earlier run left it: these files, and the list of them.
fs::path make_folder(const test::TempFolder& parent, const std::string& name,
                     const std::vector<std::string>& files) {
  const fs::path out = parent.path() / name;
  OutputFolder folder(out.string());
  for (const std::string& file : files) folder.write(file, "old");
  folder.publish();
  return out;
}

void replace(const fs::path& path) {
  OutputFolder folder(path.string());
  folder.write("result.json", "new");
  folder.publish();
}

/// Error of a run that would replace a folder; checks that nothing of it is lost.
std::string refusal(const fs::path& path) {
  const auto state = [&] {
    std::map<std::string, std::string> out;
    for (const auto& one : fs::recursive_directory_iterator(path))
      out[one.path().string()] = one.is_regular_file() ? text_of(one.path()) : "";
    return out;
  };
  const std::map<std::string, std::string> before = state();
  std::string out = test::input_error([&] { replace(path); });
  BOOST_TEST((state() == before));
  return out;
}

/// No file may grow beyond a size while this lives: as on a full disk.
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
  const test::TempFolder parent;
  const fs::path path =
      make_folder(parent, "out", {"result.json", "trajectory.csv", "logs/one/run.csv"});
  OutputFolder folder(path.string());
  folder.write("result.json", "new");
  BOOST_TEST(text_of(path / "result.json") == "old");
  folder.publish();
  BOOST_TEST(text_of(path / "result.json") == "new");
  BOOST_TEST(num_entries(path) == 2);  // and the list
  BOOST_TEST(num_entries(parent.path()) == 1);
}

BOOST_AUTO_TEST_CASE(output_folder_lists_its_files) {
  const test::TempFolder parent;
  const fs::path path = make_folder(parent, "out", {"result.json", "./logs//run1.csv"});
  const auto found = report::read_file_list(path);
  BOOST_TEST_REQUIRE(found.has_value());
  BOOST_TEST((*found == std::set<std::string>{"logs/run1.csv", "result.json"}));
}

BOOST_AUTO_TEST_CASE(output_folder_keeps_a_file_of_somebody_else) {
  const test::TempFolder parent;
  const fs::path path = make_folder(parent, "out", {"result.json", "logs/run1.csv"});
  const std::string end =
      ", which no run of bayesid wrote there; move it away or choose another --out";
  for (const std::string name : {"my_only_log.csv", "logs/run2.csv", "photos", "link.csv"}) {
    if (name == "photos") {
      fs::create_directory(path / name);
    } else if (name == "link.csv") {
      fs::create_symlink(path / "result.json", path / name);
    } else {
      std::ofstream(path / name) << "years";
    }
    BOOST_TEST(refusal(path) == path.string() + " holds " + name + end);
    fs::remove(path / name);
  }
  replace(path);
  BOOST_TEST(text_of(path / "result.json") == "new");
}

BOOST_AUTO_TEST_CASE(output_folder_refuses_a_listed_name_that_became_a_link) {
  const test::TempFolder parent;
  const fs::path path = make_folder(parent, "out", {"result.json", "trajectory.csv"});
  fs::remove(path / "trajectory.csv");
  fs::create_symlink(parent.write("kept.csv", "years"), path / "trajectory.csv");
  BOOST_TEST(refusal(path).find("holds trajectory.csv") != std::string::npos);
}

BOOST_AUTO_TEST_CASE(output_folder_keeps_what_comes_while_it_runs) {
  const test::TempFolder parent;
  const fs::path path = make_folder(parent, "out", {"result.json"});
  OutputFolder folder(path.string());
  folder.write("result.json", "new");
  std::ofstream(path / "my_only_log.csv") << "years";
  const std::string message = test::input_error([&] { folder.publish(); });
  BOOST_TEST(message.find("holds my_only_log.csv") != std::string::npos);
  BOOST_TEST(text_of(path / "result.json") == "old");
  BOOST_TEST(text_of(path / "my_only_log.csv") == "years");
}

BOOST_AUTO_TEST_CASE(output_folder_deletes_nothing_outside_whatever_the_list_says) {
  const test::TempFolder parent;
  const fs::path path = make_folder(parent, "out", {"result.json"});
  const std::string other = parent.write("other.csv", "years");
  std::ofstream(path / report::file_list_name)
      << report::file_list_json({"result.json", "../other.csv", other});
  replace(path);
  BOOST_TEST(text_of(other) == "years");
  BOOST_TEST(num_entries(path) == 2);
}

BOOST_AUTO_TEST_CASE(figures_come_on_the_list_of_their_folder) {
  const test::TempFolder parent;
  const fs::path path = make_folder(parent, "out", {"result.json"});
  report::add_to_file_list(path, {"figure_effort.svg"});
  std::ofstream(path / "figure_effort.svg") << "<svg/>";
  report::add_to_file_list(path, {"figure_effort.svg"});  // drawn again
  std::ofstream(path / "figure_energy.svg") << "mine";
  const std::string message =
      test::input_error([&] { report::add_to_file_list(path, {"figure_energy.svg"}); });
  BOOST_TEST(message.find("holds figure_energy.svg") != std::string::npos);
  fs::remove(path / "figure_energy.svg");
  replace(path);
  BOOST_TEST(text_of(path / "result.json") == "new");
  fs::create_directory(parent.path() / "pictures");  // no result: no list
  report::add_to_file_list(parent.path() / "pictures", {"figure_effort.svg"});
  BOOST_TEST(num_entries(parent.path() / "pictures") == 0);
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
  const auto folder_with = [&](const std::string& name, const std::string& file,
                               const std::string& text) {
    fs::create_directory(parent.path() / name);
    std::ofstream(parent.path() / name / file) << text;
    return parent.path() / name;
  };
  // The last three have a mark of a result, or a list that none of our runs wrote.
  for (const fs::path& path :
       {folder_with("notes", "notes.md", "years"), folder_with("older", "result.json", "{}"),
        folder_with("other", "files.json", R"({"files": ["a.csv"]})"),
        folder_with("damaged", "files.json", "{\"program\": \"bayesid\"")}) {
    const std::string message = refusal(path);
    BOOST_TEST(message ==
               path.string() +
                   " exists and is not an earlier result: it has no files.json, the list "
                   "of what a run wrote; move it away or choose another --out");
  }
  const std::string file = parent.write("file", "text");
  const std::string message = test::input_error([&] { OutputFolder folder(file); });
  BOOST_TEST(message == file + " exists and is no folder; choose another --out");
}

BOOST_AUTO_TEST_CASE(output_folder_never_replaces_what_the_run_reads) {
  const test::TempFolder parent;
  const fs::path path = make_folder(parent, "simulation", {"truth.json", "config.yaml"});
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
  const fs::path path = make_folder(parent, "out", {"result.json"});
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
  const fs::path path = make_folder(parent, "real", {"result.json"});
  fs::create_directory_symlink(path, parent.path() / "link");
  OutputFolder folder((parent.path() / "link").string());
  folder.write("result.json", "new");
  folder.publish();
  BOOST_TEST(fs::is_symlink(parent.path() / "link"));
  BOOST_TEST(text_of(path / "result.json") == "new");
}

}  // namespace bayesid
