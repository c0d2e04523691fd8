// SPDX-License-Identifier: BSD-3-Clause
#include <coal/BVH/BVH_model.h>
#include <coal/mesh_loader/loader.h>

#include "robot/mesh.hpp"

namespace bayesid {

Mesh read_mesh(const std::filesystem::path& file) {
  const coal::BVHModelPtr_t model =
      coal::MeshLoader(coal::BV_AABB).load(file.string(), coal::Vec3s::Ones());
  Mesh out;
  for (const coal::Vec3s& vertex : *model->vertices) out.vertices.emplace_back(vertex);
  for (const auto& triangle : *model->tri_indices) {
    out.triangles.push_back({static_cast<int>(triangle[0]), static_cast<int>(triangle[1]),
                             static_cast<int>(triangle[2])});
  }
  out.vertices.resize(model->num_vertices);
  out.triangles.resize(model->num_tris);
  return out;
}

}  // namespace bayesid
