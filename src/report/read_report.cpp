// SPDX-License-Identifier: BSD-3-Clause
#include <algorithm>
#include <array>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <nlohmann/json.hpp>

#include "bayesid/error.hpp"
#include "bayesid/report.hpp"
#include "problem/model_digest.hpp"

namespace bayesid {

namespace fs = std::filesystem;
using Json = nlohmann::ordered_json;

namespace {

constexpr int known_schema = 1;

/// What a run leaves, and the command that left it.
struct Kind {
  const char* file;
  const char* name;
};
constexpr std::array<Kind, 4> kinds{{{"result.json", "identify"},
                                     {"validation.json", "validate"},
                                     {"comparison.json", "compare"},
                                     {"excitation.json", "excite"}}};

std::string read_bytes(const fs::path& file) {
  std::ifstream stream(file, std::ios::binary);
  if (!stream) throw InputError(file.string() + ": cannot be read");
  return {std::istreambuf_iterator<char>(stream), {}};
}

Json read_json(const fs::path& file, std::string& text) {
  text = read_bytes(file);
  Json out = Json::parse(text, nullptr, false);
  if (out.is_discarded() || !out.is_object())
    throw InputError(file.string() + ": is damaged: no JSON document");
  return out;
}

void check_schema(const fs::path& file, const Json& document) {
  const auto found = document.find("schema");
  if (found == document.end() || !found->is_number_integer())
    throw InputError(file.string() + ": has no schema, expected a file of bayesid");
  const int schema = found->get<int>();
  if (schema <= known_schema) return;
  throw InputError(file.string() + ": has schema " + std::to_string(schema) +
                   ", this program knows " + std::to_string(known_schema) +
                   ": draw it with the newer bayesid that wrote it");
}

/// Curves over time, when the document says that there are any; older results have none.
std::string read_series(const fs::path& folder, const std::string& document_name,
                        const Json& document) {
  const auto index = document.find("series");
  if (index == document.end() || !index->is_object()) return "";
  const fs::path file = folder / "series.bin";
  if (!fs::exists(file))
    throw InputError(file.string() + ": is missing, though " + document_name + " refers to it");
  std::string bytes = read_bytes(file);
  if (digest(bytes) != index->value("sha256", ""))
    throw InputError(file.string() + ": is damaged, or does not belong to this " + document_name +
                     ": its SHA-256 differs");
  return bytes;
}

std::string read_scene(const fs::path& folder) {
  const fs::path file = folder / "scene.json";
  if (!fs::exists(file)) return "";
  std::string text;
  check_schema(file, read_json(file, text));
  return text;
}

std::string name_of(const fs::path& folder) {
  const fs::path whole = fs::weakly_canonical(folder);
  return whole.filename().empty() ? whole.string() : whole.filename().string();
}

}  // namespace

ReportData read_report(const std::string& folder) {
  const fs::path path = folder;
  if (!fs::is_directory(path)) throw InputError(folder + ": no such folder");
  const auto found =
      std::ranges::find_if(kinds, [&](const Kind& kind) { return fs::exists(path / kind.file); });
  if (found == kinds.end()) {
    throw InputError(folder +
                     ": holds no result: expected result.json, validation.json, comparison.json "
                     "or excitation.json");
  }
  ReportData out{.kind = found->name, .title = name_of(path), .results = {}};
  std::string text;
  const Json document = read_json(path / found->file, text);
  check_schema(path / found->file, document);
  if (out.kind == "compare") {
    out.comparison = text;
    return out;
  }
  out.results.push_back({.name = out.title,
                         .document = text,
                         .scene = read_scene(path),
                         .series = read_series(path, found->file, document)});
  return out;
}

ReportData read_reports(const std::vector<std::string>& folders) {
  if (folders.size() == 1) return read_report(folders[0]);
  ReportData out{.kind = "compare", .title = {}, .results = {}};
  for (const std::string& folder : folders) {
    ReportData one = read_report(folder);
    if (one.kind != "identify") {
      throw InputError(folder +
                       ": holds no result.json, expected results of bayesid identify to draw "
                       "beside each other");
    }
    out.title += (out.title.empty() ? "" : ", ") + one.title;
    out.results.push_back(std::move(one.results[0]));
  }
  return out;
}

}  // namespace bayesid
