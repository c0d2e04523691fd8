// SPDX-License-Identifier: BSD-3-Clause
// Are the residuals what the stated noise says: size, shape and whiteness, for each sensor.
import {el, missing, table} from "./dom.js";
import {number, numberCell} from "./format.js";
import {perName} from "./joints.js";
import {xyChart} from "./plot.js";

const MOST_ROWS = 30;

export const residuals = {
  id: "residuals",
  title: "Residuals",
  caption:
    "What each sensor measured minus what the estimate says, divided by the stated noise. If noise and model are right, the " +
    "root mean square is 1, the histogram follows the bell curve and neighbours do not resemble each other (white). Above 1: noise stated too " +
    "small or an effect the model lacks. Not white: the model lacks something, and error bars are too small.",
  draw({result, signal: ended}) {
    const list = result.document.residuals;
    if (!list) return missing("This result holds no statistics of residuals.");
    if (!list.length) return missing("No sensor was used.");
    const byName = new Map(list.map((one) => [`${one.sensor}: ${one.channel}`, one]));
    const parts = perName({
      label: "sensor",
      names: [...byName.keys()],
      most: 1,
      shared: false,
      signal: ended,
      draw: (name, signal) => charts(name, byName.get(name), signal),
    });
    parts.at(-1).classList.add("grid");
    return [sensorTable(list), channelTable(list), parts];
  },
};

/** Normalised innovations squared: mean 1; 95 % of white residuals within 1 ± 2 √(2/n). */
function sensorTable(list) {
  const sensors = [...new Set(list.map((one) => one.sensor))];
  return table(
    "Normalised innovation check",
    ["sensor", "samples", "mean square", "expected, 95 %", "answer"],
    sensors.map((sensor) => {
      const own = list.filter((one) => one.sensor === sensor && one.samples > 0 && typeof one.rms === "number");
      const samples = own.reduce((sum, one) => sum + one.samples, 0);
      const square = own.reduce((sum, one) => sum + one.samples * one.rms ** 2, 0) / samples;
      const half = 2 * Math.sqrt(2 / samples);
      const answer = !(samples > 0)
        ? "no samples"
        : square > 1 + half
          ? "▲ larger than stated"
          : square < 1 - half
            ? "▼ smaller than stated"
            : "● as stated";
      return [
        sensor,
        numberCell(samples, String(samples)),
        numberCell(square),
        `${number(Math.max(0, 1 - half))} to ${number(1 + half)}`,
        answer,
      ];
    }),
  );
}

function channelTable(list) {
  const out = table(
    "Each channel, in units of the stated noise",
    ["sensor", "channel", "unit", "samples", "mean", "rms", "white"],
    list.map((one) => [
      one.sensor,
      one.channel,
      one.unit ?? "",
      numberCell(one.samples, String(one.samples ?? "—")),
      numberCell(one.mean, number(one.mean, 3)),
      numberCell(one.rms, number(one.rms, 3)),
      one.white === true ? "● yes" : one.white === false ? "▲ no" : "—",
    ]),
  );
  if (list.length > MOST_ROWS) out.classList.add("tall");
  return out;
}

function charts(name, one, signal) {
  const out = [];
  if (one.histogram?.counts?.length) {
    const {edges, counts, below = 0, above = 0} = one.histogram;
    const centres = counts.map((_, i) => (edges[i] + edges[i + 1]) / 2);
    const total = counts.reduce((sum, count) => sum + count, below + above);
    const bell = centres.map(
      (x, i) => (total * (edges[i + 1] - edges[i]) * Math.exp((-x * x) / 2)) / Math.sqrt(2 * Math.PI),
    );
    out.push(
      xyChart({
        title: `${name}: histogram`,
        x: centres,
        xLabel: "residual / σ",
        yLabel: "samples",
        signal,
        describe: `${below} below and ${above} above the drawn range.`,
        curves: [
          {
            label: below + above ? `samples (${below + above} beyond the range)` : "samples",
            values: counts,
            colour: "identified",
            bars: true,
          },
          {label: "expected", values: bell, colour: "nominal", dash: [6, 3]},
        ],
      }),
    );
  }
  if (one.autocorrelation?.length) {
    const bound = 2 / Math.sqrt(one.samples);
    const most = Math.max(1.5 * bound, ...one.autocorrelation.map(Math.abs));
    out.push(
      xyChart({
        title: `${name}: autocorrelation`,
        x: one.autocorrelation.map((_, i) => i + 1),
        xLabel: "lag, samples",
        yLabel: "correlation",
        signal,
        xSpan: [0, one.autocorrelation.length + 1],
        ySpan: [-most, most],
        describe: one.white ? "White." : "Not white.",
        curves: [{label: "correlation", values: one.autocorrelation, colour: "identified", bars: true}],
        lines: [
          {y: bound, colour: "nominal"},
          {y: -bound, colour: "nominal"},
          {y: 0, dash: []},
        ],
      }),
    );
  }
  return out.length ? out : [el("p", {class: "missing"}, "No histogram is stored for this channel.")];
}
