// SPDX-License-Identifier: BSD-3-Clause
// Names of joints and of trajectories, and the row of controls that picks one of them for a section.
import {button, el, picker} from "./dom.js";
import {forget} from "./lazy.js";
import {get, on, set} from "./state.js";

const MOST_AT_ONCE = 8;

/** Joints of a result: of its model, else of what it predicted, else of its curves. */
export function jointNames(result) {
  const {document: one, series} = result;
  const listed = one.model?.joints?.map((joint) => joint.name);
  if (listed?.length) return listed;
  if (Array.isArray(one.joints)) return one.joints;
  if (one.prediction) return Object.keys(one.prediction);
  const names = series ? series.names(0).filter((name) => name.startsWith("tau.")) : [];
  return [...new Set(names.map((name) => name.slice(4).replace(/\.(measured|nominal|identified|std)$/, "")))];
}

/**
 * A part that is drawn again for each choice. draw(name, signal) gives the nodes of one of the names;
 * few names are shown all at once, many one at a time.
 */
export function perName({label, names, draw, signal: outer = null, shared = true, most = MOST_AT_ONCE}) {
  const body = el("div", {});
  const ALL = "\u0000all";
  let pick = names.length <= most ? ALL : shared && names.includes(get("joint")) ? get("joint") : names[0];
  let controller = null;
  const show = () => {
    controller?.abort();
    controller = new AbortController();
    forget(body);
    const chosen = pick === ALL ? names : [pick];
    body.replaceChildren(...chosen.flatMap((name) => draw(name, controller.signal)));
  };
  const options = [
    ...(names.length <= 3 * most && names.length > 1 ? [[ALL, `all ${names.length}`]] : []),
    ...names.map((name) => [name, name]),
  ];
  const choose = (name) => {
    if (name === pick) return;
    pick = name;
    control.querySelector("select").value = name;
    show();
  };
  const step = (by) => choose(names[(Math.max(0, names.indexOf(pick)) + by + names.length) % names.length]);
  const byHand = (name) => {
    choose(name);
    if (shared && name !== ALL) set("joint", name);
  };
  const control = el(
    "div",
    {class: "controls"},
    picker(label, options, pick, byHand),
    button("◀", `previous ${label}`, () => step(-1)),
    button("▶", `next ${label}`, () => step(1)),
  );
  if (shared) on("joint", (name) => names.includes(name) && choose(name), outer);
  outer?.addEventListener("abort", () => controller?.abort(), {once: true});
  show();
  return names.length > 1 ? [control, body] : [body];
}

/** Draws again when another trajectory is picked: for parts without names. */
export function perTrajectory(draw, outer = null) {
  const body = el("div", {});
  let controller = null;
  const show = () => {
    controller?.abort();
    controller = new AbortController();
    forget(body);
    body.replaceChildren(...[draw(get("trajectory"), controller.signal)].flat());
  };
  on("trajectory", show, outer);
  outer?.addEventListener("abort", () => controller?.abort(), {once: true});
  show();
  return body;
}
