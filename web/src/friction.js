// SPDX-License-Identifier: BSD-3-Clause
// Friction effort over speed: prior, estimate with its band, and the samples behind it.
import {missing} from "./dom.js";
import {number, unitOf} from "./format.js";
import {perName} from "./joints.js";
import {xyChart} from "./plot.js";

export const friction = {
  id: "friction",
  title: "Friction",
  caption:
    "Friction effort over speed. Points are the measured effort minus the effort of the identified model without friction, " +
    "one for each sample (thinned out): they scatter about the curve. Where there are no points, the curve is an extrapolation, " +
    "whatever its band.",
  draw({result, signal: ended}) {
    const curves = result.document.friction_curves;
    if (!curves) return missing("This result holds no friction curves.");
    if (!curves.length) return missing("No friction was estimated.");
    const byName = new Map(curves.map((one) => [one.drive, one]));
    const grid = perName({
      label: "drive",
      names: [...byName.keys()],
      signal: ended,
      draw: (name, signal) => [curveChart(result, byName.get(name), signal)],
    });
    grid.at(-1).classList.add("grid");
    return grid;
  },
};

function curveChart(result, curve, signal) {
  const joint = result.document.model?.joints?.find((one) => one.name === curve.drive);
  const slides = joint?.type === "prismatic";
  const shift = (sign) =>
    curve.value.map((value, i) => (curve.std?.[i] == null || value == null ? null : value + sign * 2 * curve.std[i]));
  const curves = [];
  if (curve.std)
    curves.push(
      {label: "± 2σ", values: shift(-1), edge: "low", colour: "identified"},
      {label: "", values: shift(1), edge: "high", colour: "identified"},
    );
  if (curve.prior) curves.push({label: "prior", values: curve.prior, colour: "nominal", dash: [6, 3]});
  curves.push({label: "identified", values: curve.value, colour: "identified"});
  return xyChart({
    title: curve.drive,
    height: 220,
    x: curve.speed,
    curves,
    signal,
    xLabel: slides ? "speed, m/s" : "speed, rad/s",
    yLabel: unitOf(`friction.${curve.drive}.coulomb`, null, result.document.model?.joints),
    describe: `At the largest speed ${number(curve.speed.at(-1))}: prior ${number(curve.prior?.at(-1))}, identified ${number(curve.value.at(-1))}.`,
    async prepare() {
      const cloud = await result.series?.cloud(curve.drive);
      return cloud ? {cloud: {x: cloud.speed, y: cloud.effort, label: "samples", colour: "measured"}} : null;
    },
  });
}
