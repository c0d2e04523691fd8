// SPDX-License-Identifier: BSD-3-Clause
#include "bayesid/block.hpp"

#include <algorithm>
#include <cassert>

namespace bayesid {

using Eigen::VectorXd;

int PhysicalLayout::add_segment(const std::string& name, int size) {
  assert(num_sensors == 0);  // their entries would move
  segments.push_back({name, num_named, size});
  num_named += size;
  return named(segments.back().first);
}

int PhysicalLayout::add_sensor(const std::string& name) {
  sensor_names.push_back(name);
  return sensor(num_sensors++);
}

int PhysicalLayout::sensor_index(const std::string& name) const {
  const auto found = std::find(sensor_names.begin(), sensor_names.end(), name);
  return found == sensor_names.end() ? -1 : static_cast<int>(found - sensor_names.begin());
}

int PhysicalLayout::named_index(const std::string& segment) const {
  const auto found = std::ranges::find(segments, segment, &Segment::name);
  return found == segments.end() ? -1 : found->first;
}

VectorXd stack(const PhysicalParameters& physical) {
  VectorXd out(physical.pi.size() + physical.gamma.size() + physical.armature.size() +
               physical.gain.size() + physical.offset.size() + physical.thrust.size() +
               physical.moment.size() + physical.presliding.size() + physical.named.size() +
               physical.sensor.size());
  out << physical.pi.reshaped(), physical.gamma.reshaped(), physical.armature, physical.gain,
      physical.offset, physical.thrust, physical.moment, physical.presliding, physical.named,
      physical.sensor;
  return out;
}

PhysicalParameters unstack(const PhysicalLayout& layout, const VectorXd& eta) {
  assert(eta.size() == layout.size());
  PhysicalParameters out;
  out.pi = eta.head(layout.gamma(0)).reshaped(10, layout.num_bodies);
  out.gamma = eta.segment(layout.gamma(0), 6 * layout.num_drives).reshaped(6, layout.num_drives);
  out.armature = eta.segment(layout.armature(0), layout.num_drives);
  out.gain = eta.segment(layout.gain(0), layout.nv);
  out.offset = eta.segment(layout.offset(0), layout.nv);
  out.thrust = eta.segment(layout.thrust(0), layout.num_rotors);
  out.moment = eta.segment(layout.moment(0), layout.num_rotors);
  out.presliding = eta.segment(layout.presliding(0), layout.num_presliding);
  out.named = eta.segment(layout.named(0), layout.num_named);
  out.sensor = eta.segment(layout.sensor(0), layout.num_sensors);
  return out;
}

}  // namespace bayesid
