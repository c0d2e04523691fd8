// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <Eigen/Core>
#include <span>
#include <string>
#include <utility>
#include <vector>

namespace bayesid {

/// An unknown of the problem, in estimation coordinates.
struct Parameter {
  std::string name;
  double prior = 0;
  double std = 1;
  bool fixed = false;
  double rate = 0;       // the physical value is exp(rate · θ); 0: it is θ itself
  std::string physical;  // name of the value that depends on it alone; "": there is none

  bool is_logarithm() const { return rate != 0; }
  /// The physical value and its derivatives in θ.
  double value(double theta) const;
  double first_derivative(double theta) const;
  double second_derivative(double theta) const;
};

/// A value people read (mass.link1, friction.joint1.viscous …) with its gradient in θ.
struct PhysicalValue {
  std::string name;
  double value = 0;
  Eigen::RowVectorXd dvalue_dtheta;  // 1 × ntheta
};

/// Numbers that relations may refer to, with their derivatives in x.
struct Features {
  Eigen::VectorXd value;
  Eigen::MatrixXd jacobian;
};

/// Σ weights · features of blocks + Σ weights · scalars + constant, which is 0 or not negative.
struct Relation {
  struct FeatureTerm {
    int block;
    Eigen::VectorXd weight;
  };
  struct ScalarTerm {
    int parameter;
    double weight;
    bool is_coordinate;  // of the parameter itself; else of its physical value
  };
  std::string name;
  bool is_equality = false;
  double constant = 0;
  std::vector<FeatureTerm> features = {};
  std::vector<ScalarTerm> scalars = {};
};

/// Unknowns that belong together (the inertia of a link, the friction of a drive …) and what they
/// do to η. It sees its own slice x of the coordinates, fixed ones included, and never changes
/// after it is made: priors and what is fixed belong to the set.
///
/// As it stands here, each parameter is an entry of η of its own. Others override the map.
class ParameterBlock {
 public:
  using Values = Eigen::Ref<const Eigen::VectorXd>;

  /// A parameter with the entry of η that it sets.
  struct Entry {
    Parameter parameter;
    int eta = 0;
  };
  explicit ParameterBlock(const std::vector<Entry>& entries);
  virtual ~ParameterBlock() = default;
  ParameterBlock(const ParameterBlock&) = delete;
  ParameterBlock& operator=(const ParameterBlock&) = delete;

  /// Names and priors as the block suggests them.
  const std::vector<Parameter>& parameters() const { return parameters_; }
  int size() const { return static_cast<int>(parameters_.size()); }

  /// Writes its part of η; where several blocks share an entry they add to it.
  virtual void write_physical(const Values& x, Eigen::VectorXd& eta) const;
  /// ∂η/∂x, size of η × size(); zero before.
  virtual void write_jacobian(const Values& x, Eigen::Ref<Eigen::MatrixXd> deta_dx) const;
  /// Σ_i s_i ∂²η_i/∂x²; zero before.
  virtual void write_curvature(const Values& x, const Eigen::VectorXd& s,
                               Eigen::Ref<Eigen::MatrixXd> out) const;
  /// Marks the entries of η that depend on some free parameter.
  virtual void mark_active(const std::vector<bool>& is_free, std::vector<bool>& active) const;

  /// Change of each parameter within which its map is close to linear: 1 for logarithms and turns.
  virtual Eigen::VectorXd scaling(std::span<const Parameter> own) const;
  /// Change within which effort stays close to linear in η; infinite for most.
  virtual Eigen::VectorXd trust_bound(const Values& x) const;
  /// The x with the same η whose prior cost is least.
  virtual Eigen::VectorXd nearest_equivalent(const Values& x, std::span<const Parameter> own) const;

  /// What people read, with gradients in x.
  virtual std::vector<PhysicalValue> values(const Values& x) const;

  /// What relations may refer to beside parameters and their physical values; a feature without
  /// a name cannot be named in a configuration.                     docs/math/parameters.md (17)
  virtual std::vector<std::string> feature_names() const { return {}; }
  virtual Features features(const Values& x) const;
  /// Σ_i s_i ∂²feature_i/∂x².
  virtual Eigen::MatrixXd features_curvature(const Values& x, const Eigen::VectorXd& s) const;
  /// Row i says on which parameters feature i depends.
  virtual Eigen::Matrix<bool, Eigen::Dynamic, Eigen::Dynamic> feature_pattern() const;

  /// Relations that hold whatever is configured; parameters counted from the block's first.
  virtual std::vector<Relation> relations() const { return {}; }
  /// The joint or drive whose mirror image has the same parameters, in a block of this kind.
  virtual std::string mirrored_drive() const { return ""; }
  /// What is odd about the priors.
  virtual std::vector<std::string> warnings(std::span<const Parameter>) const { return {}; }

 protected:
  explicit ParameterBlock(std::vector<Parameter> parameters) : parameters_(std::move(parameters)) {}

 private:
  std::vector<Parameter> parameters_;
  std::vector<int> eta_;  // entry of η of each parameter; empty: another map
};

}  // namespace bayesid
