// SPDX-License-Identifier: BSD-3-Clause
// The table of fields, and what follows from it for every field there is.
#define BOOST_TEST_DYN_LINK
#include <boost/test/unit_test.hpp>
#include <fstream>
#include <map>
#include <nlohmann/json.hpp>
#include <set>
#include <sstream>
#include <string>

#include "bayesid/config.hpp"
#include "config/config_kind.hpp"
#include "config/fields.hpp"
#include "config/guide.hpp"
#include "config/pattern.hpp"
#include "config/schema_check.hpp"
#include "config/yaml_reader.hpp"
#include "config/yaml_writer.hpp"
#include "support/input_error.hpp"
#include "support/temp_folder.hpp"

namespace {

using namespace bayesid::config;
using bayesid::Config;
using bayesid::YamlTree;
using bayesid::test::input_error;
using bayesid::test::TempFolder;
using Json = nlohmann::ordered_json;

constexpr int num_salts = 12;  // enough for every branch of every kind

Config varied(int salt) {
  Config config;
  config_kind().vary(config, salt);
  return config;
}

/// Calls `visit(name, value or none)` for every key of a schema, in any of its branches, beside the
/// values of a tree. Without a tree: for every key there is.
template <typename Visit>
void walk(const Json& schema, const YamlTree* tree, const std::string& path, const Visit& visit) {
  const auto part = [&](const char* keyword) { return schema.value(keyword, Json()); };
  const Json branches = part("anyOf"), patterns = part("patternProperties"),
             properties = part("properties"), others = part("additionalProperties");
  for (const Json& branch : branches) walk(branch, tree, path, visit);
  const auto each_child = [&](const Json& below, const std::string& name, const auto& belongs) {
    if (!tree) walk(below, nullptr, name, visit);
    for (const YamlTree& child : tree ? tree->children : std::vector<YamlTree>{})
      if (belongs(child)) walk(below, &child, name, visit);
  };
  const auto all = [](const YamlTree&) { return true; };
  if (schema.contains("items")) each_child(schema["items"], path + "[]", all);
  if (others.is_object()) each_child(others, path + ".*", all);
  for (const auto& [pattern, value] : patterns.items()) {
    const auto fits = [&, &expression = pattern](const YamlTree& child) {
      return bayesid::matches(child.key, expression);
    };
    each_child(value, path + '.' + pattern, fits);
  }
  for (const auto& [key, value] : properties.items()) {
    if (value.contains("x-unsupported")) continue;
    const YamlTree* child = tree ? tree->find(key) : nullptr;
    visit(path + '.' + key, child);
    if (child || !tree) walk(value, child, path + '.' + key, visit);
  }
}

Json schema() {
  return Json::parse(bayesid::config_schema());
}

/// A small section, as a new sensor would have.
struct ThermometerConfig {
  double std = 0.5;
  bool is_fast = false;
  std::string place = "motor";
};

void describe(Fields<ThermometerConfig>& f) {
  f.add("std", &ThermometerConfig::std, positive(), {"K", "of | the noise"}).was("sigma");
  f.add("fast", &ThermometerConfig::is_fast, boolean(), {"", "less than a second"});
  f.add("place", &ThermometerConfig::place, one_of({"motor", "link"}), {"", "where it sits"});
}

ThermometerConfig read(const std::string& text) {
  const TempFolder folder;
  const std::string file = folder.write("a.yaml", text);
  const Kind<ThermometerConfig> kind = table<ThermometerConfig>();
  const YamlTree tree = bayesid::read_yaml(file);
  bayesid::check_schema(tree, kind.schemas.at(0), "a.yaml");
  ThermometerConfig config;
  kind.read(tree, {.file = "a.yaml", .key = ""}, config);
  return config;
}

std::string text_of_file(const std::string& path) {
  std::ostringstream text;
  text << std::ifstream(path).rdbuf();
  return text.str();
}

}  // namespace

BOOST_AUTO_TEST_CASE(fields_survive_writing_and_reading_whatever_their_values) {
  const TempFolder folder;
  for (int salt = 0; salt < num_salts; ++salt) {
    const std::string text = bayesid::config_yaml(varied(salt), folder.path().string());
    const Config again = read_fields(folder.write("a.yaml", text));
    BOOST_TEST(bayesid::config_yaml(again, folder.path().string()) == text);
  }
}

BOOST_AUTO_TEST_CASE(fields_are_all_written_with_more_than_one_value) {
  std::map<std::string, std::set<std::string>> texts;
  walk(schema(), nullptr, "", [&](const std::string& key, const YamlTree*) { texts[key]; });
  texts.erase(".schema");
  BOOST_TEST(texts.size() > 150U);
  for (int salt = -1; salt < num_salts; ++salt) {
    const Config config = salt < 0 ? Config{} : varied(salt);
    const YamlTree tree = *config_kind().write(config, "/nowhere");
    walk(schema(), &tree, "", [&](const std::string& key, const YamlTree* value) {
      texts[key].insert(value ? yaml_on_one_line(*value) : "");
    });
  }
  texts.erase(".schema");
  for (const auto& [key, values] : texts) BOOST_TEST(values.size() > 1U, key);
}

BOOST_AUTO_TEST_CASE(fields_of_a_new_section_are_read_written_checked_and_explained) {
  BOOST_TEST(read("{std: 2, place: link}").std == 2);
  BOOST_TEST(read("{std: 2, place: link}").place == "link");
  BOOST_TEST(read("{fast: true}").is_fast);
  const Kind<ThermometerConfig> kind = table<ThermometerConfig>();
  BOOST_TEST(yaml_on_one_line(*kind.write({.std = 3}, "")) ==
             "{std: 3, fast: false, place: motor}");
  const Json std = Json::parse(kind.schemas.at(0)).at("properties").at("std");
  BOOST_TEST(std.at("description") == "of | the noise [K]");
  BOOST_TEST(std.at("default") == 0.5);
  BOOST_TEST(input_error([] { read("{std: -2}"); }) == "a.yaml:1: std is -2, must be > 0");
  BOOST_TEST(input_error([] { read("{fats: true}"); }) ==
             "a.yaml:1: unknown key fats, did you mean fast?");
  BOOST_TEST(input_error([] { read("{sigma: 2}"); }) == "a.yaml:1: sigma is now called std");
}

BOOST_AUTO_TEST_CASE(fields_are_rows_of_the_tables_of_a_page) {
  const std::vector<Row> rows =
      rows_behind(".sensors", rows_behind(".thermometer", table<ThermometerConfig>().rows));
  const std::string page =
      "# Sensors\n<!-- fields: sensors.thermometer -->\nold\n<!-- end -->\nThat is all.\n";
  BOOST_TEST(with_tables(page, rows) ==
             "# Sensors\n<!-- fields: sensors.thermometer -->\n"
             "| key | default | unit | meaning |\n|---|---|---|---|\n"
             "| `std` | 0.5 | K | of \\| the noise |\n"
             "| `fast` | `false` | | less than a second |\n"
             "| `place` | `motor` | | where it sits |\n<!-- end -->\nThat is all.\n");
}

BOOST_AUTO_TEST_CASE(the_guide_and_the_schema_beside_it_are_those_of_the_fields) {
  const std::string guide = std::string(BAYESID_SOURCE) + "/docs/guide/config";
  const std::string remedy = " is not up to date: run `make config`";
  const std::string page = text_of_file(guide + ".md");
  BOOST_TEST((page == with_tables(page, config_kind().rows)), guide + ".md" + remedy);
  BOOST_TEST((text_of_file(guide + ".schema.json") == bayesid::config_schema()),
             guide + ".schema.json" + remedy);
}
