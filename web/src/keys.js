// SPDX-License-Identifier: BSD-3-Clause
// The keyboard: on a chart, and on the whole page.
import {zoomAbout} from "./chart.js";
import {number} from "./format.js";
import {get, set} from "./state.js";

export const KEYS = [
  ["Tab", "go to the next chart, table or button"],
  ["← →", "on a chart: move the visible span of time by a tenth"],
  ["Shift ← →", "on a chart: move the time cursor"],
  ["+ −", "on a chart: zoom about the cursor"],
  ["0", "on a chart: show all"],
  ["Space or k", "play or pause (k anywhere, Space on a chart or the 3D view)"],
  ["[ ]", "previous, next joint"],
  ["t", "light or dark"],
  ["p", "print, with every chart drawn"],
  ["?", "this help"],
  ["Esc", "close the help"],
  ["arrows, + −, 0", "on the 3D view: turn, zoom, reset"],
  ["arrows", "on the correlation map: next cell"],
  ["mouse", "drag zooms, Shift and drag moves, Ctrl and wheel zooms, double click shows all"],
];

/** Keys of a chart that has the focus. */
export function onChartKey(event, chart) {
  if (event.ctrlKey || event.metaKey || event.altKey) return;
  const [low, high] = chart.span();
  const width = high - low;
  const step = event.key === "ArrowLeft" ? -1 : event.key === "ArrowRight" ? 1 : 0;
  const middle = Math.min(high, Math.max(low, get("time")));
  if (step !== 0 && event.shiftKey) moveCursor(chart, step);
  else if (step !== 0) set("span", [low + 0.1 * step * width, high + 0.1 * step * width]);
  else if (event.key === "+" || event.key === "=") zoomAbout(chart, middle, 0.7);
  else if (event.key === "-" || event.key === "_") zoomAbout(chart, middle, 1 / 0.7);
  else if (event.key === "0") set("span", null);
  else if (event.key === "Home") set("time", chart.times.first);
  else if (event.key === "End") set("time", chart.times.last);
  else if (event.key === " ") set("playing", !get("playing"));
  else return;
  event.preventDefault();
  event.stopPropagation();
}

function moveCursor(chart, step) {
  const [low, high] = chart.span();
  const times = chart.times;
  const samples = Math.max(1, Math.round((times.before(high) - times.before(low)) / 200));
  const i = Math.min(times.samples - 1, Math.max(0, times.nearest(get("time")) + step * samples));
  set("time", times.at(i));
  say(
    `${number(times.at(i), 6)} seconds: ${chart.readouts.map(({curve}) => `${curve.label} ${number(curve.values[i])}`).join(", ")}`,
  );
}

/** For screen readers. */
export function say(text) {
  const live = document.getElementById("live");
  if (live) live.textContent = text;
}

/** Keys of the page: actions by key; those typed into a field are left alone. */
export function listenToKeys(actions) {
  document.addEventListener("keydown", (event) => {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    if (event.target.closest?.("input, select, textarea")) return;
    const action = actions[event.key];
    if (!action) return;
    event.preventDefault();
    action();
  });
}
