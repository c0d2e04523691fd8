// SPDX-License-Identifier: BSD-3-Clause
// A chart of y over x that is no time: friction curves, histograms, cost per iteration.
import uPlot from "uplot";
import {swatch} from "./chart.js";
import {colour, faint} from "./colours.js";
import {el} from "./dom.js";
import {number} from "./format.js";
import {whenVisible} from "./lazy.js";
import {on} from "./state.js";

const INVISIBLE = {show: false};

/**
 * x: numbers; curves: [{label, values, colour, dash, bars, edge: "low" | "high", fixed}], low directly before high makes a band;
 * cloud: {x, y, label, colour} of loose points; lines: [{x | y, colour}]; xSpan, ySpan: ends of the axes;
 * yPowers: values are powers of ten; describe: text for screen readers.
 * prepare(): promise of more of the same, awaited when the chart comes into view.
 */
export function xyChart(options) {
  const {title, height = 200, describe = "", signal} = options;
  const plot = el("div", {class: "plot", role: "img", "aria-label": `${title}. ${describe}`});
  plot.style.minHeight = `${height}px`;
  const legend = el("div", {class: "legend"});
  const figure = el("figure", {class: "chart"}, el("div", {class: "chart-title"}, el("span", {}, title), legend), plot);
  whenVisible(plot, async () => {
    const all = {...options, ...((await options.prepare?.()) ?? {})};
    if (figure.isConnected && !signal?.aborted) drawPlot(all, plot, legend, height);
  });
  return figure;
}

function drawPlot({x, curves, cloud, lines = [], yPowers, xSpan, ySpan, xLabel, yLabel, signal}, plot, legend, height) {
  const axis = {
    stroke: () => colour("soft"),
    grid: {stroke: () => colour("grid"), width: 1},
    ticks: {stroke: () => colour("grid"), width: 1, size: 4},
    font: "11px system-ui, sans-serif",
    labelFont: "11px system-ui, sans-serif",
    labelSize: 16,
    labelGap: 0,
  };
  const limits = cloud ? {x: extent(x, cloud.x), y: extent(...curves.map((one) => one.values), cloud.y)} : null;
  const bars = uPlot.paths.bars({size: [0.92, 100], align: 0});
  const u = new uPlot(
    {
      width: plot.clientWidth || 400,
      height,
      legend: INVISIBLE,
      padding: [6, 10, 0, 0],
      cursor: {x: true, y: true, points: INVISIBLE, drag: {x: false, y: false}},
      scales: {
        x: {time: false, range: xSpan ? () => xSpan : limits ? () => padded(limits.x) : undefined},
        y: {
          range: ySpan
            ? () => padded(ySpan)
            : limits
              ? () => padded(limits.y)
              : (_, low, high) => padded([low ?? 0, high ?? 1]),
        },
      },
      axes: [
        {...axis, size: 24, label: xLabel, values: (_, ticks) => ticks.map((t) => number(t, 6))},
        {
          ...axis,
          size: 56,
          label: yLabel,
          incrs: yPowers ? [1, 2, 5, 10, 20, 50, 100] : undefined,
          values: (_, ticks) => ticks.map((t) => (yPowers ? power(t) : number(t, 3))),
        },
      ],
      series: [
        {},
        ...curves.map((curve) =>
          curve.edge
            ? {points: INVISIBLE, width: 0, stroke: "transparent"}
            : {
                points: curve.points
                  ? {show: true, size: 5, fill: () => colour(curve.colour), stroke: () => colour(curve.colour)}
                  : INVISIBLE,
                width: curve.bars ? 0 : 1.5,
                dash: curve.dash,
                stroke: () => colour(curve.colour),
                fill: curve.bars ? () => faint(curve.colour, 0.55) : undefined,
                paths: curve.bars ? bars : undefined,
              },
        ),
      ],
      bands: curves.flatMap((curve, i) =>
        curve.edge === "low" ? [{series: [i + 2, i + 1], fill: () => faint(curve.colour)}] : [],
      ),
      hooks: {drawAxes: [(one) => cloud && drawCloud(one, cloud)], draw: [(one) => drawLines(one, lines)]},
    },
    [x, ...curves.map((one) => one.values)],
    plot,
  );
  for (const curve of curves) {
    if (curve.edge !== "high")
      legend.append(el("span", {class: "key"}, swatch(curve, curve.edge ? "band" : "line"), curve.label));
  }
  if (cloud) legend.append(el("span", {class: "key"}, swatch(cloud, "dots"), cloud.label));
  on("theme", () => u.redraw(false), signal);
  const size = new ResizeObserver(() => {
    if (plot.clientWidth > 0 && plot.clientWidth !== u.width) u.setSize({width: plot.clientWidth, height});
  });
  size.observe(plot);
  signal?.addEventListener(
    "abort",
    () => {
      size.disconnect();
      u.destroy();
    },
    {once: true},
  );
}

function drawCloud(u, cloud) {
  const context = u.ctx;
  context.save();
  context.fillStyle = faint(cloud.colour, 0.35);
  const size = 2 * devicePixelRatio;
  for (let i = 0; i < cloud.x.length; ++i) {
    const left = u.valToPos(cloud.x[i], "x", true),
      top = u.valToPos(cloud.y[i], "y", true);
    if (
      left >= u.bbox.left &&
      left <= u.bbox.left + u.bbox.width &&
      top >= u.bbox.top &&
      top <= u.bbox.top + u.bbox.height
    ) {
      context.fillRect(left - size / 2, top - size / 2, size, size);
    }
  }
  context.restore();
}

/** Straight lines across: at an x, or at a y, or through {x, y} pairs. */
function drawLines(u, lines) {
  const context = u.ctx;
  context.save();
  context.beginPath();
  context.rect(u.bbox.left, u.bbox.top, u.bbox.width, u.bbox.height);
  context.clip();
  context.lineWidth = devicePixelRatio;
  for (const line of lines) {
    context.strokeStyle = colour(line.colour ?? "soft");
    context.setLineDash((line.dash ?? [4, 3]).map((d) => d * devicePixelRatio));
    context.beginPath();
    const [from, to] = line.from
      ? [line.from, line.to]
      : "y" in line
        ? [
            [u.scales.x.min, line.y],
            [u.scales.x.max, line.y],
          ]
        : [
            [line.x, u.scales.y.min],
            [line.x, u.scales.y.max],
          ];
    context.moveTo(u.valToPos(from[0], "x", true), u.valToPos(from[1], "y", true));
    context.lineTo(u.valToPos(to[0], "x", true), u.valToPos(to[1], "y", true));
    context.stroke();
  }
  context.restore();
}

/** 10 to the t, in small raised digits. */
function power(t) {
  return `10${[...String(t)].map((letter) => (letter === "-" ? "⁻" : "⁰¹²³⁴⁵⁶⁷⁸⁹"[Number(letter)])).join("")}`;
}

function extent(...lists) {
  let low = Infinity,
    high = -Infinity;
  for (const list of lists) {
    for (const value of list) {
      if (value === null) continue;
      if (value < low) low = value;
      if (value > high) high = value;
    }
  }
  return low <= high ? [low, high] : [0, 1];
}

function padded([low, high]) {
  const room = 0.04 * (high - low) || Math.abs(high) * 0.1 || 1;
  return [low - room, high + room];
}
