// SPDX-License-Identifier: BSD-3-Clause
#include "bayesid/solve.hpp"

#include <cstring>
#include <stdexcept>

#include "solver/accumulator.hpp"

namespace bayesid {

using Eigen::MatrixXd;
using Eigen::VectorXd;

namespace {

constexpr std::string_view magic = "condensed 1\n";

template <typename Number>
void put(std::string& out, const Number& number) {
  out.append(reinterpret_cast<const char*>(&number), sizeof(number));
}

void put_matrix(std::string& out, const Eigen::Ref<const MatrixXd>& matrix) {
  put(out, static_cast<std::int64_t>(matrix.rows()));
  put(out, static_cast<std::int64_t>(matrix.cols()));
  const MatrixXd dense = matrix;
  out.append(reinterpret_cast<const char*>(dense.data()), sizeof(double) * dense.size());
}

/// Reads what `put` wrote, and never past the end.
class Reader {
 public:
  explicit Reader(std::string_view bytes) : bytes_(bytes) {}
  std::string_view take(std::size_t size) {
    if (bytes_.size() < size) throw std::invalid_argument("condensed: too few bytes");
    const std::string_view out = bytes_.substr(0, size);
    bytes_.remove_prefix(size);
    return out;
  }
  template <typename Number>
  void number(Number& out) {
    std::memcpy(&out, take(sizeof(out)).data(), sizeof(out));
  }
  MatrixXd matrix() {
    std::int64_t rows = 0, cols = 0;
    number(rows);
    number(cols);
    const auto most = static_cast<std::int64_t>(bytes_.size() / sizeof(double));
    if (rows < 0 || cols < 0 || (cols > 0 && rows > most / cols))
      throw std::invalid_argument("condensed: impossible size of a matrix");
    MatrixXd out(rows, cols);
    const std::string_view numbers = take(sizeof(double) * static_cast<std::size_t>(out.size()));
    if (!numbers.empty()) std::memcpy(out.data(), numbers.data(), numbers.size());
    return out;
  }
  bool at_end() const { return bytes_.empty(); }

 private:
  std::string_view bytes_;
};

void add(VectorXd& to, const VectorXd& other) {
  if (to.size() == 0) {
    to = other;
  } else {
    to += other;
  }
}

}  // namespace

Condensed& Condensed::operator+=(const Condensed& other) {
  if (num_trajectories == 0) return *this = other;
  if (other.num_trajectories == 0) return *this;
  hessian += other.hessian;
  gradient += other.gradient;
  multiplier_gradient += other.multiplier_gradient;
  curvature += other.curvature;
  add(cost_parts, other.cost_parts);
  infeasibility += other.infeasibility;
  largest_defect = std::max(largest_defect, other.largest_defect);
  closing_cost += other.closing_cost;
  stiff_work += other.stiff_work;
  num_trajectories += other.num_trajectories;
  num_stages += other.num_stages;
  return *this;
}

std::string Condensed::to_bytes() const {
  std::string out(magic);
  put_matrix(out, hessian);
  for (const VectorXd* vector : {&gradient, &multiplier_gradient, &curvature, &cost_parts})
    put_matrix(out, *vector);
  for (const double number : {infeasibility, largest_defect, closing_cost, stiff_work})
    put(out, number);
  put(out, num_trajectories);
  put(out, num_stages);
  return out;
}

Condensed Condensed::from_bytes(std::string_view bytes) {
  Reader reader(bytes);
  if (reader.take(magic.size()) != magic)
    throw std::invalid_argument("condensed: not what was written by this version");
  Condensed out;
  out.hessian = reader.matrix();
  for (VectorXd* vector :
       {&out.gradient, &out.multiplier_gradient, &out.curvature, &out.cost_parts}) {
    const MatrixXd column = reader.matrix();
    if (column.cols() != 1) throw std::invalid_argument("condensed: a vector of several columns");
    *vector = column.col(0);
  }
  for (double* number :
       {&out.infeasibility, &out.largest_defect, &out.closing_cost, &out.stiff_work})
    reader.number(*number);
  reader.number(out.num_trajectories);
  reader.number(out.num_stages);
  if (!reader.at_end()) throw std::invalid_argument("condensed: bytes left over");
  return out;
}

Condensed accumulate(const std::vector<std::shared_ptr<const Trajectory>>& trajectories,
                     const std::vector<Path>& paths,
                     const std::vector<std::shared_ptr<const Trajectory::At>>& at, int ncurvature,
                     int num_threads) {
  Accumulator accumulator(trajectories, ncurvature, std::max(1, num_threads));
  Condensed out = accumulator.accumulate(paths, at);
  std::string location;
  if (!accumulator.evaluate(paths, at, out.cost_parts, location))
    out.cost_parts.setConstant(std::numeric_limits<double>::quiet_NaN());
  if (out.cost_parts.size() == 0) return out;
  out.infeasibility = out.cost_parts[out.cost_parts.size() - 1];
  out.cost_parts.conservativeResize(out.cost_parts.size() - 1);
  return out;
}

Condensed accumulate(const Problem& problem, const Point& point, int num_threads) {
  return accumulate(problem.trajectories(), point.paths, problem.at(point.theta)->trajectories,
                    problem.space().ncurvature(), num_threads);
}

}  // namespace bayesid
