// SPDX-License-Identifier: BSD-3-Clause
// Thrust and moment of a rotor for each unit of its command.       docs/math/dynamics.md (5)
#include <cmath>

#include "blocks/choice.hpp"
#include "blocks/make_blocks.hpp"

namespace bayesid::blocks {

BlockList make_rotor(const Robot&, const Config& config, Draft& draft) {
  if (!config.parameters.rotor) return {};
  const RotorPriorConfig& given = *config.parameters.rotor;
  const PhysicalLayout& layout = draft.layout;
  BlockList out;
  for (int r = 0; r < layout.num_rotors; ++r) {
    const std::string name = "rotor." + layout.rotors[r].name;
    std::vector<ParameterBlock::Entry> entries;
    if (given.thrust) {
      entries.push_back(
          {.parameter = {.name = name + ".thrust",
                         .prior = std::log(draft.nominal[layout.thrust(r)]),
                         .std = positive(config, "parameters.rotor.thrust", *given.thrust),
                         .rate = 1,
                         .physical = name + ".thrust"},
           .eta = layout.thrust(r)});
    }
    if (given.moment) {
      const double nominal = draft.nominal[layout.moment(r)];
      const double size = nominal == 0 ? 1 : std::abs(nominal);
      entries.push_back(
          {.parameter = {.name = name + ".moment",
                         .prior = nominal,
                         .std = size * positive(config, "parameters.rotor.moment", *given.moment),
                         .physical = name + ".moment"},
           .eta = layout.moment(r)});
    }
    out.push_back(std::make_shared<ParameterBlock>(entries));
  }
  return out;
}

}  // namespace bayesid::blocks
