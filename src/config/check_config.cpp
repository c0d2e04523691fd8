// SPDX-License-Identifier: BSD-3-Clause
#include "config/check_config.hpp"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <numeric>
#include <string>
#include <vector>

#include "bayesid/error.hpp"
#include "config/sensor_fields.hpp"
#include "config/yaml_text.hpp"
#include "math/did_you_mean.hpp"
#include "math/text.hpp"

namespace bayesid {
namespace {

constexpr double same_time = 1e-9;  // s; less is what rounding leaves

std::string item(const std::string& list, std::size_t i) {
  return list + '[' + std::to_string(i) + ']';
}

std::string seconds(double time) {
  return text_of(time) + " s";
}

class ConfigCheck {
 public:
  explicit ConfigCheck(const Config& config) : config_(config) {
    for (const ContactConfig& contact : config.model.contacts) contacts_.push_back(contact.name);
  }

  void check() const {
    check_names();
    const std::vector<ContactConfig>& contacts = config_.model.contacts;
    for (std::size_t i = 0; i < contacts.size(); ++i) {
      check_keep(contacts[i].keep, contacts[i].type, "a contact", item("model.contacts", i));
    }
    const std::vector<LoopConfig>& loops = config_.model.loops;
    for (std::size_t i = 0; i < loops.size(); ++i) check_loop(loops[i], item("model.loops", i));
    check_rotors(config_.model.rotors);
    check_wrenches();
    check_groups();
    check_cones();
    for (std::size_t i = 0; i < config_.logs.size(); ++i) {
      check_phases(config_.logs[i].phases, item("logs", i) + ".phases");
      check_impacts(config_.logs[i].impacts, item("logs", i) + ".impacts");
    }
  }

 private:
  [[noreturn]] void fail(const std::string& key, const std::string& what) const {
    throw InputError(location_of(config_, key) + what);
  }

  /// Delays and rates belong to sensors that are there.
  void check_groups() const {
    std::vector<std::string> known;
    for (const config::SensorFields& sensor : config::sensor_fields()) {
      for (const std::string& name : sensor.names(config_.measurements))
        known.push_back(sensor.prefix() + name);
    }
    const auto check_group = [&](const std::string& section, const std::string& group) {
      if (std::find(known.begin(), known.end(), group) != known.end()) return;
      fail(section + "." + group,
           ": measurements has no sensor " + group + did_you_mean(group, known));
    };
    for (const auto& [group, delay] : config_.parameters.delay) {
      for (const config::SensorFields& sensor : config::sensor_fields()) {
        if (!sensor.no_delay.empty() && group.starts_with(sensor.prefix()))
          fail("parameters.delay." + group, ": " + sensor.no_delay);
      }
      const bool is_joint = group == "position" || group == "velocity" || group == "effort";
      if (!is_joint) check_group("parameters.delay", group);
    }
    for (const auto& [group, rate] : config_.simulation.rates) {
      check_group("simulation.rates", group);
    }
  }

  /// Friction cones and forces that push belong to contacts that constrain z of the world.
  void check_cones() const {
    const StageConstraintsConfig& stage = config_.constraints.stage;
    std::vector<std::pair<std::string, std::string>> asked;  // contact and key
    for (const auto& [name, mu] : stage.mu_by_contact)
      asked.emplace_back(name, "constraints.stage.friction_cone.mu." + name);
    if (stage.unilateral) {
      for (const std::string& name : stage.unilateral->names)
        asked.emplace_back(name, "constraints.stage.unilateral");
    }
    for (const std::string& name : contacts_) {
      if (stage.mu) asked.emplace_back(name, "constraints.stage.friction_cone");
      if (stage.unilateral && stage.unilateral->all)
        asked.emplace_back(name, "constraints.stage.unilateral");
    }
    const bool wants_contacts = stage.mu || stage.unilateral;
    if (wants_contacts && contacts_.empty()) {
      fail(stage.mu ? "constraints.stage.friction_cone" : "constraints.stage.unilateral",
           ": there are no contacts whose forces it could limit; add model.contacts");
    }
    for (const auto& [name, key] : asked) {
      const auto contact = std::ranges::find(config_.model.contacts, name, &ContactConfig::name);
      if (contact == config_.model.contacts.end()) {
        fail(key,
             ": the contact " + name + " is not in model.contacts" + did_you_mean(name, contacts_));
      }
      const std::vector<std::string>& keep = contact->keep;
      if (!keep.empty() && contact->axes == Axes::world_aligned &&
          std::ranges::find(keep, "z") == keep.end()) {
        fail(key, ": contact " + name + " does not constrain z (keep: " + text_of(keep) +
                      "), so it has no normal force");
      }
    }
  }

  /// Contacts and loops have different names, since each names its forces.
  void check_names() const {
    std::vector<std::string> names, keys;
    const auto add = [&](const std::string& name, const std::string& key) {
      const auto same = std::find(names.begin(), names.end(), name);
      if (same != names.end()) {
        fail(key + ".name", " is " + name + ", which is the name of " +
                                keys[static_cast<std::size_t>(same - names.begin())] + " too");
      }
      names.push_back(name);
      keys.push_back(key);
    };
    const ModelConfig& model = config_.model;
    for (std::size_t i = 0; i < model.contacts.size(); ++i) {
      add(model.contacts[i].name, item("model.contacts", i));
    }
    for (std::size_t i = 0; i < model.loops.size(); ++i) {
      add(model.loops[i].name, item("model.loops", i));
    }
  }

  void check_rotors(const std::vector<RotorConfig>& rotors) const {
    for (std::size_t i = 0; i < rotors.size(); ++i) {
      const std::string key = item("model.actuation.rotors", i);
      const auto same = std::ranges::find(rotors, rotors[i].name, &RotorConfig::name);
      if (same != rotors.begin() + static_cast<std::ptrdiff_t>(i)) {
        fail(key + ".name",
             " is " + rotors[i].name + ", which is the name of " +
                 item("model.actuation.rotors", static_cast<std::size_t>(same - rotors.begin())) +
                 " too");
      }
      const std::array<double, 3>& axis = rotors[i].axis;
      if (std::hypot(axis[0], axis[1], axis[2]) > 0) continue;
      fail(key + ".axis", " is [0, 0, 0], expected the direction of the thrust");
    }
  }

  /// A force sensor belongs to a contact, and feels a moment where the contact holds one.
  void check_wrenches() const {
    for (const auto& [name, wrench] : config_.measurements.wrenches) {
      const std::string key = "measurements.wrench." + name;
      const auto contact =
          std::ranges::find(config_.model.contacts, wrench.contact, &ContactConfig::name);
      if (contact == config_.model.contacts.end()) {
        const std::string remedy = did_you_mean(wrench.contact, contacts_);
        fail(key, ": the contact " + wrench.contact + " is not in model.contacts" +
                      (!remedy.empty() ? remedy : expected()));
      }
      if (wrench.torque && contact->type == ConstraintType::point) {
        fail(key + ".torque", " is " + text_of(*wrench.torque) + ", but contact " + contact->name +
                                  " is of type point, which has no moment");
      }
    }
  }

  void check_loop(const LoopConfig& loop, const std::string& key) const {
    if (loop.body1.link == loop.body2.link) {
      fail(key + ".body2.link", " is " + loop.body2.link + ", the same as that of body1");
    }
    check_keep(loop.keep, loop.type, "a loop", key);
  }

  void check_keep(const std::vector<std::string>& keep, ConstraintType type,
                  const std::string& what, const std::string& key) const {
    check_repeated(keep, key + ".keep");
    for (std::size_t i = 0; i < keep.size(); ++i) {
      const bool is_rotation = keep[i].starts_with('r');
      if (is_rotation && type == ConstraintType::point) {
        fail(item(key + ".keep", i),
             " is " + keep[i] + ", " + what + " of type point has x, y and z only");
      }
    }
  }

  void check_repeated(const std::vector<std::string>& names, const std::string& key) const {
    for (std::size_t i = 0; i < names.size(); ++i) {
      const auto end = names.begin() + static_cast<std::ptrdiff_t>(i);
      if (std::find(names.begin(), end, names[i]) == end) continue;
      fail(item(key, i), " is " + names[i] + ", which the list has already");
    }
  }

  void check_contacts(const std::vector<std::string>& names, const std::string& key) const {
    for (std::size_t i = 0; i < names.size(); ++i) {
      if (std::find(contacts_.begin(), contacts_.end(), names[i]) != contacts_.end()) continue;
      const std::string remedy = did_you_mean(names[i], contacts_);
      fail(item(key, i), " is " + names[i] + ", which is not in model.contacts" +
                             (!remedy.empty() ? remedy : expected()));
    }
    check_repeated(names, key);
  }

  std::string expected() const {
    if (contacts_.empty()) return ", there are none";
    return ", expected one of " + join(contacts_);
  }

  void check_phases(const std::vector<PhaseConfig>& phases, const std::string& key) const {
    for (std::size_t i = 0; i < phases.size(); ++i) {
      if (!(phases[i].from < phases[i].to)) {
        fail(item(key, i) + ".to", " is " + text_of(phases[i].to) + ", must be larger than from (" +
                                       text_of(phases[i].from) + ')');
      }
      check_contacts(phases[i].contacts, item(key, i) + ".contacts");
    }
    // In the order of time; when any two overlap, two neighbours do.
    std::vector<std::size_t> order(phases.size());
    std::iota(order.begin(), order.end(), std::size_t{0});
    std::stable_sort(order.begin(), order.end(),
                     [&](std::size_t a, std::size_t b) { return phases[a].from < phases[b].from; });
    for (std::size_t i = 1; i < order.size(); ++i) {
      if (phases[order[i]].from >= phases[order[i - 1]].to - same_time) continue;
      const auto [first, second] = std::minmax(order[i - 1], order[i]);
      const auto range = [&](std::size_t phase) {
        return " (" + seconds(phases[phase].from) + " to " + seconds(phases[phase].to) + ')';
      };
      fail(item(key, second), range(second) + " overlaps " + item(key, first) + range(first));
    }
  }

  void check_impacts(const std::vector<ImpactConfig>& impacts, const std::string& key) const {
    for (std::size_t i = 0; i < impacts.size(); ++i) {
      check_contacts(impacts[i].contacts, item(key, i) + ".contacts");
      check_slip(impacts[i], item(key, i));
      for (std::size_t j = 0; j < i; ++j) {
        if (std::abs(impacts[i].time - impacts[j].time) > same_time) continue;
        check_apart(impacts[i], item(key, i), impacts[j], item(key, j));
      }
    }
  }

  /// What slips has rows that no contact of the impact keeps.
  void check_slip(const ImpactConfig& impact, const std::string& key) const {
    for (const std::string& name : impact.contacts) {
      const auto contact = std::ranges::find_if(
          config_.model.contacts, [&](const ContactConfig& one) { return one.name == name; });
      const auto refuse = [&](const char* word, double value, const char* rows) {
        fail(key + '.' + word, " is " + text_of(value) + ", but contact " + name + " keeps " +
                                   rows +
                                   ": no axis is left to slip; list the constrained ones with " +
                                   "keep, [z] for a plate");
      };
      const std::vector<std::string>& keep = contact->keep;
      const auto num_angular =
          std::ranges::count_if(keep, [](const std::string& row) { return row.starts_with('r'); });
      const auto num_linear = static_cast<std::ptrdiff_t>(keep.size()) - num_angular;
      const bool keeps_turns =
          contact->type == ConstraintType::frame && (keep.empty() || num_angular == 3);
      if (impact.slip > 0 && (keep.empty() || num_linear == 3))
        refuse("slip", impact.slip, "x, y and z");
      if (impact.twist > 0 && keeps_turns) refuse("twist", impact.twist, "rx, ry and rz");
    }
  }

  /// No contact is in both of two impacts at the same time.
  void check_apart(const ImpactConfig& impact, const std::string& key, const ImpactConfig& other,
                   const std::string& other_key) const {
    for (std::size_t i = 0; i < impact.contacts.size(); ++i) {
      const std::string& name = impact.contacts[i];
      if (std::find(other.contacts.begin(), other.contacts.end(), name) == other.contacts.end()) {
        continue;
      }
      fail(item(key + ".contacts", i), " is " + name + ", which has an impact at " +
                                           seconds(impact.time) + " in " + other_key + " too");
    }
  }

  const Config& config_;
  std::vector<std::string> contacts_;
};

}  // namespace

void check_config(const Config& config) {
  ConfigCheck(config).check();
}

}  // namespace bayesid
