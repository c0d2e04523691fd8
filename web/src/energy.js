// SPDX-License-Identifier: BSD-3-Clause
// Energy balance: supplied, stored, dissipated, and the residual of the identified model.
import {timeChart} from "./chart.js";
import {plainLines} from "./curves.js";
import {missing} from "./dom.js";
import {perTrajectory} from "./joints.js";

export const energy = {
  id: "energy",
  title: "Energy balance",
  caption:
    "Work of the motors since the start, the energy stored as kinetic and potential energy, the energy dissipated by friction, and the " +
    "residual. A residual that grows steadily is a loss that is not modelled, or a wrong scale of the measured effort.",
  draw({result, signal: ended}) {
    const {series} = result;
    if (!series) return missing("This result holds no curves over time (series.bin), so there is no energy balance.");
    return perTrajectory((t, signal) => {
      if (!series.has(t, "energy.supplied") && !series.has(t, "energy.balance"))
        return missing("No energy balance was computed for this trajectory.");
      return [
        timeChart({
          title: "energy since the start",
          unit: series.unit(t, "energy.supplied") || "J",
          signal,
          load: plainLines(series, t, [
            ["energy.supplied", "supplied", "measured"],
            ["energy.stored", "stored", "curve1"],
            ["energy.dissipated", "dissipated by friction", "curve2", [6, 3]],
          ]),
        }),
        timeChart({
          title: "supplied − stored − dissipated",
          unit: series.unit(t, "energy.balance") || "J",
          height: 110,
          signal,
          load: plainLines(series, t, [["energy.balance", "residual", "curve4"]]),
        }),
      ];
    }, ended);
  },
};
