// SPDX-License-Identifier: BSD-3-Clause
#include "compare_methods.hpp"

#include <optional>

#include "bayesid/compare.hpp"
#include "bayesid/error.hpp"
#include "table.hpp"
#include "verbs.hpp"
#include "verdict_text.hpp"

namespace bayesid::app {
namespace {

using Eigen::Index;

/// An odd number of samples; 0: chosen.
int read_window(const Arguments& arguments) {
  const unsigned window = arguments.number("--window", 5, 999'999, 0);
  if (window == 0 || window % 2 == 1) return static_cast<int>(window);
  throw InputError("--window is " + std::to_string(window) +
                   ", must be an odd number of samples from 5 on");
}

std::vector<std::string> read_names(const Arguments& arguments) {
  if (arguments.value("--methods", "") == "all") return {};
  std::vector<std::string> out = arguments.list("--methods");
  if (!out.empty()) return out;
  throw InputError("--methods is empty, expected names of methods or all");
}

std::string share(const std::optional<double>& value) {
  return value ? percent(*value) : "-";
}

std::string method_table(const std::vector<MethodFit>& fits, bool has_truth) {
  std::vector<Row> rows;
  for (const MethodFit& fit : fits) {
    const BaselineResult& found = fit.found;
    Row row{fit.name,
            to_string(found.status),
            std::to_string(found.iterations),
            found.window > 0 ? std::to_string(found.window) : "-",
            std::to_string(num_impossible_bodies(found.eta)),
            number(fit.seconds)};
    if (has_truth) {
      for (const std::string& cell : {percent(fit.error->base), percent(fit.error->effort),
                                      share(fit.error->friction), share(fit.error->mass)}) {
        row.push_back(cell);
      }
    }
    rows.push_back(std::move(row));
  }
  Row header{"method", "status", "iterations", "window", "impossible inertias", "seconds"};
  if (has_truth)
    header.insert(header.end(), {"base error", "effort error", "friction error", "mass error"});
  return table_text(header, rows);
}

/// Root mean square errors of efforts as shares of their range: joints × methods.
std::string rmse_table(const std::vector<std::string>& joints, const std::vector<MethodFit>& fits,
                       const EffortError& (*of)(const MethodFit&)) {
  Row header{"joint", "range"};
  for (const MethodFit& fit : fits) header.push_back(fit.name);
  std::vector<Row> rows;
  for (std::size_t j = 0; j < joints.size(); ++j) {
    const auto i = static_cast<Index>(j);
    const double range = of(fits[0]).range[i];
    Row row{joints[j], number(range)};
    for (const MethodFit& fit : fits) {
      row.push_back(range > 0 ? percent(of(fit).rmse[i] / range) : "-");
    }
    rows.push_back(std::move(row));
  }
  return table_text(header, rows);
}

void print_tables(Console& console, const MethodComparison& found) {
  const bool has_truth = found.methods[0].error.has_value();
  console.print("\n" + method_table(found.methods, has_truth) +
                "\nroot mean square error of predicted efforts, in % of their range:\n" +
                rmse_table(found.joints, found.methods,
                           [](const MethodFit& f) -> const EffortError& { return f.effort; }));
  if (found.methods[0].held_out) {
    console.print("\nthe same on held-out logs:\n" +
                  rmse_table(found.joints, found.methods,
                             [](const MethodFit& f) -> const EffortError& { return *f.held_out; }));
  }
  console.print("\n" + verdict_text(found.verdict, {}));
}

}  // namespace

int compare_methods(const Config& config, const Arguments& arguments, Console& console) {
  MethodOptions options{.methods = read_names(arguments),
                        .window = read_window(arguments),
                        .truth = arguments.value("--truth", ""),
                        .run = run_options(arguments, console)};
  if (arguments.has("--validate"))
    options.held_out = read_config(arguments.values.at("--validate"));
  options.on_fit = [&](const MethodFit& fit) {
    console.print("  " + fit.name + ": " + to_string(fit.found.status) + ", " +
                  number(fit.seconds) + " s\n");
  };
  const std::string out = arguments.value("--out", "");
  std::optional<OutputFolder> folder;
  if (!out.empty()) folder.emplace(out, input_files(config));
  const MethodComparison found = bayesid::compare_methods(config, options);
  if (found.interrupted) return exit_code(Status::interrupted);
  print_tables(console, found);
  if (folder) publish(files_of(found, out), *folder);
  console.document(document_of(found, out));
  return found.all_converged() ? exit_done : exit_not_converged;
}

}  // namespace bayesid::app
