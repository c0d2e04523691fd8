// SPDX-License-Identifier: BSD-3-Clause
// Estimated motion with its error bars, and the estimated disturbances.
import {timeChart} from "./chart.js";
import {cycle} from "./colours.js";
import {lineWithBand, plainLines} from "./curves.js";
import {missing} from "./dom.js";
import {jointNames, perName, perTrajectory} from "./joints.js";

const BASE = "floating base";

export const states = {
  id: "states",
  title: "Estimated motion and disturbances",
  caption:
    "Estimated position and velocity with ± 2σ; acceleration between samples; and the disturbance w, the part of the motion that the " +
    "model does not explain. If the model is right, disturbances are white: a pattern in them is an effect that is not modelled.",
  draw({result, kind, signal: ended}) {
    const {series} = result;
    if (!series) return missing("This result holds no curves over time (series.bin), so the motion cannot be drawn.");
    return perTrajectory((t, outer) => {
      const names = jointNames(result).filter((name) => series.has(t, `q.${name}`) || series.has(t, `v.${name}`));
      const all = series.has(t, "q.base.px") || series.has(t, "v.base.vx") ? [BASE, ...names] : names;
      if (!all.length) return missing("No motion is stored for this trajectory.");
      return perName({
        label: "joint",
        names: all,
        most: 2,
        signal: outer,
        draw: (name, signal) =>
          name === BASE ? baseCharts(series, t, signal) : jointCharts(series, t, name, signal, kind),
      });
    }, ended);
  },
};

function jointCharts(series, t, name, signal, kind) {
  const chart = (title, channel, load, height) =>
    series.has(t, channel) ? timeChart({title, unit: series.unit(t, channel), height, signal, load}) : null;
  const line = (letter) => lineWithBand(series, t, `${letter}.${name}`, `${letter}.${name}.std`, letter, "identified");
  return [
    chart(`${name}: position q`, `q.${name}`, line("q"), 150),
    chart(`${name}: velocity v`, `v.${name}`, line("v"), 150),
    chart(`${name}: acceleration a`, `a.${name}`, plainLines(series, t, [[`a.${name}`, "a", "curve3"]]), 110),
    kind === "excite"
      ? null
      : chart(
          `${name}: disturbance of position`,
          `w.q.${name}`,
          plainLines(series, t, [[`w.q.${name}`, "w of q", "curve4"]]),
          90,
        ),
    kind === "excite"
      ? null
      : chart(
          `${name}: disturbance of velocity`,
          `w.v.${name}`,
          plainLines(series, t, [[`w.v.${name}`, "w of v", "curve5"]]),
          90,
        ),
  ].filter(Boolean);
}

function baseCharts(series, t, signal) {
  const group = (title, prefix, parts, suffix = "", height = 130) => {
    const specs = parts.map((part, i) => [`${prefix}${part}${suffix}`, part, cycle(i)]);
    if (!specs.some(([name]) => series.has(t, name))) return null;
    return timeChart({
      title: `base: ${title}`,
      unit: series.unit(t, specs[0][0]),
      height,
      signal,
      load: plainLines(series, t, specs),
    });
  };
  return [
    group("position", "q.base.", ["px", "py", "pz"]),
    group("orientation (quaternion)", "q.base.", ["qx", "qy", "qz", "qw"]),
    group("σ of position, along its axes", "q.base.", ["x", "y", "z"], ".std", 100),
    group("σ of orientation, about its axes", "q.base.", ["rx", "ry", "rz"], ".std", 100),
    group("velocity, in its axes", "v.base.", ["vx", "vy", "vz"]),
    group("angular velocity, in its axes", "v.base.", ["wx", "wy", "wz"]),
    group("disturbance of position", "w.q.base.", ["x", "y", "z"], "", 100),
    group("disturbance of orientation", "w.q.base.", ["rx", "ry", "rz"], "", 100),
    group("disturbance of velocity", "w.v.base.", ["vx", "vy", "vz"], "", 100),
    group("disturbance of angular velocity", "w.v.base.", ["wx", "wy", "wz"], "", 100),
  ].filter(Boolean);
}
