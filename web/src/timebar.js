// SPDX-License-Identifier: BSD-3-Clause
// The bar at the foot of the page: play, time, trajectory, zoom. One cursor for charts and robot.
import {button, el, picker} from "./dom.js";
import {number} from "./format.js";
import {get, on, set} from "./state.js";

const SPEEDS = [0.1, 0.25, 0.5, 1, 2, 5];

/** Null when the result holds no curves over time. */
export function timeBar(result, signal) {
  const {series} = result;
  if (!series) return null;
  let times = null,
    speed = 1,
    last = null;
  const slider = el("input", {
    type: "range",
    id: "time-slider",
    min: 0,
    max: 1,
    step: "any",
    "aria-label": "time",
    oninput: () => set("time", Number(slider.value)),
  });
  const clock = el("output", {class: "clock"}, "");
  const play = button("▶ play", "play or pause the motion (k)", () => set("playing", !get("playing")), {
    id: "play",
    "aria-pressed": "false",
  });

  const load = async (t) => {
    times = await series.times(t);
    slider.min = times.first;
    slider.max = times.last;
    set("span", null);
    set("time", times.first);
    show(times.first);
  };
  const show = (t) => {
    slider.value = t;
    clock.textContent = `${number(t, 6)} s`;
    slider.setAttribute("aria-valuetext", clock.textContent);
  };
  const step = (now) => {
    if (!get("playing") || signal?.aborted) return;
    const next = get("time") + (last === null ? 0 : (speed * (now - last)) / 1000);
    last = now;
    set("time", next > times.last ? times.first : Math.max(times.first, next));
    requestAnimationFrame(step);
  };
  const zoom = (factor) => {
    const [low, high] = get("span") ?? [times.first, times.last];
    const middle = Math.min(high, Math.max(low, get("time")));
    const span = [middle - (middle - low) * factor, middle + (high - middle) * factor];
    set("span", span[0] <= times.first && span[1] >= times.last ? null : span);
  };
  const pan = (share) => {
    const [low, high] = get("span") ?? [times.first, times.last];
    set("span", [low + share * (high - low), high + share * (high - low)]);
  };

  on("time", show, signal);
  on("trajectory", load, signal);
  on(
    "playing",
    (isPlaying) => {
      play.textContent = isPlaying ? "❚❚ pause" : "▶ play";
      play.setAttribute("aria-pressed", String(isPlaying));
      last = null;
      if (isPlaying) requestAnimationFrame(step);
    },
    signal,
  );
  load(get("trajectory"));
  const list = series.trajectories;
  return el(
    "div",
    {id: "timebar", role: "toolbar", "aria-label": "time"},
    play,
    slider,
    clock,
    picker(
      "speed",
      SPEEDS.map((x) => [x, `× ${x}`]),
      1,
      (x) => (speed = Number(x)),
    ),
    list.length > 1
      ? picker(
          "log",
          list.map((one, i) => [i, `${one.log ?? i}${one.segment ? `, segment ${one.segment + 1}` : ""}`]),
          get("trajectory"),
          (i) => set("trajectory", Number(i)),
        )
      : null,
    el(
      "span",
      {class: "buttons"},
      button("◀", "earlier", () => pan(-0.25)),
      button("▶", "later", () => pan(0.25)),
      button("+", "zoom in", () => zoom(0.5), {id: "zoom-in"}),
      button("−", "zoom out", () => zoom(2), {id: "zoom-out"}),
      button("all", "show all time", () => set("span", null), {id: "zoom-all"}),
    ),
  );
}
