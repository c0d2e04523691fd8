// SPDX-License-Identifier: BSD-3-Clause
#include "report/model_error_report.hpp"

#include <algorithm>
#include <cmath>
#include <functional>

#include "report/words.hpp"

namespace bayesid {

using Json = nlohmann::ordered_json;

namespace {

constexpr double relevant = 0.1;     // share of a residual's mean square
constexpr double above_noise = 1.2;  // rms over what is expected
constexpr size_t most_findings = 3;

Json list(const Eigen::VectorXd& values) {
  return std::vector<double>(values.begin(), values.end());
}

Json dependences_json(const std::vector<ResidualDependence>& from) {
  Json out = Json::array();
  for (const ResidualDependence& one : from) {
    out.push_back(
        {{"variable", one.variable}, {"share", one.share}, {"significance", one.significance}});
  }
  return out;
}

Json findings_json(const std::vector<ModelErrorFinding>& from) {
  Json out = Json::array();
  for (const ModelErrorFinding& one : from) {
    Json& entry = out.emplace_back();
    entry = {{"kind", one.kind}, {"share", one.share}, {"size", one.size}};
    for (const auto& [name, value] : one.numbers) entry[name] = value;
    if (!one.other.empty()) entry["other"] = one.other;
    entry["text"] = one.text;
    entry["next"] = one.next;
  }
  return out;
}

Json curves_json(const std::vector<BinnedCurve>& from) {
  Json out = Json::object();
  for (const BinnedCurve& one : from) {
    out[one.variable] = {{"unit", one.unit},
                         {"at", list(one.at)},
                         {"mean", list(one.mean)},
                         {"std", list(one.std)},
                         {"counts", one.counts}};
  }
  return out;
}

Json spectra_json(const std::vector<ResidualSpectrum>& from) {
  Json out = Json::array();
  for (const ResidualSpectrum& one : from) {
    out.push_back({{"unit", one.unit},
                   {"frequency", list(one.frequency)},
                   {"amplitude", list(one.amplitude)}});
  }
  return out;
}

bool is_unexplained(const JointResidual& joint) {
  return joint.rms > above_noise * joint.expected_rms || joint.is_white == false;
}

/// Mean square of a residual over what is expected of it.
double over_noise(const JointResidual& joint) {
  const double expected = std::max(joint.expected_rms, 1e-3 * joint.rms);
  return expected > 0 ? std::pow(joint.rms / expected, 2) : 0;
}

struct Suspect {
  const ModelErrorFinding* finding;
  double impact;  // mean square that it explains, over what is expected
};

}  // namespace

Json model_error_json(const std::vector<JointResidual>& joints) {
  Json out = Json::array();
  for (const JointResidual& one : joints) {
    out.push_back({{"joint", one.joint},
                   {"unit", one.unit},
                   {"samples", one.samples},
                   {"rms", one.rms},
                   {"expected_rms", one.expected_rms},
                   {"white", one.is_white ? Json(*one.is_white) : Json(nullptr)},
                   {"dependences", dependences_json(one.dependences)},
                   {"findings", findings_json(one.findings)},
                   {"curves", curves_json(one.curves)},
                   {"spectra", spectra_json(one.spectra)}});
  }
  return out;
}

std::vector<Verdict> model_error_verdict(const std::vector<JointResidual>& joints) {
  std::vector<Suspect> found;
  for (const JointResidual& joint : joints) {
    if (!is_unexplained(joint)) continue;
    for (const ModelErrorFinding& one : joint.findings) {
      if (one.share > relevant) found.push_back({&one, one.share * over_noise(joint)});
    }
  }
  // An effort of the wrong sign bends the estimates that all other joints are judged by.
  const auto has_sign = [](const Suspect& one) { return one.finding->kind == "sign"; };
  if (std::ranges::any_of(found, has_sign)) std::erase_if(found, std::not_fn(has_sign));
  std::ranges::stable_sort(found, std::ranges::greater{}, &Suspect::impact);
  if (found.size() > most_findings) found.resize(most_findings);
  std::vector<Verdict> out;
  for (const auto& [one, impact] : found) {
    Verdict& entry = out.emplace_back();
    entry.severity = Severity::warning;
    entry.topic = "model_error";
    entry.text = "Effort of " + one->joint + ": " + one->text + ", is " + percent_text(one->share) +
                 " of the residual. Next: " + one->next + ".";
    entry.numbers = one->numbers;
    entry.numbers["share"] = one->share;
    entry.numbers["size"] = one->size;
  }
  return out;
}

}  // namespace bayesid
