// SPDX-License-Identifier: BSD-3-Clause
#include "solver/riccati_sweep.hpp"

#include <Eigen/QR>
#include <cassert>

#include "math/blas.hpp"
#include "solver/sweep_kernels.hpp"

namespace bayesid {

using blas::Op;
using Eigen::MatrixXd;
using Eigen::VectorXd;

namespace {

// Rows gathered before V_ζζ is updated: enough for matrix-multiply speed, small enough for the
// cache.
constexpr int rows_in_batch = 256;

}  // namespace

RiccatiSweep::RiccatiSweep(const StageSize& s, int ncurvature)
    : size_(s),
      A_(s.nx * s.nx, s.num_stages),
      information_(packed_size(s.nx), s.num_stages + 1),
      noise_(packed_size(s.nx), s.num_stages),
      defects_(s.nx, s.num_stages),
      shifts_(s.nx, s.num_stages),
      gradients_(s.nx, s.num_stages + 1),
      costates_(s.nx, s.num_stages + 1),
      dx_(s.nx, s.num_stages + 1),
      dgamma_(s.nx, s.num_stages),
      rows_x_(s.nr * s.nx, s.num_stages),
      rows_y_(s.nr * s.nx, s.num_stages),
      rows_r_(s.nr, s.num_stages),
      row_shifts_(s.nr, s.num_stages),
      row_counts_(s.num_stages, 0),
      V_(s.nx, s.nx),
      G_(s.nx, s.nzeta + 1),
      parameter_hessian_(s.nzeta + 1, s.nzeta + 1),
      parameter_gradient_(s.nzeta),
      multiplier_gradient_(s.nzeta),
      curvature_(ncurvature),
      H_(s.nx, s.nzeta + 1),
      VD_(s.nx, s.nd),
      VN_(s.nx, s.nw),
      F_(s.nw, s.nw),
      E_(s.nw, s.nx),
      E_transposed_(s.nx, s.nw),
      S_(s.nx, s.nx),
      VA_(s.nx, s.nx),
      closed_(s.nx, s.nx),
      closed_transposed_(s.nx, s.nx),
      D_transposed_(s.nd, s.nx),
      DVD_(s.nd, s.nd),
      next_V_(s.nx, s.nx),
      rows_E_(rows_in_batch + s.nw, s.nzeta + 1),
      rows_K_(rows_in_batch + s.nd, s.nzeta + 1),
      rows_Z_(rows_in_batch + s.nd, s.nzeta + 1),
      rows_R_(s.nr > 0 ? rows_in_batch + s.nr : 0, s.nzeta + 1),
      cross_(s.nr > 0 ? s.nx : 0, s.nr > 0 ? s.nx : 0),
      cross_D_(s.nr > 0 ? s.nx : 0, s.nd),
      row_tmp_(s.nr),
      tmp_(s.nx),
      tmp2_(s.nx),
      noise_tmp_(s.nw),
      Atgamma_(s.nx),
      Dtgamma_(s.nd) {}

void RiccatiSweep::keep_gains() {
  gains_.assign(size_.num_stages / gain_spacing + 1, MatrixXd::Zero(size_.nx, size_.nzeta));
}

void RiccatiSweep::begin(const Stage& last_node) {
  filled_E_ = filled_D_ = filled_R_ = 0;
  parameter_hessian_.setZero();
  parameter_gradient_.setZero();
  multiplier_gradient_.setZero();
  curvature_.setZero();
  closing_cost_ = stiff_work_ = largest_defect_ = 0;
  rows_K_.rightCols(1).setZero();
  V_ = last_node.Q;
  G_.setZero();
  G_.col(size_.nzeta) = last_node.q;
  gradients_.col(size_.num_stages) = last_node.q;
  pack(V_, information_.col(size_.num_stages).data());
}

/// Rows depend on the next node too: V' += R_yᵀR_y, [G', v'] += R_yᵀ[R_ζ, r], and δx'ᵀ X δx with
/// X = R_yᵀR_x. (8a)
void RiccatiSweep::meet_rows(int k, const Stage& s) {
  const int nx = size_.nx, nzeta = size_.nzeta;
  const auto R_x = s.R_x.topRows(s.nr), R_y = s.R_y.topRows(s.nr);
  const auto r = s.r.head(s.nr);
  auto gathered = rows_R_.middleRows(filled_R_, s.nr);
  gathered.leftCols(nzeta) = s.R_zeta.topRows(s.nr);
  gathered.col(nzeta) = r;
  filled_R_ += s.nr;
  blas::multiply(1.0, R_y, Op::transposed, R_y, Op::plain, 1.0, V_);
  blas::multiply(1.0, R_y, Op::transposed, gathered, Op::plain, 1.0, G_);
  blas::multiply(1.0, R_y, Op::transposed, R_x, Op::plain, 0.0, cross_);
  gradients_.col(k + 1).noalias() += R_y.transpose() * r;
  pack(V_, information_.col(k + 1).data());
  Eigen::Map<MatrixXd>(rows_x_.col(k).data(), s.nr, nx) = R_x;
  Eigen::Map<MatrixXd>(rows_y_.col(k).data(), s.nr, nx) = R_y;
  rows_r_.col(k).head(s.nr) = r;
}

/// … and this one: V += R_xᵀR_x + XᵀA, [G, v] += R_xᵀ[R_ζ, r] + Xᵀ[D K, d]. (8b)
void RiccatiSweep::leave_rows(int k, const Stage& s) {
  const int nzeta = size_.nzeta;
  const auto R_x = s.R_x.topRows(s.nr);
  auto cross_D = cross_D_.leftCols(s.nd);
  blas::multiply(1.0, R_x, Op::transposed, R_x, Op::plain, 1.0, next_V_);
  blas::multiply(1.0, cross_, Op::transposed, s.A, Op::plain, 1.0, next_V_);
  blas::multiply(1.0, R_x, Op::transposed, s.R_zeta.topRows(s.nr), Op::plain, 1.0,
                 G_.leftCols(nzeta));
  blas::multiply(1.0, cross_, Op::transposed, s.D.leftCols(s.nd), Op::plain, 0.0, cross_D);
  blas::multiply(1.0, cross_D, Op::plain, s.K.topRows(s.nd), Op::plain, 1.0, G_.leftCols(nzeta));
  G_.col(nzeta).noalias() += cross_.transpose() * defects_.col(k);
  gradients_.col(k).noalias() += R_x.transpose() * s.r.head(s.nr);
}

void RiccatiSweep::step(int k, const Stage& s) {
  const int nx = size_.nx, nd = s.nd, nw = s.nw, nzeta = size_.nzeta;
  const auto D = s.D.leftCols(nd);
  const auto K = s.K.topRows(nd);
  const auto N = s.N.leftCols(nw);
  // The multiplier γ of this transition enters the gradient of the node behind it; v holds q' − γ
  // from here on.  (2)
  G_.col(nzeta) -= s.gamma;
  gradients_.col(k + 1) -= s.gamma;
  row_counts_[k] = s.nr;
  if (s.nr > 0) meet_rows(k, s);
  Eigen::Ref<VectorXd> d = defects_.col(k);
  noise_tmp_.head(nw).noalias() = N.transpose().lazyProduct(s.gamma);
  d = s.d;
  d.noalias() -= N * noise_tmp_.head(nw);  // d − W γ, W = N Nᵀ (3)

  largest_defect_ = std::max(largest_defect_, d.lpNorm<Eigen::Infinity>());
  closing_cost_ += s.closing_cost;
  stiff_work_ += s.stiff_work;

  // What is gathered for V_ζζ (7) wants G' as it is: Dᵀ(½ V'DK + G'), before H takes its place.
  // Products with a transposed first factor are slow while that is small: it is turned before.
  auto VD = VD_.leftCols(nd);
  auto D_transposed = D_transposed_.topRows(nd);
  auto DVD = DVD_.topLeftCorner(nd, nd);
  auto rows_Z = rows_Z_.middleRows(filled_D_, nd);
  D_transposed = D.transpose();
  blas::multiply(1.0, V_, Op::plain, D, Op::plain, 0.0, VD);
  blas::multiply(0.5, D_transposed, Op::plain, VD, Op::plain, 0.0, DVD);
  blas::multiply(1.0, D_transposed, Op::plain, G_.leftCols(nzeta), Op::plain, 0.0,
                 rows_Z.leftCols(nzeta));
  blas::multiply(1.0, DVD, Op::plain, K, Op::plain, 1.0, rows_Z.leftCols(nzeta));
  parameter_gradient_.noalias() += G_.leftCols(nzeta).transpose().lazyProduct(d);

  // H = V' [D K, d] + [G', v'] (4)
  G_.swap(H_);
  H_.col(nzeta).noalias() += V_ * d;
  blas::multiply(1.0, VD, Op::plain, K, Op::plain, 1.0, H_.leftCols(nzeta));

  // F = 1 + Nᵀ V' N = L Lᵀ, E = L⁻¹ Nᵀ, S = Eᵀ E = (W⁻¹ + V')⁻¹ (5)
  auto VN = VN_.leftCols(nw);
  Eigen::Ref<MatrixXd> F = F_.topLeftCorner(nw, nw);
  auto E = E_.topRows(nw);
  E = N.transpose();
  blas::multiply(1.0, V_, Op::plain, N, Op::plain, 0.0, VN);
  blas::multiply(1.0, E, Op::plain, VN, Op::plain, 0.0, F);
  F.diagonal().array() += 1.0;
  whiten_rows(F, E);
  if (nw > 0) {
    auto E_transposed = E_transposed_.leftCols(nw);
    E_transposed = E.transpose();
    blas::multiply(1.0, E_transposed, Op::plain, E, Op::plain, 0.0, S_);
  } else {
    S_.setZero();
  }

  // Closed loop Ā = A − S (V' A + X) (6)
  blas::multiply(1.0, V_, Op::plain, s.A, Op::plain, 0.0, VA_);
  if (s.nr > 0) VA_ += cross_;
  closed_ = s.A;
  blas::multiply(-1.0, S_, Op::plain, VA_, Op::plain, 1.0, closed_);

  // V_ζζ += (DK)ᵀ(½ V'DK + G') + (…)ᵀ − (E H)ᵀ(E H), gathered for a few stages (7)
  blas::multiply(1.0, E, Op::plain, H_, Op::plain, 0.0, rows_E_.middleRows(filled_E_, nw));
  tmp_ = H_.col(nzeta) + s.gamma;
  rows_Z.col(nzeta).noalias() = D_transposed * tmp_;
  rows_K_.block(filled_D_, 0, nd, nzeta) = K;
  Dtgamma_.head(nd).noalias() = D_transposed * s.gamma;
  multiplier_gradient_.noalias() += K.transpose().lazyProduct(Dtgamma_.head(nd));
  curvature_ += s.curvature;
  filled_E_ += nw;
  filled_D_ += nd;
  if (filled_E_ >= rows_in_batch || filled_D_ >= rows_in_batch || filled_R_ >= rows_in_batch)
    flush();

  // V = Q + Āᵀ(V' A + X), G = Āᵀ H, v = q + Aᵀγ + Āᵀ h (8)
  next_V_ = s.Q;
  closed_transposed_ = closed_.transpose();
  blas::multiply(1.0, closed_transposed_, Op::plain, VA_, Op::plain, 1.0, next_V_);
  blas::multiply(1.0, closed_transposed_, Op::plain, H_, Op::plain, 0.0, G_);
  Atgamma_.noalias() = s.A.transpose().lazyProduct(s.gamma);
  gradients_.col(k) = s.q + Atgamma_;
  if (s.nr > 0) leave_rows(k, s);
  V_ = 0.5 * (next_V_ + next_V_.transpose());
  G_.col(nzeta) += gradients_.col(k);
  if (!gains_.empty() && k % gain_spacing == 0) gains_[k / gain_spacing] = G_.leftCols(nzeta);

  pack(V_, information_.col(k).data());
  pack(S_, noise_.col(k).data());
  Eigen::Map<MatrixXd>(A_.col(k).data(), nx, nx) = s.A;
}

void RiccatiSweep::flush() {
  blas::add_gram(-1.0, rows_E_.topRows(filled_E_), parameter_hessian_);
  blas::add_symmetric_product(rows_K_.topRows(filled_D_), rows_Z_.topRows(filled_D_),
                              parameter_hessian_);
  if (filled_R_ > 0) blas::add_gram(1.0, rows_R_.topRows(filled_R_), parameter_hessian_);
  filled_E_ = filled_D_ = filled_R_ = 0;
}

void RiccatiSweep::finish() {
  flush();
}

void RiccatiSweep::eliminate_arrival(const ArrivalConstraints& constraints) {
  const Eigen::Index rows = constraints.E.rows();
  arrival_basis_ = MatrixXd::Identity(size_.nx, size_.nx);
  arrival_shift_ = VectorXd::Zero(size_.nx);
  if (rows > 0) {
    const Eigen::CompleteOrthogonalDecomposition<MatrixXd> decomposition(constraints.E);
    arrival_shift_ = decomposition.solve(-constraints.e);
    const Eigen::ColPivHouseholderQR<MatrixXd> qr(constraints.E.transpose());
    const MatrixXd Q = qr.householderQ();
    arrival_basis_ = Q.rightCols(size_.nx - qr.rank());
  }
  const MatrixXd reduced = arrival_basis_.transpose() * V_ * arrival_basis_;
  arrival_factor_ = reduced.llt().matrixL();
}

MatrixXd RiccatiSweep::V_zetazeta() const {
  return parameter_hessian_.topLeftCorner(size_.nzeta, size_.nzeta).selfadjointView<Eigen::Lower>();
}

VectorXd RiccatiSweep::v_zeta() const {
  return parameter_hessian_.row(size_.nzeta).head(size_.nzeta).transpose() + parameter_gradient_;
}

MatrixXd RiccatiSweep::condensed_hessian() const {
  // V_ζζ − V_ζx Z (Zᵀ V Z)⁻¹ Zᵀ V_xζ
  const MatrixXd whitened =
      arrival_factor_.triangularView<Eigen::Lower>().solve(arrival_basis_.transpose() * G());
  return V_zetazeta() - whitened.transpose() * whitened;
}

VectorXd RiccatiSweep::condensed_gradient() const {
  VectorXd y = arrival_basis_.transpose() * (v() + V_ * arrival_shift_);
  arrival_factor_.triangularView<Eigen::Lower>().solveInPlace(y);
  arrival_factor_.transpose().triangularView<Eigen::Upper>().solveInPlace(y);
  return v_zeta() + G().transpose() * (arrival_shift_ - arrival_basis_ * y);
}

MatrixXd RiccatiSweep::arrival_covariance() const {
  const MatrixXd factor =
      arrival_factor_.triangularView<Eigen::Lower>().solve(arrival_basis_.transpose());
  return factor.transpose() * factor;
}

MatrixXd RiccatiSweep::arrival_sensitivity() const {
  return -arrival_covariance() * G();
}

void RiccatiSweep::solve_states() {
  const int nx = size_.nx;
  // Costates: p = q̂ + Āᵀ(p' + V' d), with d what δζ makes of it (9)
  costates_.col(size_.num_stages) = gradients_.col(size_.num_stages);
  for (int k = size_.num_stages - 1; k >= 0; --k) {
    const double* V = information_.col(k + 1).data();
    const auto z = row_shifts_.col(k).head(row_counts_[k]);
    if (row_counts_[k] > 0) costates_.col(k + 1).noalias() += rows_y(k).transpose() * z;
    shifts_.col(k) += defects_.col(k);
    tmp_ = costates_.col(k + 1);
    multiply_packed(1.0, V, shifts_.col(k).data(), 1.0, tmp_.data(), nx);
    multiply_packed(1.0, noise_.col(k).data(), tmp_.data(), 0.0, tmp2_.data(), nx);
    multiply_packed(-1.0, V, tmp2_.data(), 1.0, tmp_.data(), nx);
    costates_.col(k) = gradients_.col(k);
    multiply_vector(1.0, A_.col(k).data(), Op::transposed, tmp_.data(), 1.0,
                    costates_.col(k).data(), nx);
    if (row_counts_[k] == 0) continue;
    tmp2_ = shifts_.col(k) - tmp2_;
    auto seen = row_tmp_.head(row_counts_[k]);
    seen = z;
    seen.noalias() += rows_y(k) * tmp2_;
    costates_.col(k).noalias() += rows_x(k).transpose() * seen;
  }
  // δx₀ = s − Z (Zᵀ V₀ Z)⁻¹ Zᵀ(p₀ + V₀ s); V₀ is still in V_ (10)
  tmp_ = costates_.col(0);
  tmp_.noalias() += V_ * arrival_shift_;
  VectorXd y = arrival_basis_.transpose() * tmp_;
  arrival_factor_.triangularView<Eigen::Lower>().solveInPlace(y);
  arrival_factor_.transpose().triangularView<Eigen::Upper>().solveInPlace(y);
  dx_.col(0) = arrival_shift_;
  dx_.col(0).noalias() -= arrival_basis_ * y;
  arrival_along_step_ = dx_.col(0).dot(V_ * dx_.col(0) + costates_.col(0));
  rows_along_step_ = rows_gradient_ = 0;
  for (int k = 0; k < size_.num_stages; ++k) {
    // y = A δx + d, δx' = y − S (V' y + p'), δγ = p' + V' δx' (11)
    const double* V = information_.col(k + 1).data();
    Eigen::Ref<VectorXd> next = dx_.col(k + 1);
    next = shifts_.col(k);
    multiply_vector(1.0, A_.col(k).data(), Op::plain, dx_.col(k).data(), 1.0, next.data(), nx);
    const int num_rows = row_counts_[k];
    auto seen = row_tmp_.head(num_rows);
    tmp_ = costates_.col(k + 1);
    if (num_rows > 0) {
      seen.noalias() = rows_x(k) * dx_.col(k);
      tmp_.noalias() += rows_y(k).transpose() * seen;  // X δx
    }
    dgamma_.col(k) = tmp_;
    multiply_packed(1.0, V, next.data(), 1.0, tmp_.data(), nx);
    multiply_packed(-1.0, noise_.col(k).data(), tmp_.data(), 1.0, next.data(), nx);
    multiply_packed(1.0, V, next.data(), 1.0, dgamma_.col(k).data(), nx);
    if (num_rows == 0) continue;
    const auto z = row_shifts_.col(k).head(num_rows);
    seen.noalias() += rows_y(k) * next;
    seen += z;
    rows_along_step_ += z.dot(seen);
    rows_gradient_ += z.dot(rows_r_.col(k).head(num_rows));
  }
}

double RiccatiSweep::gradient_along_step() const {
  return gradients_.cwiseProduct(dx_).sum();
}

double RiccatiSweep::defect_along_step() const {
  return shifts_.cwiseProduct(dgamma_).sum();
}

MatrixXd RiccatiSweep::information(int k) const {
  return unpack(information_.col(k).data(), size_.nx);
}

MatrixXd RiccatiSweep::noise_covariance(int k) const {
  return unpack(noise_.col(k).data(), size_.nx);
}

MatrixXd RiccatiSweep::closed_loop(int k) const {
  const Eigen::Map<const MatrixXd> A(A_.col(k).data(), size_.nx, size_.nx);
  MatrixXd out = information(k + 1) * A;
  if (row_counts_[k] > 0) out += rows_y(k).transpose() * rows_x(k);
  return A - noise_covariance(k) * out;
}

double RiccatiSweep::bytes() const {
  const Eigen::Index kept = A_.size() + information_.size() + noise_.size() + defects_.size() +
                            shifts_.size() + gradients_.size() + costates_.size() + dx_.size() +
                            dgamma_.size() + rows_x_.size() + rows_y_.size() + rows_r_.size() +
                            row_shifts_.size();
  return 8.0 * static_cast<double>(kept);
}

}  // namespace bayesid
