// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <Eigen/Core>
#include <array>
#include <filesystem>
#include <vector>

namespace bayesid {

struct Mesh {
  std::vector<Eigen::Vector3d> vertices;
  std::vector<std::array<int, 3>> triangles;
};

/// Any format that Coal reads. Throws std::exception when the file cannot be understood.
Mesh read_mesh(const std::filesystem::path& file);

/// At most that many triangles: vertices in the same cell of a grid become one, their mean; the
/// grid is as fine as the number allows.
Mesh simplify_mesh(const Mesh& mesh, std::size_t most_triangles);

}  // namespace bayesid
