// SPDX-License-Identifier: BSD-3-Clause
// The small case with one change, and the expected output.
#pragma once

#include <boost/test/unit_test.hpp>
#include <filesystem>
#include <functional>
#include <nlohmann/json.hpp>
#include <sstream>

#include "app/program.hpp"
#include "support/small_urdf.hpp"
#include "support/temp_folder.hpp"

namespace bayesid::test::changed {

using nlohmann::json;
using Lines = std::vector<std::string>;
using Change = std::function<std::string(const std::string&)>;

inline Lines lines_of(const std::string& text) {
  Lines out;
  std::istringstream stream(text);
  for (std::string line; std::getline(stream, line);) out.push_back(line);
  return out;
}

inline std::string joined(const Lines& lines, const std::string& between = "\n") {
  std::string out;
  for (const std::string& line : lines) out += line + between;
  return out;
}

inline Lines cells_of(const std::string& line) {
  Lines out;
  std::istringstream stream(line);
  for (std::string cell; std::getline(stream, cell, ',');) out.push_back(cell);
  if (line.ends_with(',')) out.emplace_back();
  return out;
}

/// One place of the text changed.
inline Change replace(const std::string& from, const std::string& to) {
  return [=](const std::string& text) { return replaced(text, from, to); };
}

inline Change append(const std::string& more) {
  return [=](const std::string& text) { return text + more; };
}

inline Change whole(const std::string& text) {
  return [=](const std::string&) { return text; };
}

/// The lines of a log, changed.
inline Change lines(const std::function<void(Lines&)>& change) {
  return [=](const std::string& text) {
    Lines out = lines_of(text);
    change(out);
    return joined(out);
  };
}

/// A number of each sample from line `first` to `last` (the header is line 1) changed.
inline Change column(std::size_t index, std::size_t first, std::size_t last,
                     const std::function<double(double)>& change) {
  return lines([=](Lines& all) {
    for (std::size_t i = first - 1; i < std::min(last, all.size()); ++i) {
      Lines cells = cells_of(all[i]);
      if (cells[index].empty()) continue;
      std::ostringstream number;
      number.precision(17);
      number << change(std::stod(cells[index]));
      cells[index] = number.str();
      all[i] = joined(cells, ",");
      all[i].pop_back();
    }
  });
}

inline Change column(std::size_t index, const std::function<double(double)>& change) {
  return column(index, 2, 100000, change);
}

/// The small case with one file changed, and the expected output.
struct Case {
  int row;
  std::string file;
  Change change;
  Lines parts;
};

class Scene {
 public:
  explicit Scene(const Case& one) {
    for (const auto& [name, text] :
         {std::pair{"arm.urdf", small_case().urdf}, std::pair{"arm.yaml", small_case().config},
          std::pair{"run.csv", small_case().log}}) {
      folder_.write(name, one.file == name ? one.change(text) : text);
    }
  }
  Run identify(const std::string& out = "result", unsigned largest_file = 0) const {
    return run_program(folder_.path(), {"identify", "arm.yaml", "--out", out}, 0, "", largest_file);
  }
  std::string path() const { return folder_.path(); }
  std::size_t num_entries() const {
    return static_cast<std::size_t>(std::distance(std::filesystem::directory_iterator(path()), {}));
  }

 private:
  TempFolder folder_;
};

inline void check_parts(const Case& one, const std::string& text) {
  for (const std::string& part : one.parts) {
    BOOST_TEST(text.find(part) != std::string::npos,
               "row " << one.row << ": '" << text << "' without '" << part << "'");
  }
}

/// Exit code 2, one sentence, nothing left behind.
inline void check_errors(const std::vector<Case>& cases) {
  for (const Case& one : cases) {
    const Scene scene(one);
    const Run run = scene.identify();
    BOOST_TEST(run.code == 2, "row " << one.row << ": " << run.code << " " << run.err);
    BOOST_TEST(run.out == "");
    BOOST_TEST(run.err.starts_with("bayesid: "), run.err);
    BOOST_TEST(lines_of(run.err).size() == 1U, "row " << one.row << ": " << run.err);
    BOOST_TEST(scene.num_entries() == 3U, "row " << one.row << " left something behind");
    check_parts(one, run.err);
  }
}

/// Exit code 0, and the warning on the terminal and in the result.
inline void check_warnings(const std::vector<Case>& cases) {
  for (const Case& one : cases) {
    const Scene scene(one);
    const Run run = scene.identify();
    BOOST_TEST(run.code == 0, "row " << one.row << ": " << run.code << " " << run.err);
    const std::string file = text_of(scene.path() + "/result/result.json");
    BOOST_TEST(!file.empty(), "row " << one.row << " has no result");
    if (one.parts.empty() || file.empty()) continue;
    BOOST_TEST(run.err.find("warning: ") != std::string::npos, run.err);
    check_parts(one, run.err);
    const json result = json::parse(file);
    std::string warnings;
    for (const json& warning : result["warnings"]) warnings += warning.get<std::string>() + "\n";
    check_parts(one, warnings);
  }
}

}  // namespace bayesid::test::changed
