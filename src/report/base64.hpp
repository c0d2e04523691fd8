// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <string>
#include <string_view>

namespace bayesid {

/// Bytes as text of base 64, with padding (RFC 4648).
inline std::string base64(std::string_view bytes) {
  constexpr std::string_view letters =
      "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
  std::string out;
  out.reserve((bytes.size() + 2) / 3 * 4);
  for (size_t i = 0; i < bytes.size(); i += 3) {
    const std::string_view three = bytes.substr(i, 3);
    unsigned bits = 0;
    for (size_t k = 0; k < 3; ++k)
      bits = (bits << 8U) | (k < three.size() ? static_cast<unsigned char>(three[k]) : 0U);
    for (size_t k = 0; k < 4; ++k)
      out += k <= three.size() ? letters[(bits >> (18U - 6U * k)) & 63U] : '=';
  }
  return out;
}

}  // namespace bayesid
