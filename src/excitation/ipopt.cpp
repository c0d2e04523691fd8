// SPDX-License-Identifier: BSD-3-Clause
#include "excitation/ipopt.hpp"

#include <IpStdCInterface.h>

#include <exception>
#include <memory>

extern "C" void openblas_set_num_threads(int count);  // of the BLAS that IPOPT works with

namespace bayesid {

using Eigen::VectorXd;

namespace {

constexpr double no_bound = 2e19;  // what IPOPT takes for infinite

/// What the callbacks share.
struct Run {
  NonlinearProgram& program;
  const IpoptOptions& options;
  VectorXd x;  // where the program is
  bool exists = false;
  int iterations = 0;
  std::exception_ptr error;

  /// No exception may pass through C.
  template <typename Task>
  bool guarded(const Task& task) {
    if (error) return false;
    try {
      return task();
    } catch (...) {
      error = std::current_exception();
      return false;
    }
  }
  bool move_to(int n, const double* at) {
    const Eigen::Map<const VectorXd> next(at, n);
    if (x.size() == n && x == next) return exists;
    x = next;
    exists = program.move_to(x);
    return exists;
  }
};

Run& run_of(UserDataPtr data) {
  return *static_cast<Run*>(data);
}

bool eval_f(ipindex n, ipnumber* x, bool /*is_new*/, ipnumber* value, UserDataPtr data) {
  Run& run = run_of(data);
  return run.guarded([&] {
    if (!run.move_to(n, x)) return false;
    *value = run.program.value();
    return true;
  });
}

bool eval_grad_f(ipindex n, ipnumber* x, bool /*is_new*/, ipnumber* gradient, UserDataPtr data) {
  Run& run = run_of(data);
  return run.guarded([&] {
    if (!run.move_to(n, x)) return false;
    Eigen::Map<VectorXd>(gradient, n) = run.program.gradient();
    return true;
  });
}

bool eval_g(ipindex n, ipnumber* x, bool /*is_new*/, ipindex m, ipnumber* g, UserDataPtr data) {
  Run& run = run_of(data);
  return run.guarded([&] {
    if (!run.move_to(n, x)) return false;
    Eigen::Map<VectorXd>(g, m) = run.program.row_values();
    return true;
  });
}

bool eval_jac_g(ipindex n, ipnumber* x, bool /*is_new*/, ipindex /*m*/, ipindex size,
                ipindex* i_row, ipindex* j_col, ipnumber* values, UserDataPtr data) {
  Run& run = run_of(data);
  return run.guarded([&] {
    if (values) {
      if (!run.move_to(n, x)) return false;
      const std::vector<double>& slopes = run.program.row_slopes();
      std::copy(slopes.begin(), slopes.begin() + size, values);
      return true;
    }
    int place = 0, index = 0;
    for (const NonlinearProgram::Row& row : run.program.rows()) {
      for (int j = 0; j < row.count; ++j, ++place) {
        i_row[place] = index;
        j_col[place] = row.first + j;
      }
      ++index;
    }
    return true;
  });
}

bool eval_h(ipindex, ipnumber*, bool, ipnumber, ipindex, ipnumber*, bool, ipindex, ipindex*,
            ipindex*, ipnumber*, UserDataPtr) {
  return false;  // the Hessian is approximated
}

bool on_iteration(ipindex /*mode*/, ipindex iteration, ipnumber value, ipnumber violation, ipnumber,
                  ipnumber, ipnumber, ipnumber, ipnumber, ipnumber, ipindex, UserDataPtr data) {
  Run& run = run_of(data);
  run.iterations = iteration;
  return run.guarded(
      [&] { return !run.options.go_on || run.options.go_on(iteration, value, violation); });
}

std::string words_of(ApplicationReturnStatus status) {
  switch (status) {
    case Solve_Succeeded:
      return "converged";
    case Solved_To_Acceptable_Level:
      return "converged to the acceptable tolerance";
    case Maximum_Iterations_Exceeded:
      return "iteration limit";
    case Infeasible_Problem_Detected:
      return "no feasible motion near by";
    case Search_Direction_Becomes_Too_Small:
      return "step too small";
    case Restoration_Failed:
      return "restoration failed";
    case User_Requested_Stop:
      return "interrupted";
    default:
      return "stopped with code " + std::to_string(static_cast<int>(status));
  }
}

void set_options(IpoptProblem problem, const IpoptOptions& options) {
  const auto text = [&](const char* name, const char* value) {
    AddIpoptStrOption(problem, const_cast<char*>(name), const_cast<char*>(value));
  };
  const auto number = [&](const char* name, double value) {
    AddIpoptNumOption(problem, const_cast<char*>(name), value);
  };
  text("sb", "yes");
  text("option_file_name", "");  // no file of the working folder changes a result
  text("hessian_approximation", "limited-memory");
  text("linear_solver", "mumps");
  text("mu_strategy", "adaptive");
  number("tol", options.tolerance);
  number("constr_viol_tol", 1e-6);
  number("acceptable_tol", 30 * options.tolerance);
  number("acceptable_constr_viol_tol", 1e-5);
  number("acceptable_obj_change_tol", 1e-5);
  number("mu_init", options.first_barrier);
  AddIpoptIntOption(problem, const_cast<char*>("print_level"), 0);
  AddIpoptIntOption(problem, const_cast<char*>("acceptable_iter"), 10);
  AddIpoptIntOption(problem, const_cast<char*>("max_iter"), options.max_iterations);
  AddIpoptIntOption(problem, const_cast<char*>("limited_memory_max_history"), 30);
}

}  // namespace

IpoptAnswer minimise(NonlinearProgram& program, const VectorXd& start,
                     const IpoptOptions& options) {
  openblas_set_num_threads(1);  // sums in one order, on every machine
  const int n = program.num_variables(), m = static_cast<int>(program.rows().size());
  VectorXd x_lower = VectorXd::Constant(n, -no_bound), x_upper = -x_lower;
  VectorXd g_lower(m), g_upper(m);
  int num_slopes = 0;
  for (int i = 0; i < m; ++i) {
    const NonlinearProgram::Row& row = program.rows()[static_cast<std::size_t>(i)];
    g_lower[i] = std::max(row.lower, -no_bound);
    g_upper[i] = std::min(row.upper, no_bound);
    num_slopes += row.count;
  }
  const std::unique_ptr<IpoptProblemInfo, void (*)(IpoptProblem)> problem(
      CreateIpoptProblem(n, x_lower.data(), x_upper.data(), m, g_lower.data(), g_upper.data(),
                         num_slopes, 0, 0, eval_f, eval_g, eval_grad_f, eval_jac_g, eval_h),
      FreeIpoptProblem);
  set_options(problem.get(), options);
  SetIntermediateCallback(problem.get(), on_iteration);
  Run run{.program = program, .options = options, .x = {}, .error = {}};
  IpoptAnswer out{.x = start, .status = {}};
  const ApplicationReturnStatus status =
      IpoptSolve(problem.get(), out.x.data(), nullptr, &out.value, nullptr, nullptr, nullptr, &run);
  if (run.error) std::rethrow_exception(run.error);
  out.iterations = run.iterations;
  out.converged = status == Solve_Succeeded || status == Solved_To_Acceptable_Level;
  out.interrupted = status == User_Requested_Stop;
  out.status = words_of(status);
  return out;
}

}  // namespace bayesid
