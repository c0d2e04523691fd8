// SPDX-License-Identifier: BSD-3-Clause
#include "support/random_mode.hpp"

#include <random>

#include "math/so3.hpp"
#include "support/legged.hpp"

namespace bayesid::test {

using Eigen::Vector3d;

namespace {

class Draw {
 public:
  Draw(const Robot& robot, int seed) : last_(robot.num_bodies()), random_(seed) {}

  MotionConstraint constraint(ConstraintType type, Axes axes, bool loop) {
    MotionConstraint out;
    out.name = "c" + std::to_string(++count_);
    out.type = type;
    out.axes = axes;
    out.first = place(std::uniform_int_distribution<int>(std::max(1, last_ / 2), last_)(random_));
    out.second = loop ? other(out.first.body) : place(0);
    if (loop && type == ConstraintType::frame) {  // six rows need six joints between the places
      out.first = place(last_);
      out.second = place(1);
    }
    for (int i = 0; i < (type == ConstraintType::point ? 3 : 6); ++i) out.rows.push_back(i);
    return out;
  }

 private:
  Vector3d vector(double scale) {
    std::uniform_real_distribution<double> uniform(-scale, scale);
    return Vector3d::NullaryExpr([&] { return uniform(random_); });
  }
  FramePlacement place(int body) { return {body, so3_exp(vector(2.0)), vector(0.5)}; }
  FramePlacement other(int body) {
    int chosen = body;
    while (chosen == body && last_ > 1)
      chosen = std::uniform_int_distribution<int>(1, last_)(random_);
    return place(chosen);
  }

  int last_, count_ = 0;
  std::mt19937 random_;
};

}  // namespace

std::vector<ModeCase> random_modes(const Robot& robot, int seed) {
  constexpr ConstraintType point = ConstraintType::point, frame = ConstraintType::frame;
  Draw draw(robot, seed);
  std::vector<ModeCase> out;
  for (const Axes axes : {Axes::local, Axes::world_aligned}) {
    const std::string where = axes == Axes::local ? ", local" : ", world aligned";
    out.push_back({"point contact" + where, {{draw.constraint(point, axes, false)}}});
    out.push_back({"frame contact" + where, {{draw.constraint(frame, axes, false)}}});
    out.push_back({"point loop" + where, {{draw.constraint(point, axes, true)}}});
    out.push_back({"frame loop" + where, {{draw.constraint(frame, axes, true)}}});
    MotionConstraint planar = draw.constraint(frame, axes, true);
    planar.rows = {0, 2, 4};
    out.push_back({"some rows" + where, {{planar}}});
  }
  Mode both{{draw.constraint(point, Axes::local, true),
             draw.constraint(point, Axes::world_aligned, false)}};
  both.constraints[0].rows = {0, 2};
  both.constraints[1].rows = {1, 2};
  out.push_back({"loop and contact", both});
  for (ModeCase& one : out) {
    for (MotionConstraint& c : one.mode.constraints) {
      c.kp = 30;
      c.kd = 7;
    }
  }
  return out;
}

std::vector<ModeCase> modes_of(const Scene& scene, int seed) {
  std::vector<ModeCase> out;
  const Mode contacts = all_contacts(scene);
  if (contacts.num_rows() > 0) out.push_back({"all contacts", contacts});
  if (out.empty()) out = random_modes(scene.dynamics->robot(), seed);
  out.push_back({"free", {}});
  return out;
}

}  // namespace bayesid::test
