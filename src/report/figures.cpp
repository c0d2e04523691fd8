// SPDX-License-Identifier: BSD-3-Clause
// The plots of the page as pictures for papers and slides, from the same files.
#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>

#include "bayesid/report.hpp"
#include "report/svg.hpp"
#include "report/unpack_series.hpp"

namespace bayesid {

using Eigen::Index;
using Eigen::VectorXd;
using Json = nlohmann::ordered_json;

namespace {

constexpr double width = 300, height = 110, left = 64, top = 30, gap_x = 74, gap_y = 50;

/// Panels in rows; makes room for them as they come.
class Sheet {
 public:
  explicit Sheet(int columns) : columns_(columns) {}

  svg::Panel next() {
    const int column = count_ % columns_, row = count_ / columns_;
    ++count_;
    return {left + column * (width + gap_x), top + row * (height + gap_y), width, height};
  }
  void add(const svg::Panel& panel) { body_ += panel.svg(); }
  /// "" when nothing was drawn.
  std::string text() const {
    if (count_ == 0) return "";
    const int rows = (count_ + columns_ - 1) / columns_;
    return svg::picture(left + columns_ * (width + gap_x), top + rows * (height + gap_y), body_);
  }

 private:
  int columns_, count_ = 0;
  std::string body_;
};

VectorXd list_of(const Json& from) {
  VectorXd out(static_cast<Index>(from.size()));
  for (std::size_t i = 0; i < from.size(); ++i)
    out[static_cast<Index>(i)] = from[i].is_number() ? from[i].get<double>() : std::nan("");
  return out;
}

std::string unit_of(const TrajectoryTable& table, const std::string& name) {
  const auto found = std::ranges::find(table.columns, name, &Column::name);
  return found == table.columns.end() ? "" : found->unit;
}

const VectorXd* find(const TrajectoryTable& table, const std::string& name) {
  const auto found = std::ranges::find(table.columns, name, &Column::name);
  return found == table.columns.end() ? nullptr : &found->values;
}

/// Measured, nominal and identified effort of each joint, and what is left with its error bar.
std::string efforts(const Json& document, const TrajectoryTable& table) {
  Sheet sheet(2);
  if (!document.contains("model")) return "";
  for (const Json& joint : document["model"]["joints"]) {
    const std::string name = joint.value("name", ""), tau = "tau." + name;
    const VectorXd* measured = find(table, tau + ".measured");
    const VectorXd* nominal = find(table, tau + ".nominal");
    const VectorXd* identified = find(table, tau + ".identified");
    if (!measured || !nominal || !identified) continue;
    svg::Panel both = sheet.next(), rest = sheet.next();
    both.fit_x(table.time);
    for (const VectorXd* values : {measured, nominal, identified}) both.fit_y(*values);
    const std::string unit = unit_of(table, tau + ".measured");
    both.axes("time, s", "effort, " + unit);
    rest.axes("time, s", "residual, " + unit);
    both.title(name + ": measured grey, nominal yellow, identified blue");
    both.curve(table.time, *measured, "measured");
    both.curve(table.time, *nominal, "nominal");
    both.curve(table.time, *identified, "identified");
    const VectorXd error = *measured - *identified;
    rest.fit_x(table.time);
    rest.fit_y(error);
    if (const VectorXd* std = find(table, tau + ".std")) {
      rest.fit_y(VectorXd(2 * *std));
      rest.fit_y(VectorXd(-2 * *std));
      rest.band(table.time, -2 * *std, 2 * *std);
    }
    rest.curve(table.time, error, "measured");
    rest.title(name + ": measured − identified, band ±2σ");
    sheet.add(both);
    sheet.add(rest);
  }
  return sheet.text();
}

/// Whether a drive is a joint that slides.
bool slides(const Json& document, const std::string& drive) {
  if (!document.contains("model")) return false;
  return std::ranges::any_of(document["model"]["joints"], [&](const Json& joint) {
    return joint.value("name", "") == drive && joint.value("type", "") == "prismatic";
  });
}

std::string friction(const Json& document, const std::vector<FrictionCloud>& clouds) {
  Sheet sheet(2);
  for (const Json& curve : document.value("friction_curves", Json::array())) {
    const VectorXd speed = list_of(curve["speed"]), value = list_of(curve["value"]);
    const VectorXd prior = list_of(curve["prior"]), std = list_of(curve["std"]);
    svg::Panel panel = sheet.next();
    panel.fit_x(speed);
    for (const VectorXd& one : {prior, VectorXd(value - 2 * std), VectorXd(value + 2 * std)})
      panel.fit_y(one);
    const auto cloud = std::ranges::find(clouds, curve.value("drive", ""), &FrictionCloud::drive);
    if (cloud != clouds.end()) {
      panel.fit_y(cloud->effort);
      panel.points(cloud->speed, cloud->effort);
    }
    panel.band(speed, value - 2 * std, value + 2 * std);
    panel.curve(speed, prior, "nominal");
    panel.curve(speed, value, "identified");
    const std::string drive = curve.value("drive", "");
    const bool is_linear = slides(document, drive);
    panel.axes(is_linear ? "speed, m/s" : "speed, rad/s",
               is_linear ? "friction, N" : "friction, N·m");
    panel.title(drive + ": prior yellow, estimate blue, band ±2σ");
    sheet.add(panel);
  }
  return sheet.text();
}

std::string residuals(const Json& document) {
  Sheet sheet(3);
  for (const Json& one : document.value("residuals", Json::array())) {
    const VectorXd edges = list_of(one["histogram"]["edges"]);
    const VectorXd counts = list_of(one["histogram"]["counts"]);
    const double bin = edges[1] - edges[0], samples = one.value("samples", 1);
    svg::Panel panel = sheet.next();
    panel.fit_x(edges);
    panel.fit_y(0);
    const VectorXd density = counts / (samples * bin);
    panel.fit_y(density);
    panel.fit_y(0.4);
    for (Index i = 0; i < counts.size(); ++i) panel.bar(edges[i], edges[i + 1], density[i]);
    const VectorXd normal =
        (-0.5 * edges.array().square()).exp() / std::sqrt(2 * 3.14159265358979323846);
    panel.curve(edges, normal, "nominal");
    panel.axes("residual, standard deviations", "density");
    panel.title(one.value("sensor", "") + " of " + one.value("channel", "") + ", rms " +
                svg::number(one.value("rms", 0.0)));
    sheet.add(panel);
  }
  return sheet.text();
}

std::string convergence(const Json& document) {
  const Json history = document.value("history", Json::array());
  if (history.empty()) return "";
  Sheet sheet(2);
  for (const char* key : {"cost", "violation"}) {
    VectorXd x(static_cast<Index>(history.size())), y(x.size());
    for (Index i = 0; i < x.size(); ++i) {
      const Json& row = history[static_cast<std::size_t>(i)];
      x[i] = static_cast<double>(i + 1);
      y[i] = row[key].is_number() ? std::log10(row[key].get<double>()) : std::nan("");
    }
    svg::Panel panel = sheet.next();
    panel.fit_x(x);
    panel.fit_y(y);
    panel.curve(x, y, "identified");
    panel.axes("iteration", std::string("log10 ") + key);
    panel.title(std::string(key) + " of each iteration");
    sheet.add(panel);
  }
  return sheet.text();
}

/// Blue for −1, white for 0, red for 1.
std::string correlation(const Json& document) {
  if (!document.contains("covariance")) return "";
  const Json& matrix = document["covariance"]["matrix"];
  const Json& names = document["covariance"]["names"];
  const auto n = static_cast<double>(matrix.size());
  if (n == 0) return "";
  const double cell = std::max(4.0, std::min(14.0, 700 / n)), left_of = 190;
  std::string body;
  for (std::size_t i = 0; i < matrix.size(); ++i) {
    const double y = top + cell * static_cast<double>(i);
    if (cell >= 8) body += svg::label(left_of - 4, y + 0.8 * cell, names[i], "end");
    for (std::size_t j = 0; j < matrix.size(); ++j) {
      const double scale = matrix[i][i].get<double>() * matrix[j][j].get<double>();
      const double rho = scale > 0 ? matrix[i][j].get<double>() / std::sqrt(scale) : 0;
      const auto pale = static_cast<int>(255 * (1 - std::min(1.0, std::abs(rho))));
      const std::string shade = std::to_string(pale);
      body += "<rect x=\"" + svg::number(left_of + cell * static_cast<double>(j)) + "\" y=\"" +
              svg::number(y) + "\" width=\"" + svg::number(cell) + "\" height=\"" +
              svg::number(cell) + "\" style=\"stroke:none;fill:rgb(" +
              (rho > 0 ? "255," + shade + "," + shade : shade + "," + shade + ",255") + ")\"/>\n";
    }
  }
  body +=
      svg::label(left_of, top - 8, "correlation of parameters: red 1, white 0, blue −1", "start");
  return svg::picture(left_of + cell * n + 20, top + cell * n + 20, body);
}

/// All columns that begin alike, each in a panel of its own.
std::string columns(const TrajectoryTable& table, const std::string& prefix) {
  Sheet sheet(2);
  for (const Column& column : table.columns) {
    if (!column.name.starts_with(prefix)) continue;
    svg::Panel panel = sheet.next();
    panel.fit_x(table.time);
    panel.fit_y(column.values);
    panel.curve(table.time, column.values, "identified");
    panel.axes("time, s", column.unit);
    panel.title(column.name);
    sheet.add(panel);
  }
  return sheet.text();
}

}  // namespace

std::map<std::string, std::string> make_figures(const ReportResult& result) {
  const Json document = Json::parse(result.document);
  UnpackedSeries series;
  if (!result.series.empty()) series = unpack_series(document.at("series"), result.series);
  std::map<std::string, std::string> out;
  const auto add = [&](const std::string& name, const std::string& text) {
    if (!text.empty()) out["figure_" + name + ".svg"] = text;
  };
  for (std::size_t t = 0; t < series.tables.size(); ++t) {
    const std::string which = series.tables.size() > 1 ? "_" + std::to_string(t) : "";
    add("effort" + which, efforts(document, series.tables[t]));
    add("energy" + which, columns(series.tables[t], "energy."));
    add("forces" + which, columns(series.tables[t], "lambda."));
  }
  add("friction", friction(document, series.clouds));
  add("residuals", residuals(document));
  add("convergence", convergence(document));
  add("correlation", correlation(document));
  return out;
}

}  // namespace bayesid
