// SPDX-License-Identifier: BSD-3-Clause
#include "report/file_list.hpp"

#include <unistd.h>

#include <algorithm>
#include <fstream>
#include <nlohmann/json.hpp>

#include "bayesid/error.hpp"

namespace bayesid::report {

namespace fs = std::filesystem;
using nlohmann::json;

namespace {

constexpr const char* program = "bayesid";

bool is_list(const json& document) {
  if (!document.is_object() || !document.contains("program") || !document.contains("files"))
    return false;
  const json& files = document["files"];
  return document["program"] == program && files.is_array() &&
         std::ranges::all_of(files, [](const json& one) { return one.is_string(); });
}

/// Whether a listed file lies below a folder.
bool is_parent(const std::string& folder, const std::set<std::string>& names) {
  const auto first = names.lower_bound(folder + "/");
  return first != names.end() && first->starts_with(folder + "/");
}

}  // namespace

std::string file_list_json(const std::set<std::string>& names) {
  const nlohmann::ordered_json out{
      {"schema", 1}, {"program", program}, {"version", BAYESID_VERSION}, {"files", names}};
  return out.dump(1, ' ', false, json::error_handler_t::replace) + "\n";
}

std::optional<std::set<std::string>> read_file_list(const fs::path& folder) {
  std::ifstream stream(folder / file_list_name, std::ios::binary);
  if (!stream) return {};
  const json document = json::parse(stream, nullptr, false);
  if (!is_list(document)) return {};
  return document["files"].get<std::set<std::string>>();
}

void add_to_file_list(const fs::path& folder, const std::vector<std::string>& names) {
  std::optional<std::set<std::string>> all = read_file_list(folder);
  if (!all) return;
  for (const std::string& name : names) {
    if (all->insert(name).second && fs::exists(fs::symlink_status(folder / name)))
      throw InputError(folder.string() + " holds " + name +
                       ", which no run of bayesid wrote there; move it away or write elsewhere");
  }
  const fs::path file = folder / file_list_name;
  const fs::path temporary = file.string() + ".tmp-" + std::to_string(::getpid());
  std::error_code error, ignored;
  {
    std::ofstream stream(temporary, std::ios::binary);
    stream << file_list_json(*all);
    stream.close();
    if (stream) fs::rename(temporary, file, error);
    if (stream && !error) return;
  }
  fs::remove(temporary, ignored);
  throw InputError("cannot write " + file.string() + (error ? ": " + error.message() : ""));
}

bool is_listed(const fs::path& folder, const fs::path& entry, const std::set<std::string>& names) {
  const std::string name = entry.lexically_relative(folder).generic_string();
  const fs::file_type type = fs::symlink_status(entry).type();
  if (type == fs::file_type::directory) return is_parent(name, names);
  return type == fs::file_type::regular && (name == file_list_name || names.contains(name));
}

std::string first_unlisted(const fs::path& folder, const std::set<std::string>& names) {
  std::set<std::string> out;
  for (const fs::directory_entry& entry : fs::recursive_directory_iterator(folder)) {
    if (!is_listed(folder, entry.path(), names))
      out.insert(entry.path().lexically_relative(folder).generic_string());
  }
  return out.empty() ? "" : *out.begin();
}

}  // namespace bayesid::report
