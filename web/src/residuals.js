// SPDX-License-Identifier: BSD-3-Clause
// Residuals over the configured noise: size, distribution and whiteness, for each sensor.
import {el, missing, table} from "./dom.js";
import {number, numberCell} from "./format.js";
import {perName} from "./joints.js";
import {xyChart} from "./plot.js";

const MOST_ROWS = 30;

export const residuals = {
  id: "residuals",
  title: "Residuals",
  caption:
    "Measured minus estimated, over the standard deviation expected from the configured noise. If noise and model are right, the " +
    "root mean square is 1, the histogram is Gaussian and the residuals are white (not autocorrelated). Innovations are measured minus " +
    "predicted from all earlier samples, over their standard deviation. Above 1: the configured noise is too small, or an effect is not " +
    "modelled. Not white: an effect is not modelled; std allows for it, std_white does not.",
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
    const innovations = result.document.innovations;
    const noise = result.document.noise;
    return [noise ? noiseTable(noise) : null, innovations ? innovationTable(innovations) : residualTable(list), channelTable(list), parts].filter(Boolean);
  },
};

/** Standard deviations of the measurements as configured, and as the data have them. */
function noiseTable(noise) {
  return table(
    "Std of the noise",
    ["sensor", "configured", "found", "unit"],
    Object.entries(noise).map(([name, one]) => [
      name,
      one.configured === "auto" ? "auto" : numberCell(one.configured),
      numberCell(one.found),
      one.unit,
    ]),
  );
}

/** Innovations of each sensor over their expected standard deviation: mean square 1 within its 95 % interval, white. */
function innovationTable(list) {
  return table(
    "Normalised innovation check",
    ["sensor", "samples", "mean square", "expected, 95 %", "white", "noise"],
    list.map((one) => [
      one.sensor,
      numberCell(one.samples, String(one.samples)),
      numberCell(one.mean_square),
      `${number(one.range?.[0])} to ${number(one.range?.[1])}`,
      whiteText(one.white),
      noiseText(one.mean_square, one.range),
    ]),
  );
}

function noiseText(square, range) {
  if (typeof square !== "number" || !range) return "no samples";
  if (square > range[1]) return "▲ larger than configured";
  return square < range[0] ? "▼ smaller than configured" : "● as configured";
}

function whiteText(white) {
  return white === true ? "● yes" : white === false ? "▲ no" : "—";
}

/** Without innovations: mean square of residuals, 95 % of white ones within 1 ± 2 √(2/n). */
function residualTable(list) {
  const sensors = [...new Set(list.map((one) => one.sensor))];
  return table(
    "Size of the residuals",
    ["sensor", "samples", "mean square", "expected, 95 %", "noise"],
    sensors.map((sensor) => {
      const own = list.filter((one) => one.sensor === sensor && one.samples > 0 && typeof one.rms === "number");
      const samples = own.reduce((sum, one) => sum + one.samples, 0);
      const square = own.reduce((sum, one) => sum + one.samples * one.rms ** 2, 0) / samples;
      const half = 2 * Math.sqrt(2 / samples);
      const range = [Math.max(0, 1 - half), 1 + half];
      return [
        sensor,
        numberCell(samples, String(samples)),
        numberCell(square),
        `${number(range[0])} to ${number(range[1])}`,
        samples > 0 ? noiseText(square, range) : "no samples",
      ];
    }),
  );
}

function channelTable(list) {
  const out = table(
    "Each channel, in units of the expected standard deviation",
    ["sensor", "channel", "unit", "samples", "mean", "rms", "white", "innovations²", "white innovations"],
    list.map((one) => [
      one.sensor,
      one.channel,
      one.unit ?? "",
      numberCell(one.samples, String(one.samples ?? "—")),
      numberCell(one.mean, number(one.mean, 3)),
      numberCell(one.rms, number(one.rms, 3)),
      whiteText(one.white),
      numberCell(one.innovations?.mean_square, number(one.innovations?.mean_square, 3)),
      whiteText(one.innovations?.white),
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
    const gaussian = centres.map(
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
          {label: "expected", values: gaussian, colour: "nominal", dash: [6, 3]},
        ],
      }),
    );
  }
  if (one.autocorrelation?.length) out.push(colourChart(`${name}: autocorrelation`, one, signal));
  if (one.innovations?.autocorrelation?.length)
    out.push(colourChart(`${name}: autocorrelation of innovations`, one.innovations, signal));
  return out.length ? out : [el("p", {class: "missing"}, "No histogram is stored for this channel.")];
}

/** Correlation with earlier samples, and its 95 % limits for white noise. */
function colourChart(title, {autocorrelation, samples, white}, signal) {
  const bound = 2 / Math.sqrt(samples);
  const most = Math.max(1.5 * bound, ...autocorrelation.map(Math.abs));
  return xyChart({
    title,
    x: autocorrelation.map((_, i) => i + 1),
    xLabel: "lag, samples",
    yLabel: "correlation",
    signal,
    xSpan: [0, autocorrelation.length + 1],
    ySpan: [-most, most],
    describe: white === true ? "White." : white === false ? "Not white." : "",
    curves: [{label: "correlation", values: autocorrelation, colour: "identified", bars: true}],
    lines: [
      {y: bound, colour: "nominal"},
      {y: -bound, colour: "nominal"},
      {y: 0, dash: []},
    ],
  });
}
