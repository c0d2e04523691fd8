// SPDX-License-Identifier: BSD-3-Clause
#include "config/config_kind.hpp"
#include "config/sections.hpp"

namespace bayesid::config {
namespace {

/// The version of the format.
Kind<Config> version() {
  return {.schemas = {R"({"const": 1})"},
          .accepts = is_scalar,
          .read = [](const YamlTree&, const Location&, Config&) {},
          .write = [](const Config&, const std::string&) { return std::optional(scalar("1")); },
          .vary = [](Config&, int) {}};
}

/// With this section, exactly what it lists.
Kind<ParametersConfig> parameters() {
  return table<ParametersConfig>().prepared(
      [](ParametersConfig& value, const Location&) { value = {}; });
}

}  // namespace

void describe(Fields<Config>& f) {
  f.add("schema", version(), {"", "`1`, the version of this format"}).required();
  f.add("model", &Config::model, table<ModelConfig>(), {}).required();
  f.add("logs", &Config::logs, list_of(table<LogConfig>()).if_any(), {});
  f.add("measurements", &Config::measurements, table<MeasurementConfig>().if_any(), {});
  f.add("disturbance", &Config::disturbance, table<DisturbanceConfig>(), {});
  f.add("initial_state", &Config::initial_state, table<InitialStateConfig>(), {});
  f.add("parameters", &Config::parameters, parameters(), {});
  f.add("constraints", &Config::constraints, table<ConstraintsConfig>().if_any(), {});
  f.add("solver", &Config::solver, table<SolverConfig>(), {});
  f.add("simulation", &Config::simulation, table<SimulationConfig>(), {});
  f.add("excitation", &Config::excitation, table<ExcitationConfig>(), {});
}

const Kind<Config>& config_kind() {
  static const Kind<Config> kind = table<Config>();
  return kind;
}

}  // namespace bayesid::config
