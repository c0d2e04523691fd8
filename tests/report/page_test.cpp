// SPDX-License-Identifier: BSD-3-Clause
#define BOOST_TEST_DYN_LINK
#include "bayesid/report.hpp"

#include <boost/test/unit_test.hpp>
#include <nlohmann/json.hpp>

#include "bayesid/error.hpp"
#include "problem/model_digest.hpp"
#include "report/base64.hpp"
#include "support/temp_folder.hpp"

namespace bayesid {

namespace {

using Json = nlohmann::json;

const std::string page = "<html><body><!--BAYESID-DATA--><p>rest</p></body></html>";

/// Text between the tags of the element with this id.
std::string element(const std::string& html, const std::string& id) {
  const size_t begin = html.find('>', html.find("id=\"" + id + "\"")) + 1;
  return html.substr(begin, html.find("</script>", begin) - begin);
}

std::string error_of(const std::string& folder) {
  try {
    read_report(folder);
  } catch (const InputError& error) {
    return error.what();
  }
  return "";
}

bool has(const std::string& text, const std::string& part) {
  return text.find(part) != std::string::npos;
}

}  // namespace

BOOST_AUTO_TEST_CASE(base64_is_that_of_the_standard) {
  BOOST_TEST(base64("") == "");
  BOOST_TEST(base64("f") == "Zg==");
  BOOST_TEST(base64("fo") == "Zm8=");
  BOOST_TEST(base64("foobar") == "Zm9vYmFy");
  BOOST_TEST(base64("\xff\xfe\xfd") == "//79");
}

BOOST_AUTO_TEST_CASE(names_in_the_data_end_no_script_and_begin_no_markup) {
  const std::string hostile = "</script><script>alert(1)</script><!--&\xe2\x80\xa8\xe2\x80\xa9";
  const Json document{{"schema", 1}, {"model", {{"name", hostile}}}};
  const ReportData data{
      .kind = "identify",
      .title = hostile,
      .results = {{.name = hostile, .document = document.dump(), .series = "</script>"}}};
  const std::string html = report_html(data, page);
  const std::string inside = element(html, "bayesid-data");
  for (const char* bad : {"<", ">", "&", "\xe2\x80\xa8", "\xe2\x80\xa9"})
    BOOST_TEST(!has(inside, bad), bad);
  const Json back = Json::parse(inside);
  BOOST_TEST(back["title"] == hostile);
  BOOST_TEST(back["results"][0]["document"]["model"]["name"] == hostile);
  BOOST_TEST(back["results"][0]["scene"].is_null());
  BOOST_TEST(back["comparison"].is_null());
  BOOST_TEST(back["results"][0]["series"] == "series-0");
  BOOST_TEST(element(html, "series-0") == base64("</script>"));
  BOOST_TEST(has(html, "<p>rest</p>"));
}

BOOST_AUTO_TEST_CASE(page_of_the_program_has_its_mark) {
  BOOST_TEST(has(std::string(page_template()), "<!--BAYESID-DATA-->"));
  BOOST_CHECK_THROW(report_html({}, "no mark"), std::runtime_error);
}

BOOST_AUTO_TEST_CASE(report_says_why_a_folder_cannot_be_drawn) {
  const test::TempFolder folder;
  const std::string path = folder.path();
  BOOST_TEST(has(error_of(path + "/nowhere"), "no such folder"));
  BOOST_TEST(has(error_of(path), "holds no result"));
  folder.write("result.json", "{\"schema\": 1, ");
  BOOST_TEST(has(error_of(path), "result.json: is damaged"));
  folder.write("result.json", "{}");
  BOOST_TEST(has(error_of(path), "has no schema"));
  folder.write("result.json", "{\"schema\": 2}");
  BOOST_TEST(has(error_of(path), "has schema 2, this program knows 1"));
  const Json index{{"bytes", 3}, {"sha256", digest("abc")}};
  folder.write("result.json", Json{{"schema", 1}, {"series", index}}.dump());
  BOOST_TEST(has(error_of(path), "series.bin: is missing"));
  folder.write("series.bin", "abd");
  BOOST_TEST(has(error_of(path), "series.bin: is damaged"));
  folder.write("series.bin", "abc");
  BOOST_TEST(error_of(path) == "");
  folder.write("scene.json", "nothing");
  BOOST_TEST(has(error_of(path), "scene.json: is damaged"));
}

BOOST_AUTO_TEST_CASE(report_draws_results_from_before_there_were_pages) {
  const test::TempFolder folder;
  folder.write("result.json", "{\"schema\": 1, \"status\": \"converged\"}");
  const ReportData data = read_report(folder.path());
  BOOST_TEST(data.kind == "identify");
  BOOST_TEST(data.results[0].series.empty());
  BOOST_TEST(data.results[0].scene.empty());
  const Json back = Json::parse(element(report_html(data, page), "bayesid-data"));
  BOOST_TEST(back["results"][0]["document"]["status"] == "converged");
  BOOST_TEST(back["results"][0]["series"].is_null());
}

BOOST_AUTO_TEST_CASE(report_puts_results_beside_each_other) {
  const test::TempFolder first, second;
  first.write("result.json", "{\"schema\": 1}");
  second.write("result.json", "{\"schema\": 1}");
  const ReportData data = read_reports({first.path(), second.path()});
  BOOST_TEST(data.kind == "compare");
  BOOST_TEST(data.results.size() == 2u);
  second.write("result.json", "{\"schema\": 9}");
  BOOST_CHECK_THROW(read_reports({first.path(), second.path()}), InputError);
}

}  // namespace bayesid
