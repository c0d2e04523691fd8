// SPDX-License-Identifier: BSD-3-Clause
#include "problem/attachment.hpp"

#include "bayesid/error.hpp"
#include "math/did_you_mean.hpp"
#include "robot/urdf_tree.hpp"

namespace bayesid {

using Eigen::Matrix3d;
using Eigen::Vector3d;

FramePlacement frame_of(const Robot& robot, const Config& config, const std::string& key,
                        const std::string& name) {
  if (const auto found = find_frame(robot, name)) return *found;
  throw InputError(location_of(config, key) + " is \"" + name + "\", which is no link of " +
                   config.model.urdf + did_you_mean(name, frame_names(robot)));
}

FramePlacement attached(const Robot& robot, const Config& config, const std::string& key,
                        const AttachmentConfig& given) {
  FramePlacement out = frame_of(robot, config, key + ".link", given.link);
  const Matrix3d turn = rotation_from_rpy(Vector3d(given.rpy[0], given.rpy[1], given.rpy[2]));
  out.translation += out.rotation * Vector3d(given.xyz[0], given.xyz[1], given.xyz[2]);
  out.rotation = out.rotation * turn;
  return out;
}

}  // namespace bayesid
