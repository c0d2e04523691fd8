// SPDX-License-Identifier: BSD-3-Clause
// Where the model's error comes from: findings, shares by variable, and the residual of a joint over each variable.
import {el, missing, table} from "./dom.js";
import {number, numberCell, percent} from "./format.js";
import {perName} from "./joints.js";
import {xyChart} from "./plot.js";

const LEAST = 0.02;
const AXES = {angle: "angle", speed: "speed", time: "time", phase: "phase of the ripple"};

export const modelError = {
  id: "model-error",
  title: "Model error",
  caption:
    "Measured minus predicted effort of each joint, over what it may depend on. Shares are of its mean square, explained on blocks of " +
    "the log that were not fitted: chance gives none. Curves are means of the residual in bins, with ± two standard errors of white " +
    "noise: where the band leaves zero, an effect is not modelled.",
  draw({result, signal: ended}) {
    const list = result.document.model_error;
    if (!list) return missing("This result holds no analysis of the model's error.");
    if (!list.length) return missing("No effort was measured.");
    const byName = new Map(list.map((one) => [one.joint, one]));
    const parts = perName({
      label: "joint",
      names: [...byName.keys()],
      most: 1,
      signal: ended,
      draw: (name, signal) => charts(byName.get(name), signal),
    });
    parts.at(-1).classList.add("grid");
    return [findingTable(list), shareTable(list), parts];
  },
};

function findingTable(list) {
  const rows = list.flatMap((joint) =>
    (joint.findings ?? []).map((one) => [
      joint.joint,
      numberCell(one.share, percent(one.share)),
      numberCell(one.size, `${number(one.size, 3)} ${joint.unit ?? ""}`),
      one.text ?? one.kind ?? "",
      one.next ?? "",
    ]),
  );
  if (!rows.length) return el("p", {class: "note"}, "No finding: the residuals depend on none of these variables.");
  return table("What the residuals point to", ["joint", "share", "size", "suspect", "next step"], rows, {
    id: "model-error-table",
  });
}

/** Joints by variables: the share of the residual that a curve over the variable alone explains. */
function shareTable(list) {
  const known = list.filter((one) => one.dependences?.length);
  if (!known.length) return null;
  const own = (name) => !name.startsWith("angle of ");
  const names = [...new Set(known.flatMap((one) => one.dependences.map((each) => each.variable)))].filter(own);
  const others = (one) => one.dependences.filter((each) => !own(each.variable));
  return table(
    "Share of the residual that each variable alone explains",
    ["joint", "rms", "expected rms", "white", ...names, "other angles"],
    known.map((one) => {
      const byName = new Map(one.dependences.map((each) => [each.variable, each.share]));
      const best = others(one).sort((a, b) => b.share - a.share)[0];
      return [
        one.joint,
        numberCell(one.rms, number(one.rms, 3)),
        numberCell(one.expected_rms, number(one.expected_rms, 3)),
        one.white === true ? "● yes" : one.white === false ? "▲ no" : "—",
        ...names.map((name) => shareCell(byName.get(name))),
        best?.share > LEAST
          ? numberCell(best.share, `${percent(best.share, 2)} (${best.variable.slice("angle of ".length)})`)
          : shareCell(best?.share),
      ];
    }),
    {id: "model-share-table"},
  );
}

function shareCell(share) {
  return numberCell(share, typeof share !== "number" ? "—" : share > LEAST ? percent(share, 2) : "0");
}

function charts(joint, signal) {
  const curves = Object.entries(joint.curves ?? {}).map(([name, curve]) => curveChart(joint, name, curve, signal));
  const spectra = (joint.spectra ?? []).map((one) => spectrumChart(joint, one, signal));
  const out = [...curves, ...spectra].filter(Boolean);
  return out.length ? out : [missing("No curves are stored for this joint.")];
}

function curveChart(joint, name, curve, signal) {
  if (!curve?.at?.length) return null;
  const edge = (sign) =>
    curve.mean.map((mean, i) =>
      curve.counts?.[i] > 1 && curve.std?.[i] != null ? mean + (sign * 2 * curve.std[i]) / Math.sqrt(curve.counts[i]) : null,
    );
  const axis = AXES[name] ?? name;
  return xyChart({
    title: `${joint.joint}: residual over ${axis}`,
    x: curve.at,
    xLabel: `${axis}, ${curve.unit}`,
    yLabel: joint.unit,
    signal,
    describe: `Mean between ${number(Math.min(...curve.mean), 3)} and ${number(Math.max(...curve.mean), 3)} ${joint.unit}.`,
    curves: [
      {label: "± 2 standard errors", values: edge(-1), edge: "low", colour: "identified"},
      {label: "", values: edge(1), edge: "high", colour: "identified"},
      {label: "mean residual", values: curve.mean, colour: "identified"},
    ],
    lines: [{y: 0, dash: []}],
  });
}

function spectrumChart(joint, one, signal) {
  if (!one?.frequency?.length) return null;
  const overAngle = one.unit !== "Hz";
  const marks = (joint.findings ?? [])
    .map((each) => (overAngle ? (each.periods_per_turn ?? each.periods_per_metre) : each.frequency))
    .filter((x) => typeof x === "number");
  const peak = one.amplitude.reduce((best, value, i) => (value > one.amplitude[best] ? i : best), 0);
  return xyChart({
    title: `${joint.joint}: ${overAngle ? "waves in the angle" : "spectrum"}`,
    x: one.frequency,
    xLabel: one.unit,
    yLabel: `amplitude, ${joint.unit}`,
    signal,
    describe: `Largest amplitude ${number(one.amplitude[peak], 3)} ${joint.unit} at ${number(one.frequency[peak])} ${one.unit}.`,
    curves: [{label: "amplitude", values: one.amplitude, colour: "identified"}],
    lines: marks.map((x) => ({x, colour: "measured"})),
  });
}
