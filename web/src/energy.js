// SPDX-License-Identifier: BSD-3-Clause
// Where the energy went, and what of it the identified model cannot account for.
import {timeChart} from "./chart.js";
import {plainLines} from "./curves.js";
import {missing} from "./dom.js";
import {perTrajectory} from "./joints.js";

export const energy = {
  id: "energy",
  title: "Energy balance",
  caption:
    "Work of the motors since the start, what of it is stored in motion and height, what friction took, and the rest. " +
    "A rest that grows steadily is a loss the model lacks, or an effort that is measured too large or too small.",
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
            ["energy.dissipated", "lost to friction", "curve2", [6, 3]],
          ]),
        }),
        timeChart({
          title: "supplied − stored − lost",
          unit: series.unit(t, "energy.balance") || "J",
          height: 110,
          signal,
          load: plainLines(series, t, [["energy.balance", "rest", "curve4"]]),
        }),
      ];
    }, ended);
  },
};
