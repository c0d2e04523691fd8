// SPDX-License-Identifier: BSD-3-Clause
#include "problem/contact_schedule.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "bayesid/error.hpp"
#include "math/did_you_mean.hpp"
#include "math/text.hpp"

namespace bayesid {

namespace {

constexpr double closed_from = 0.5;  // of a channel that is 0 or 1
constexpr double same_time = 1e-9;   // s; less is what rounding leaves

std::string number(double value) {
  return rounded(value, 6);
}

std::vector<std::string> contact_names(const ModelConfig& model) {
  std::vector<std::string> out;
  out.reserve(model.contacts.size());
  for (const ContactConfig& contact : model.contacts) out.push_back(contact.name);
  return out;
}

/// Stretches in which the channel is closed; it is open before its first value.
std::vector<PhaseConfig> closed_stretches(const Log& log, const std::vector<double>& channel,
                                          const std::string& contact) {
  std::vector<PhaseConfig> out;
  bool is_closed = false;
  for (std::size_t k = 0; k < channel.size(); ++k) {
    if (std::isnan(channel[k])) continue;  // the last value holds
    const bool closes = channel[k] >= closed_from;
    if (closes && !is_closed) {
      out.push_back({log.time[k], std::numeric_limits<double>::infinity(), {contact}});
    } else if (!closes && is_closed) {
      out.back().to = log.time[k];
    }
    is_closed = closes;
  }
  return out;
}

void warn_of_unknown(const Log& log, const std::vector<std::string>& contacts,
                     std::vector<std::string>& warnings) {
  const std::string prefix = "contact.";
  for (const auto& [channel, values] : log.channels) {
    if (!channel.starts_with(prefix)) continue;
    const std::string name = channel.substr(prefix.size());
    if (std::ranges::find(contacts, name) != contacts.end()) continue;
    warnings.push_back(log.file + ": " + channel + " is not used: model.contacts has no " + name +
                       did_you_mean(name, contacts));
  }
}

std::vector<PhaseConfig> phases_from_channels(const Log& log,
                                              const std::vector<std::string>& contacts,
                                              std::vector<std::string>& warnings) {
  std::vector<PhaseConfig> out;
  std::vector<std::string> missing;
  for (const std::string& name : contacts) {
    const auto channel = log.channels.find("contact." + name);
    if (channel == log.channels.end()) {
      missing.push_back(name);
      continue;
    }
    for (PhaseConfig& phase : closed_stretches(log, channel->second, name)) {
      out.push_back(std::move(phase));
    }
  }
  if (!missing.empty()) {
    warnings.push_back(log.file + ": no contact phases of " + join(missing) +
                       ", taken as open: add logs[].phases or the channel contact." + missing[0]);
  }
  return out;
}

void warn_of_phases_outside(const Log& log, const std::vector<PhaseConfig>& phases,
                            const std::string& key, std::vector<std::string>& warnings) {
  for (std::size_t i = 0; i < phases.size(); ++i) {
    if (phases[i].to > log.time.front() && phases[i].from <= log.time.back()) continue;
    warnings.push_back(key + ".phases[" + std::to_string(i) + "] is from " +
                       number(phases[i].from) + " s to " + number(phases[i].to) +
                       " s, outside of " + log.file + " (" + number(log.time.front()) + " s to " +
                       number(log.time.back()) + " s)");
  }
}

/// Inside the log, and not where its first state is, which the arrival prior describes.
void check_impact(const Log& log, double time, const std::string& key) {
  const double begin = log.time.front(), end = log.time.back();
  if (time < begin - same_time || time > end + same_time) {
    throw InputError(key + " is " + number(time) + ", outside of " + log.file + " (" +
                     number(begin) + " s to " + number(end) + " s)");
  }
  if (time > begin + same_time) return;
  throw InputError(key + " is " + number(time) + ", the first sample of " + log.file +
                   ", which has no motion before it: remove the impact, or start the log "
                   "earlier");
}

/// An impact has a motion of the segment before it; what it left may be the last sample.
bool is_within(const Recording& segment, double time) {
  return time > segment.time[0] + same_time &&
         time <= segment.time[segment.num_samples() - 1] + same_time;
}

}  // namespace

void add_contact_schedule(const Config& config, std::size_t index, const Log& log,
                          std::vector<Recording>& segments, std::vector<std::string>& warnings) {
  const LogConfig& given = config.logs[index];
  const std::string key = "logs[" + std::to_string(index) + "]";
  const std::vector<std::string> contacts = contact_names(config.model);
  warn_of_unknown(log, contacts, warnings);
  warn_of_phases_outside(log, given.phases, location_of(config, key), warnings);
  const std::vector<PhaseConfig> phases =
      given.phases.empty() ? phases_from_channels(log, contacts, warnings) : given.phases;
  for (Recording& segment : segments) segment.phases = phases;

  for (std::size_t i = 0; i < given.impacts.size(); ++i) {
    const ImpactConfig& impact = given.impacts[i];
    check_impact(log, impact.time,
                 location_of(config, key + ".impacts[" + std::to_string(i) + "].time"));
    const auto segment = std::ranges::find_if(
        segments, [&](const Recording& one) { return is_within(one, impact.time); });
    if (segment != segments.end()) {
      segment->impacts.push_back(impact);
    } else {
      warnings.push_back(log.file + ": the impact of " + join(impact.contacts) + " at " +
                         number(impact.time) +
                         " s is left out: it is in a gap of the log or directly after one");
    }
  }
}

}  // namespace bayesid
