// SPDX-License-Identifier: BSD-3-Clause
// A chart over time: uPlot draws, the span of time and the cursor are shared by all charts of the page.
import uPlot from "uplot";
import {colour, faint} from "./colours.js";
import {el} from "./dom.js";
import {curvePaths, drawBand, drawBlocks} from "./envelope.js";
import {number} from "./format.js";
import {whenVisible} from "./lazy.js";
import {onChartKey} from "./keys.js";
import {Pyramid} from "./pyramid.js";
import {get, on, set} from "./state.js";
import {viewOf} from "./view.js";

const INVISIBLE = {show: false};
const AXIS = 58; // pixels of the vertical axis
export const charts = new Set(); // those drawn, for tests and for printing

/**
 * load(): promise of {times, lines: [{label, values | channel, colour, dash, width}], bands: [{label, low, high, colour}]}
 * or null when there is nothing to draw.
 */
export function timeChart({title, unit, height = 180, load, empty = "no such curve in this result", signal}) {
  const plot = el("div", {
    class: "plot",
    tabindex: "0",
    role: "group",
    "aria-roledescription": "chart over time",
    "aria-label": `${title}${unit ? `, ${unit}` : ""}; arrow keys move, plus and minus zoom, 0 shows all`,
  });
  plot.style.minHeight = `${height}px`;
  const legend = el("div", {class: "legend"});
  const figure = el(
    "figure",
    {class: "chart"},
    el("div", {class: "chart-title"}, el("span", {}, title), unit ? el("span", {class: "unit"}, unit) : null, legend),
    plot,
  );
  whenVisible(plot, async () => {
    const content = await load();
    if (!figure.isConnected || signal?.aborted) return;
    if (!content) plot.replaceChildren(empty);
    else new TimeChart({title, height, plot, legend, content, signal});
  });
  return figure;
}

class TimeChart {
  constructor({title, height, plot, legend, content, signal}) {
    Object.assign(this, {title, height, plot, times: content.times});
    this.curves = curvesOf(content);
    this.frames = []; // milliseconds of the last redraws
    this.isVisible = true;
    this.isStale = false;
    this.#makeLegend(legend);
    this.#makePlot();
    charts.add(this);
    plot.chart = this;
    this.#listen(signal);
  }

  /** Shown span, the whole trajectory when nothing is chosen. */
  span() {
    const whole = [this.times.first, Math.max(this.times.last, this.times.first + 1e-9)];
    const chosen = get("span");
    return chosen && chosen[0] < whole[1] && chosen[1] > whole[0] ? chosen : whole;
  }

  draw() {
    if (!this.isVisible) {
      this.isStale = true;
      return;
    }
    const start = performance.now();
    const span = this.span();
    const shown = viewOf(this.times, this.curves, span, Math.max(100, (this.plot.clientWidth || 660) - AXIS));
    this.block = shown.block;
    // Dashes of a line that turns in each pixel are invisible and slow.
    const isDense = shown.data[0].length > 2 * this.plot.clientWidth;
    this.curves.forEach((curve, i) => (this.u.series[i + 1].dash = isDense ? undefined : curve.dash));
    this.u.batch(() => {
      this.u.setData(shown.data, false);
      this.u.setScale("x", {min: span[0], max: span[1]});
    });
    this.placeCursor(get("time"));
    this.frames.push(performance.now() - start);
    if (this.frames.length > 500) this.frames.shift();
  }

  placeCursor(t) {
    const [low, high] = this.span();
    this.cursor.hidden = t < low || t > high;
    if (!this.cursor.hidden) this.cursor.style.transform = `translateX(${this.u.valToPos(t, "x")}px)`;
    const i = this.times.nearest(t);
    for (const {value, curve} of this.readouts) value.textContent = number(curve.values[i]);
  }

  resize() {
    const width = this.plot.clientWidth;
    if (width > 0 && width !== this.u.width) {
      this.u.setSize({width, height: this.height});
      this.draw();
    }
  }

  #makeLegend(legend) {
    this.readouts = [];
    this.legend = legend;
    const lines = this.curves.filter((curve) => !curve.edge);
    for (const curve of this.curves.filter((one) => one.edge === "low")) {
      legend.append(el("span", {class: "key"}, swatch(curve, "band"), curve.label));
    }
    for (const curve of lines) {
      const value = el("span", {class: "value"}, "");
      const key = el(
        "button",
        {
          type: "button",
          class: "key",
          "aria-pressed": "true",
          title: "show or hide",
          onclick: () => this.#toggle(curve, key),
        },
        swatch(curve),
        curve.label,
        value,
      );
      legend.append(key);
      this.readouts.push({value, curve});
    }
  }

  #toggle(curve, key) {
    curve.hidden = !curve.hidden;
    key.setAttribute("aria-pressed", String(!curve.hidden));
    this.u.setSeries(this.curves.indexOf(curve) + 1, {show: !curve.hidden});
  }

  #makePlot() {
    const axis = {
      stroke: () => colour("soft"),
      grid: {stroke: () => colour("grid"), width: 1},
      ticks: {stroke: () => colour("grid"), width: 1, size: 4},
      font: "11px system-ui, sans-serif",
    };
    const options = {
      width: this.plot.clientWidth || 600,
      height: this.height,
      legend: INVISIBLE,
      padding: [6, 8, 0, 0],
      scales: {x: {time: false, auto: false}, y: {range: paddedRange}},
      axes: [
        {...axis, size: 26, values: (u, ticks) => ticks.map((t) => number(t, 8))},
        {...axis, size: AXIS, values: (u, ticks) => ticks.map((t) => number(t, 6))},
      ],
      cursor: {x: false, y: false, points: INVISIBLE, drag: {x: true, y: false, setScale: false}},
      series: [{}, ...this.curves.map((curve) => seriesOf(curve, () => this.block))],
      hooks: {setSelect: [(u) => this.#zoomToSelection(u)], drawAxes: [(u) => this.#drawBands(u)], drawSeries: [(u, i) => this.#drawBlocks(u, i)]},
    };
    this.plot.replaceChildren();
    this.u = new uPlot(options, [[0], ...this.curves.map(() => [0])], this.plot);
    this.cursor = el("div", {class: "time-cursor"});
    this.u.over.append(this.cursor);
    this.draw();
  }

  #drawBands(u) {
    this.curves.forEach((curve, i) => {
      if (curve.edge === "low") drawBand(u, i + 1, i + 2, faint(curve.colour), this.block > 1);
    });
  }

  #drawBlocks(u, i) {
    const curve = this.curves[i - 1];
    if (this.block > 1 && curve && !curve.edge && !curve.hidden) drawBlocks(u, i, colour(curve.colour), curve.width);
  }

  #zoomToSelection(u) {
    const {left, width} = u.select;
    if (width < 4 || this.panning) return;
    set("span", [u.posToVal(left, "x"), u.posToVal(left + width, "x")]);
    u.setSelect({left: 0, top: 0, width: 0, height: 0}, false);
  }

  #listen(signal) {
    const over = this.u.over;
    on("span", () => this.draw(), signal);
    on("time", (t) => this.isVisible && this.placeCursor(t), signal);
    on("theme", () => this.u.redraw(false), signal);
    const atPointer = (event) => this.u.posToVal(event.clientX - over.getBoundingClientRect().left, "x");
    over.addEventListener("mousemove", (event) => {
      if (event.buttons === 0 && !get("playing")) set("time", atPointer(event));
    });
    over.addEventListener("click", (event) => set("time", atPointer(event)));
    over.addEventListener("dblclick", () => set("span", null));
    over.addEventListener("mousedown", (event) => event.shiftKey && this.#pan(event), {capture: true});
    over.addEventListener(
      "wheel",
      (event) => {
        if (!event.ctrlKey && !event.shiftKey) return; // plain wheel scrolls the page
        event.preventDefault();
        zoomAbout(this, atPointer(event), (event.deltaY || event.deltaX) > 0 ? 1.25 : 0.8);
      },
      {passive: false},
    );
    this.plot.addEventListener("keydown", (event) => onChartKey(event, this));
    const visibility = new IntersectionObserver(
      ([entry]) => {
        this.isVisible = entry.isIntersecting;
        if (this.isVisible && this.isStale) {
          this.isStale = false;
          this.draw();
        }
      },
      {rootMargin: "100px 0px"},
    );
    visibility.observe(this.plot);
    const size = new ResizeObserver(() => this.resize());
    size.observe(this.plot);
    signal?.addEventListener(
      "abort",
      () => {
        visibility.disconnect();
        size.disconnect();
        charts.delete(this);
        this.u.destroy();
      },
      {once: true},
    );
  }

  /** Shift and drag: the span moves with the pointer. */
  #pan(event) {
    event.stopPropagation();
    event.preventDefault();
    const [low, high] = this.span();
    const perPixel = (high - low) / this.u.over.clientWidth;
    const start = event.clientX;
    const move = (now) =>
      set("span", [low - (now.clientX - start) * perPixel, high - (now.clientX - start) * perPixel]);
    const end = () => window.removeEventListener("mousemove", move);
    window.addEventListener("mousemove", move);
    window.addEventListener("mouseup", end, {once: true});
  }
}

/** New span about a time that stays where it is. */
export function zoomAbout(chart, t, factor) {
  const [low, high] = chart.span();
  const span = [t - (t - low) * factor, t + (high - t) * factor];
  const {first, last} = chart.times;
  set("span", span[0] <= first && span[1] >= last ? null : span);
}

function curvesOf({lines = [], bands = []}) {
  const complete = (one) => ({
    width: 1.25,
    ...one,
    values: one.values ?? one.channel.values,
    pyramid: one.channel?.pyramid ?? new Pyramid(one.values),
  });
  return [
    ...bands.flatMap((band) => [
      complete({label: band.label, values: band.low, edge: "low", colour: band.colour}),
      complete({label: band.label, values: band.high, edge: "high", colour: band.colour}),
    ]),
    ...lines.map(complete),
  ];
}

function seriesOf(curve, block) {
  if (curve.edge) return {points: INVISIBLE, paths: () => null};
  const ink = () => colour(curve.colour);
  return {
    points: INVISIBLE,
    width: curve.width,
    dash: curve.dash,
    stroke: ink,
    paths: curvePaths(block),
  };
}

/** Room above and below; a constant stays visible. */
function paddedRange(u, low, high) {
  if (low === null || low === undefined) return [-1, 1];
  const room = 0.05 * (high - low) || Math.abs(high) * 0.1 || 1;
  return [low - room, high + room];
}

export function swatch(curve, kind = "line") {
  const out = el("span", {class: `swatch ${kind}${curve.dash ? " dashed" : ""}`, "aria-hidden": "true"});
  out.style.setProperty("--swatch", `var(--${curve.colour})`);
  return out;
}
