// SPDX-License-Identifier: BSD-3-Clause
// Measured, nominal and identified effort of each joint over time, with residuals and their band.
import {timeChart} from "./chart.js";
import {bandAbout, channels, difference} from "./curves.js";
import {missing} from "./dom.js";
import {jointNames, perName, perTrajectory} from "./joints.js";

export const efforts = {
  id: "efforts",
  title: "Efforts",
  caption:
    "Measured efforts, and the efforts of the nominal and the identified model along the same motion. " +
    "Below each, the residuals: if noise and model are right, about 95\u00a0% lie within the ±\u00a02σ band. " +
    "A pattern in the residuals is an effect that is not modelled.",
  draw({result, kind, signal: ended}) {
    const {series} = result;
    if (!series) return missing("This result holds no curves over time (series.bin), so efforts cannot be drawn.");
    return perTrajectory((t, outer) => {
      const names = jointNames(result).filter((name) =>
        series.names(t).some((channel) => channel === `tau.${name}` || channel.startsWith(`tau.${name}.`)),
      );
      if (!names.length) return missing("No efforts were measured or predicted in this trajectory.");
      return perName({
        label: "joint",
        names,
        signal: outer,
        draw: (name, signal) =>
          [
            effortChart(series, t, name, signal, kind),
            kind === "excite" ? null : residualChart(series, t, name, signal),
          ].filter(Boolean),
      });
    }, ended);
  },
};

function effortChart(series, t, name, signal, kind) {
  const parts = ["measured", "nominal", "identified", "std"].map((part) => `tau.${name}.${part}`);
  const plain = `tau.${name}`; // excitation: efforts of the prior alone
  return timeChart({
    title: name,
    unit: series.unit(t, parts[0]) || series.unit(t, parts[1]) || series.unit(t, plain),
    signal,
    async load() {
      const found = await channels(series, t, [...parts, plain]);
      const [measured, nominal, identified, std] = parts.map(found.get);
      const lines = [
        measured && {label: "measured", colour: "measured", channel: measured},
        nominal && {
          label: kind === "excite" ? "prior model" : "nominal",
          colour: "nominal",
          dash: kind === "excite" ? null : [6, 3],
          channel: nominal,
        },
        identified && {label: "identified", colour: "identified", channel: identified},
        !measured && !nominal && found.get(plain) && {label: "effort", colour: "identified", channel: found.get(plain)},
      ].filter(Boolean);
      const bands =
        identified && std ? [{label: "± 2σ", colour: "identified", ...bandAbout(identified.values, std.values)}] : [];
      return lines.length ? {times: found.times, lines, bands} : null;
    },
  });
}

function residualChart(series, t, name, signal) {
  const at = (part) => `tau.${name}.${part}`;
  if (!series.has(t, at("measured")) || !(series.has(t, at("identified")) || series.has(t, at("nominal")))) return null;
  return timeChart({
    title: "measured − predicted",
    unit: series.unit(t, at("measured")),
    height: 110,
    signal,
    async load() {
      const found = await channels(series, t, ["measured", "nominal", "identified", "std"].map(at));
      const measured = found.get(at("measured")),
        std = found.get(at("std"));
      const line = (part, label, colour, dash) =>
        found.get(at(part)) && {
          label,
          colour,
          dash,
          width: 1,
          values: difference(measured.values, found.get(at(part)).values),
        };
      return {
        times: found.times,
        lines: [line("nominal", "nominal", "nominal", [6, 3]), line("identified", "identified", "identified")].filter(
          Boolean,
        ),
        bands: std ? [{label: "± 2σ expected", colour: "measured", ...bandAbout(null, std.values)}] : [],
      };
    },
  });
}
