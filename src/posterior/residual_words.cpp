// SPDX-License-Identifier: BSD-3-Clause
// What a user reads of a finding: the suspect with its numbers, and the next step.
#include <array>
#include <cstdio>

#include "posterior/residual_suspects.hpp"

namespace bayesid::posterior {

namespace {

std::string digits(const char* format, double value) {
  std::array<char, 32> text{};
  std::snprintf(text.data(), text.size(), format, value);
  return text.data();
}

double number_of(const ModelErrorFinding& finding, const char* name) {
  const auto found = finding.numbers.find(name);
  return found == finding.numbers.end() ? 0 : found->second;
}

struct Words {
  std::string what, next;
};

Words words_of(const ModelErrorFinding& one) {
  const std::string& kind = one.kind;
  const std::string size = digits("%.2g", one.size) + " " + one.unit;
  const std::string speed_unit = one.unit == "N" ? " m/s" : " rad/s";
  if (kind == "ripple") {
    const bool slides = one.numbers.contains("periods_per_metre");
    const double periods = number_of(one, slides ? "periods_per_metre" : "periods_per_turn");
    return {"torque ripple, " + digits("%.4g", periods) +
                (slides ? " periods per m" : " periods per turn") + ", amplitude " + size,
            "compensate it in the drive, or move over many periods so that it averages out"};
  }
  if (kind == "elasticity")
    return {"elasticity or another resonance at " + digits("%.3g", number_of(one, "frequency")) +
                " Hz, amplitude " + size,
            "move well below this frequency: links and gears are modelled as rigid"};
  if (kind == "stribeck")
    return {"friction at low speed (Stribeck), " + size + " at " +
                digits("%.2g", number_of(one, "speed")) + speed_unit,
            "add parameters.friction.terms: [stiction, coulomb, viscous], and move slowly in part "
            "of the log"};
  if (kind == "friction")
    return {"friction, up to " + size,
            "estimate parameters.friction of this joint, or widen friction.std"};
  if (kind == "direction")
    return {"an effort that depends on speed but not on its direction, up to " + size,
            "check the sign and the filter of the velocity, and whether friction differs between "
            "directions"};
  if (kind == "friction_drift")
    return {"friction that drifts by " + digits("%+.2g", number_of(one, "change")) + " " +
                one.unit + " over the log",
            "warm the joint up before logging, log at one temperature, or use shorter logs"};
  if (kind == "drift")
    return {"an offset that drifts by " + digits("%+.2g", number_of(one, "change")) + " " +
                one.unit + " over the log",
            "let the effort sensor warm up and zero it before each log"};
  if (kind == "offset")
    return {"offset of the effort, " + digits("%+.2g", number_of(one, "offset")) + " " + one.unit,
            "estimate parameters.effort_offset, or zero the effort sensor"};
  if (kind == "gravity")
    return {"a payload or wrong gravity: the residual follows the weight of the last link, " +
                size + " rms",
            "add the payload to the last link of the URDF, or check the direction of gravity"};
  if (kind == "sign")
    return {"wrong sign of the effort: correlation with the model " +
                digits("%.2g", number_of(one, "correlation")),
            "set sign: -1 in logs[].columns, or check the direction of the joint's axis"};
  if (kind == "ratio")
    return {"wrong gear ratio or scale: the measured effort is " +
                digits("%.2g", number_of(one, "factor")) + " times the model's",
            "correct scale in logs[].columns or the gear ratio, or estimate "
            "parameters.effort_gain"};
  if (kind == "gain")
    return {"gain of the effort: the measured effort is " +
                digits("%.3g", number_of(one, "factor")) + " times the model's",
            "estimate parameters.effort_gain, or calibrate the torque constant"};
  if (kind == "inertia")
    return {"inertia of motor or link: the model lacks " +
                digits("%.2g", number_of(one, "inertia")) + (one.unit == "N" ? " kg" : " kg·m²"),
            "estimate parameters.armature, or widen the prior of the inertia"};
  if (kind == "coupling")
    return {"an effort that depends on the angle of " + one.other + ", ± " + size,
            "check cables between the joints, and the inertias behind them"};
  return {"a cable or spring: smooth in the joint's own angle, ± " + size,
          "check cables and hoses, and hold them clear of the joint"};
}

}  // namespace

void add_words(ModelErrorFinding& finding) {
  const Words words = words_of(finding);
  finding.text = words.what;
  finding.next = words.next;
}

}  // namespace bayesid::posterior
