// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <Eigen/Core>
#include <memory>
#include <optional>
#include <pinocchio/multibody/fwd.hpp>
#include <string>
#include <utility>
#include <vector>

#include "bayesid/config.hpp"

namespace bayesid {

/// Inertial parameters of a body in its own frame, linear in the dynamics:
/// π = (m, m c_x, m c_y, m c_z, I_xx, I_xy, I_yy, I_xz, I_yz, I_zz), I about the frame's origin.
using InertialParameters = Eigen::Matrix<double, 10, 1>;

/// A link of the URDF with mass that moves; several links can be rigidly joined in one body.
struct Link {
  std::string name;
  int body = 0;                 // index of the Pinocchio joint that moves it
  Eigen::Matrix3d rotation;     // R_body_link
  Eigen::Vector3d translation;  // origin of the link in the body
  InertialParameters pi;  // nominal, in the link's frame; consistent (repaired if it had to be)
  int line = 0;           // of <inertial> in the URDF
};

/// A joint of one degree of freedom, in the order of v.
struct Joint {
  std::string name;
  int body = 0;  // index of the Pinocchio joint
  int idx_q = 0;
  int idx_v = 0;            // in the independent velocities: base_nv() + index of the joint
  bool continuous = false;  // q holds (cos, sin); logs hold the angle
  bool prismatic = false;
  double lower, upper;               // position limits, ±infinity when there are none
  double velocity, effort;           // limits, infinity when there are none
  double damping = 0, friction = 0;  // URDF <dynamics>
  std::string child_link;
};

/// A joint of the Pinocchio model, the base apart: it turns `multiplier` times as fast as an
/// independent joint and stands at multiplier · angle + offset (itself: 1 and 0).
struct Coordinate {
  std::string name;
  int joint = 0;  // index in Robot::joints
  int idx_q = 0;
  bool continuous = false;
  double multiplier = 1;
  double offset = 0;
};

/// Name of a floating base among joints: in configurations, results and the Pinocchio model.
inline constexpr const char* base_name = "base";

/// A robot: Pinocchio model without mimic joints and without locked joints, what links are made of,
/// and the map from independent to all velocities (mimic joints follow: v_all = mimic · v).
///
/// A floating base is body 1. Its configuration leads q, (x, y, z, qx, qy, qz, qw); its velocity
/// leads v, linear then angular, in the axes of the base.
struct Robot {
  std::string name;
  std::string urdf_file;
  std::shared_ptr<const pinocchio::Model> model;
  bool floating = false;                // the base moves freely
  std::vector<Joint> joints;            // independent ones
  std::vector<Link> links;              // with mass, on moving bodies
  std::vector<Coordinate> coordinates;  // of the Pinocchio model, in the order of its v
  Eigen::MatrixXd mimic;         // nv_all × nv; the identity without mimic joints and for the base
  Eigen::VectorXd mimic_offset;  // q_all = mimic · q + mimic_offset for vector joints
  std::vector<std::string> warnings;

  int nq() const;  // of the Pinocchio model
  int base_nv() const { return floating ? 6 : 0; }
  int nv() const { return base_nv() + static_cast<int>(joints.size()); }
  int num_bodies() const;           // moving bodies: Pinocchio joints 1 … num_bodies
  Eigen::Vector3d gravity() const;  // m/s²
  int joint_index(const std::string& joint_name) const;  // −1 when absent
  bool has_mimic() const { return mimic.rows() != mimic.cols(); }
};

/// Reads and validates the URDF. Throws InputError naming file, line and element.
Robot read_robot(const ModelConfig& config);

/// q ⊕ dv for dv in the independent velocities.
void integrate(const Robot& robot, const Eigen::VectorXd& q, const Eigen::VectorXd& dv,
               Eigen::Ref<Eigen::VectorXd> out);

/// to ⊖ from in the independent velocities.
void difference(const Robot& robot, const Eigen::VectorXd& from, const Eigen::VectorXd& to,
                Eigen::Ref<Eigen::VectorXd> out);

/// Derivatives of q ⊕ dv for the base: ∂/∂q = Ad(Exp dv)⁻¹ and ∂/∂dv = J_r(dv), both in tangents.
/// Joints have ones there. The base must be floating.
void integrate_jacobians(const Robot& robot, const Eigen::VectorXd& dv,
                         Eigen::Matrix<double, 6, 6>& wrt_q, Eigen::Matrix<double, 6, 6>& wrt_dv);

/// Configuration of Pinocchio's model from one number (angle or length) for each independent joint;
/// for a floating base, six numbers ν come first: its pose is Exp ν.
Eigen::VectorXd make_configuration(const Robot& robot, const Eigen::VectorXd& numbers);

/// The inverse: ν = Log of the base, then the number (angle in (−π, π] for continuous joints,
/// length) of each independent joint.
Eigen::VectorXd joint_angles(const Robot& robot, const Eigen::VectorXd& q);

/// A frame fixed to a body.
struct FramePlacement {
  int body = 0;                 // index of the Pinocchio joint that moves it; 0: the world
  Eigen::Matrix3d rotation;     // R_body_frame
  Eigen::Vector3d translation;  // origin of the frame in the body
};

/// A link, or another frame of the model (a joint's); links first when both have the name.
std::optional<FramePlacement> find_frame(const Robot& robot, const std::string& name);

/// The names find_frame knows, links first.
std::vector<std::string> frame_names(const Robot& robot);

/// Where a body is in the base (in the world, when the base is fixed) with all joints at zero, and
/// the axis of its joint in its own axes; no axis for the base.
struct BodyAtZero {
  Eigen::Matrix3d rotation;
  Eigen::Vector3d translation;
  Eigen::Vector3d axis = Eigen::Vector3d::Zero();
  bool is_prismatic = false;
};
BodyAtZero body_at_zero(const Robot& robot, int body);

/// New inertial numbers for some links, written into the text of the URDF; all else stays as it is,
/// byte for byte. Keys are link names, values π in the link's frame.
std::string rewrite_urdf(const std::string& urdf_file,
                         const std::vector<std::pair<std::string, InertialParameters>>& links);

}  // namespace bayesid
