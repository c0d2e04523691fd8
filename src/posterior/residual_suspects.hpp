// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <vector>

#include "bayesid/posterior.hpp"
#include "posterior/held_out_fit.hpp"
#include "posterior/residual_features.hpp"
#include "posterior/residual_samples.hpp"
#include "posterior/resonance_search.hpp"

namespace bayesid::posterior {

/// The suspect behind curves that explain a residual, with its size; `coefficients` of the features
/// of the candidate. docs/math/model_error.md, table 1
ModelErrorFinding name_suspect(const ResidualSamples& samples, const Candidate& candidate,
                               const Eigen::VectorXd& coefficients, double share);
ModelErrorFinding offset_suspect(const ResidualSamples& samples, const Target& target,
                                 double share);
ModelErrorFinding elastic_suspect(const ResidualSamples& samples, const Resonance& peak);
ModelErrorFinding sign_suspect(const ResidualSamples& samples, double share);

/// The measured effort opposes the identified or the nominal model's.
bool has_wrong_sign(const ResidualSamples& samples);

/// A payload loads every joint that carries it: what a single one of several shows is a cable or a
/// spring.
void judge_payload(std::vector<JointResidual>& joints, const std::vector<ResidualSamples>& samples);

/// Sentence and next step of a finding, from its kind and numbers.
void add_words(ModelErrorFinding& finding);

}  // namespace bayesid::posterior
