// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cblas.h>

#include <Eigen/Core>
#include <cassert>

namespace bayesid::blas {

using Matrix = Eigen::Ref<Eigen::MatrixXd, 0, Eigen::OuterStride<>>;
using ConstMatrix = Eigen::Ref<const Eigen::MatrixXd, 0, Eigen::OuterStride<>>;

enum class Op { plain, transposed };

inline CBLAS_TRANSPOSE code(Op op) {
  return op == Op::plain ? CblasNoTrans : CblasTrans;
}

/// out = alpha · op(a) · op(b) + beta · out
inline void multiply(double alpha, const ConstMatrix& a, Op op_a, const ConstMatrix& b, Op op_b,
                     double beta, Matrix out) {
  const int inner = static_cast<int>(op_a == Op::plain ? a.cols() : a.rows());
  assert(out.rows() == (op_a == Op::plain ? a.rows() : a.cols()));
  assert(out.cols() == (op_b == Op::plain ? b.cols() : b.rows()));
  assert(inner == (op_b == Op::plain ? b.rows() : b.cols()));
  if (out.size() == 0) return;
  if (inner == 0) {
    out *= beta;
    return;
  }
  scipy_cblas_dgemm(CblasColMajor, code(op_a), code(op_b), static_cast<int>(out.rows()),
                    static_cast<int>(out.cols()), inner, alpha, a.data(),
                    static_cast<int>(a.outerStride()), b.data(), static_cast<int>(b.outerStride()),
                    beta, out.data(), static_cast<int>(out.outerStride()));
}

/// Lower triangle of out += alpha · aᵀ a
inline void add_gram(double alpha, const ConstMatrix& a, Matrix out) {
  if (a.size() == 0) return;
  scipy_cblas_dsyrk(CblasColMajor, CblasLower, CblasTrans, static_cast<int>(a.cols()),
                    static_cast<int>(a.rows()), alpha, a.data(), static_cast<int>(a.outerStride()),
                    1.0, out.data(), static_cast<int>(out.outerStride()));
}

/// Lower triangle of out += aᵀ b + bᵀ a
inline void add_symmetric_product(const ConstMatrix& a, const ConstMatrix& b, Matrix out) {
  if (a.size() == 0) return;
  scipy_cblas_dsyr2k(CblasColMajor, CblasLower, CblasTrans, static_cast<int>(a.cols()),
                     static_cast<int>(a.rows()), 1.0, a.data(), static_cast<int>(a.outerStride()),
                     b.data(), static_cast<int>(b.outerStride()), 1.0, out.data(),
                     static_cast<int>(out.outerStride()));
}

/// One thread inside BLAS: parallelism is ours, so that results do not depend on the number of
/// threads.
inline void use_one_thread() {
  scipy_openblas_set_num_threads(1);
}

}  // namespace bayesid::blas
