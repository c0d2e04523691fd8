// SPDX-License-Identifier: BSD-3-Clause
#include "problem/model_digest.hpp"

#include <boost/hash2/sha2.hpp>
#include <fstream>
#include <iterator>

namespace bayesid {

std::string file_digest(const std::string& file) {
  std::ifstream stream(file, std::ios::binary);
  if (!stream) return "";
  return digest({std::istreambuf_iterator<char>(stream), {}});
}

std::string digest(const std::string& bytes) {
  boost::hash2::sha2_256 hash;
  hash.update(bytes.data(), bytes.size());
  return to_string(hash.result());
}

}  // namespace bayesid
