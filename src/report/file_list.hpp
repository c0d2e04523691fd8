// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <filesystem>
#include <optional>
#include <set>
#include <string>
#include <vector>

namespace bayesid::report {

/// Where an output folder lists the files that a run wrote there, itself left out.
inline constexpr const char* file_list_name = "files.json";

/// The list as text; names are relative to the folder, with "/" between.
std::string file_list_json(const std::set<std::string>& names);

/// The names in the list of a folder; none when there is no list, or something else of its name.
std::optional<std::set<std::string>> read_file_list(const std::filesystem::path& folder);

/// Puts names on the list of a folder that has one. Throws InputError when it cannot be written, or
/// when a file of that name is there that is not on the list.
void add_to_file_list(const std::filesystem::path& folder, const std::vector<std::string>& names);

/// Whether a run wrote something in a folder. Links are never listed; a folder below is one that
/// holds a listed file.
bool is_listed(const std::filesystem::path& folder, const std::filesystem::path& entry,
               const std::set<std::string>& names);

/// The first thing in a folder, by name, that is not on its list; "" when there is none.
std::string first_unlisted(const std::filesystem::path& folder, const std::set<std::string>& names);

}  // namespace bayesid::report
