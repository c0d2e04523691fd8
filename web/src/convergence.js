// SPDX-License-Identifier: BSD-3-Clause
// Cost, infeasibility and step of each iteration, and the terms of the final cost.
import {el, missing, table} from "./dom.js";
import {number, numberCell} from "./format.js";
import {xyChart} from "./plot.js";

export const convergence = {
  id: "convergence",
  title: "Convergence",
  caption:
    "Cost and infeasibility (scaled violation of dynamics and constraints) at the start of each iteration. At convergence both are " +
    "constant. A cost that still decreases in the last iteration means that the solver stopped too early.",
  draw({result, signal}) {
    const {history, cost, violation, timing} = result.document;
    return [
      history?.length
        ? el(
            "div",
            {class: "grid"},
            chart(history, "cost", "identified", signal),
            chart(history, "violation", "nominal", signal),
            chart(history, "step", "curve3", signal),
          )
        : missing("This result holds no history of iterations."),
      cost
        ? table(
            "Terms of the final cost",
            ["term", "cost"],
            [
              ...Object.entries(cost)
                .filter(([, value]) => typeof value === "number" || value === null)
                .map(([name, value]) => [name, numberCell(value, number(value, 6))]),
              ...Object.entries(cost.measurements ?? {}).map(([name, value]) => [
                `measurement of ${name}`,
                numberCell(value, number(value, 6)),
              ]),
            ],
          )
        : null,
      violation
        ? table(
            "Largest final violation",
            ["of", "value"],
            Object.entries(violation).map(([name, value]) => [
              name.replaceAll("_", " "),
              numberCell(value, number(value, 3)),
            ]),
          )
        : null,
      timing
        ? table(
            "Time and memory",
            ["", ""],
            Object.entries(timing).map(([name, value]) => [name.replaceAll("_", " "), numberCell(value)]),
          )
        : null,
      history?.length ? el("details", {}, el("summary", {}, "Every iteration"), rows(history)) : null,
    ];
  },
};

const NAMES = {cost: "cost", violation: "infeasibility", step: "step, in standard deviations"};

function chart(history, key, colour, signal) {
  const values = history.map((one) => (one[key] > 0 ? Math.log10(one[key]) : null));
  return xyChart({
    title: NAMES[key],
    x: history.map((one) => one.iteration),
    xLabel: "iteration",
    yPowers: true,
    height: 180,
    signal,
    describe: `From ${number(history[0][key])} to ${number(history.at(-1)[key])} in ${history.length} iterations.`,
    curves: [{label: NAMES[key], values, colour, points: history.length < 60}],
  });
}

function rows(history) {
  const keys = [...new Set(history.flatMap((one) => Object.keys(one)))];
  const text = (value) =>
    typeof value === "number"
      ? numberCell(value, number(value, 6))
      : value === undefined || value === null
        ? "—"
        : String(value);
  return table(
    "Iterations",
    keys,
    history.map((one) => keys.map((key) => text(one[key]))),
    {class: "numbers"},
  );
}
