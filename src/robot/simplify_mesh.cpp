// SPDX-License-Identifier: BSD-3-Clause
#include <algorithm>
#include <cmath>
#include <cstdint>
#include <set>
#include <unordered_map>

#include "robot/mesh.hpp"

namespace bayesid {

using Eigen::Vector3d;

namespace {

/// The mesh on a grid of cells of one size.
class Clustering {
 public:
  Clustering(const Mesh& mesh, const Vector3d& lowest, double cell)
      : mesh_(mesh), place_(mesh.vertices.size()) {
    std::unordered_map<std::uint64_t, int> cells;
    for (size_t i = 0; i < mesh.vertices.size(); ++i) {
      std::uint64_t key = 0;
      for (int axis = 0; axis < 3; ++axis) {
        const double steps = (mesh.vertices[i][axis] - lowest[axis]) / cell;
        key = (key << 21U) | static_cast<std::uint64_t>(std::max(0.0, steps));
      }
      const auto [found, is_new] = cells.try_emplace(key, static_cast<int>(sums_.size()));
      place_[i] = found->second;
      if (is_new) sums_.emplace_back(Vector3d::Zero(), 0);
      sums_[place_[i]].first += mesh.vertices[i];
      ++sums_[place_[i]].second;
    }
  }

  /// Triangles that have not become lines, each once.
  Mesh mesh() const {
    Mesh out;
    for (const auto& [sum, count] : sums_) out.vertices.emplace_back(sum / count);
    std::set<std::array<int, 3>> seen;
    for (const std::array<int, 3>& from : mesh_.triangles) {
      std::array<int, 3> t{place_[from[0]], place_[from[1]], place_[from[2]]};
      if (t[0] == t[1] || t[1] == t[2] || t[2] == t[0]) continue;
      std::rotate(t.begin(), std::min_element(t.begin(), t.end()), t.end());
      if (seen.insert(t).second) out.triangles.push_back(t);
    }
    return out;
  }

 private:
  const Mesh& mesh_;
  std::vector<int> place_;                      // of each vertex among the new ones
  std::vector<std::pair<Vector3d, int>> sums_;  // of the vertices of a cell
};

}  // namespace

Mesh simplify_mesh(const Mesh& mesh, std::size_t most_triangles) {
  constexpr double finest = 2048, coarser = 1.3;  // cells along the longest side
  if (mesh.vertices.empty()) return mesh;
  Vector3d lowest = mesh.vertices[0], highest = lowest;
  for (const Vector3d& vertex : mesh.vertices) {
    lowest = lowest.cwiseMin(vertex);
    highest = highest.cwiseMax(vertex);
  }
  const double size = (highest - lowest).maxCoeff();
  if (!(size > 0) || !std::isfinite(size)) return {};
  // The first grid only joins vertices that are the same.
  Mesh out = Clustering(mesh, lowest, size / 1e6).mesh();
  for (double cells = finest; out.triangles.size() > most_triangles && cells > 1; cells /= coarser)
    out = Clustering(mesh, lowest, size / cells).mesh();
  return out;
}

}  // namespace bayesid
