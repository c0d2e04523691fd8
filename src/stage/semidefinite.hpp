// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <Eigen/Core>

namespace bayesid {

/// Lower Cholesky factor of a positive semidefinite matrix, in place; columns without variance
/// become zero.
void semidefinite_cholesky(Eigen::Ref<Eigen::MatrixXd> matrix);

/// y = L⁻¹ y for lower triangular L; directions without variance become zero.
void whiten(const Eigen::Ref<const Eigen::MatrixXd>& L, Eigen::Ref<Eigen::VectorXd> y);
/// The same for each column.
void whiten_columns(const Eigen::Ref<const Eigen::MatrixXd>& L,
                    Eigen::Ref<Eigen::MatrixXd> columns);

/// y = L⁻ᵀ y, likewise.
void unwhiten(const Eigen::Ref<const Eigen::MatrixXd>& L, Eigen::Ref<Eigen::VectorXd> y);

}  // namespace bayesid
