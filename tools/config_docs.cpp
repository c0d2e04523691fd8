// SPDX-License-Identifier: BSD-3-Clause
// Brings what is made from the fields up to date: `config_docs docs/guide`.
#include <fstream>
#include <iostream>
#include <sstream>

#include "config/config_kind.hpp"
#include "config/guide.hpp"

int main(int count, char** words) {
  if (count != 2) {
    std::cerr << "usage: config_docs FOLDER\n";
    return 2;
  }
  const std::string guide = std::string(words[1]) + "/config";
  std::ostringstream page;
  page << std::ifstream(guide + ".md").rdbuf();
  std::ofstream(guide + ".md") << bayesid::config::with_tables(page.str(),
                                                               bayesid::config::config_kind().rows);
  std::ofstream(guide + ".schema.json") << bayesid::config_schema();
}
