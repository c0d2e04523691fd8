// SPDX-License-Identifier: BSD-3-Clause
#include "bayesid/simulate.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>

#include "bayesid/error.hpp"
#include "log/csv.hpp"
#include "log/read_bytes.hpp"
#include "math/parse_number.hpp"

namespace bayesid {

using Eigen::MatrixXd;
using Eigen::VectorXd;

namespace {

constexpr std::array<const char*, 7> pose_axes{"px", "py", "pz", "qx", "qy", "qz", "qw"};
constexpr std::array<const char*, 6> velocity_axes{"vx", "vy", "vz", "wx", "wy", "wz"};

/// One column of the file and the number of an instant it holds.
struct Field {
  enum class Kind { pose, position, velocity, acceleration, effort };
  std::string name;
  Kind kind;
  int index;
};

std::vector<Field> fields_of(const Robot& robot, bool with_effort) {
  using Kind = Field::Kind;
  std::vector<Field> out;
  const std::string base = std::string(".") + base_name + ".";
  for (int i = 0; robot.floating && i < 7; ++i)
    out.push_back({"q" + base + pose_axes[static_cast<std::size_t>(i)], Kind::pose, i});
  for (const Joint& joint : robot.joints)
    out.push_back({"q." + joint.name, Kind::position, joint.idx_v});
  for (const auto& [letter, kind] : {std::pair{"v", Kind::velocity}, {"a", Kind::acceleration}}) {
    for (int i = 0; robot.floating && i < 6; ++i)
      out.push_back({letter + base + velocity_axes[static_cast<std::size_t>(i)], kind, i});
    for (const Joint& joint : robot.joints)
      out.push_back({std::string(letter) + "." + joint.name, kind, joint.idx_v});
  }
  for (const Joint& joint : robot.joints) {
    if (with_effort) out.push_back({"tau." + joint.name, Kind::effort, joint.idx_v});
  }
  return out;
}

void append(std::string& out, double value) {
  std::array<char, 32> text{};
  out += ',';
  out.append(text.data(), std::to_chars(text.data(), text.data() + text.size(), value).ptr);
}

/// Numbers of one instant as they stand in the file.
struct Sample {
  VectorXd pose = VectorXd::Zero(7), position, v, a, tau;

  explicit Sample(int nv) : position(VectorXd::Zero(nv)), v(position), a(position), tau(position) {}
  double& at(const Field& field) {
    switch (field.kind) {
      case Field::Kind::pose:
        return pose[field.index];
      case Field::Kind::position:
        return position[field.index];
      case Field::Kind::velocity:
        return v[field.index];
      case Field::Kind::acceleration:
        return a[field.index];
      default:
        return tau[field.index];
    }
  }
};

[[noreturn]] void fail(const std::string& file, int line, const std::string& what) {
  throw InputError(file + ":" + std::to_string(line) + ": " + what);
}

double number_in(const CsvReader& csv, std::size_t column, const std::string& file) {
  const std::optional<double> value = parse_number(csv.cells()[column]);
  if (value && std::isfinite(*value)) return *value;
  fail(file, csv.line(), csv.header()[column] + " is no number");
}

}  // namespace

std::string motion_csv(const Robot& robot, const MotionTable& motion) {
  const std::vector<Field> fields = fields_of(robot, motion.tau.cols() > 0);
  std::string out = "time";
  for (const Field& field : fields) out += "," + field.name;
  for (const auto& [name, closed] : motion.closed) out += ",contact." + name;
  for (const std::string& name : motion.rows) out += ",lambda." + name;
  out += '\n';
  Sample sample(robot.nv());
  for (Eigen::Index k = 0; k < motion.time.size(); ++k) {
    std::string time;
    append(time, motion.time[k]);
    out += time.substr(1);
    const VectorXd q = motion.q.col(k);
    sample.position = joint_angles(robot, q);
    if (robot.floating) sample.pose = q.head<7>();
    sample.v = motion.v.col(k);
    sample.a = motion.a.col(k);
    if (motion.tau.cols() > 0) sample.tau = motion.tau.col(k);
    for (const Field& field : fields) append(out, sample.at(field));
    for (const auto& [name, closed] : motion.closed) out += closed ? ",1" : ",0";
    for (Eigen::Index i = 0; i < static_cast<Eigen::Index>(motion.rows.size()); ++i)
      append(out, motion.lambda(i, k));
    out += '\n';
  }
  return out;
}

MotionTable read_motion(const Robot& robot, const std::string& file) {
  const std::string text = read_bytes(file);
  CsvReader csv(text, file);
  const std::vector<std::string>& header = csv.header();
  const auto place = [&](const std::string& name) {
    return static_cast<std::size_t>(std::ranges::find(header, name) - header.begin());
  };
  const bool with_effort = std::ranges::all_of(
      robot.joints, [&](const Joint& joint) { return place("tau." + joint.name) < header.size(); });
  const std::vector<Field> fields = fields_of(robot, with_effort);
  std::vector<std::size_t> columns{place("time")};
  for (const Field& field : fields) columns.push_back(place(field.name));
  for (std::size_t i = 0; i < columns.size(); ++i) {
    if (columns[i] == header.size())
      fail(file, 1, "there is no column " + (i == 0 ? "time" : fields[i - 1].name));
  }
  MotionTable out;
  std::vector<double> time;
  std::vector<Sample> samples;
  while (csv.next()) {
    time.push_back(number_in(csv, columns[0], file));
    if (time.size() > 1 && time.back() <= time[time.size() - 2])
      fail(file, csv.line(), "time does not increase");
    for (std::size_t i = 0; time.size() == 1 && i < header.size(); ++i) {
      if (header[i].starts_with("contact."))
        out.closed[header[i].substr(8)] = number_in(csv, i, file) != 0;
    }
    Sample& sample = samples.emplace_back(robot.nv());
    for (std::size_t i = 0; i < fields.size(); ++i)
      sample.at(fields[i]) = number_in(csv, columns[i + 1], file);
  }
  if (samples.size() < 2) fail(file, csv.line(), "a motion needs two samples");

  const auto count = static_cast<Eigen::Index>(samples.size());
  out.time = Eigen::Map<const VectorXd>(time.data(), count).array() - time[0];
  out.q = MatrixXd(robot.nq(), count);
  out.v = out.a = MatrixXd(robot.nv(), count);
  if (with_effort) out.tau = out.v;
  for (Eigen::Index k = 0; k < count; ++k) {
    const Sample& sample = samples[static_cast<std::size_t>(k)];
    out.q.col(k) = make_configuration(robot, sample.position);
    if (robot.floating) {
      out.q.col(k).head<7>() = sample.pose;
      out.q.col(k).segment<4>(3).normalize();
    }
    out.v.col(k) = sample.v;
    out.a.col(k) = sample.a;
    if (with_effort) out.tau.col(k) = sample.tau;
  }
  return out;
}

}  // namespace bayesid
