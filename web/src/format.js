// SPDX-License-Identifier: BSD-3-Clause
// Numbers as text. What is shown is rounded; the exact number of the JSON stands in data-value and in the tooltip.
import {el} from "./dom.js";

const MINUS = "−";

/** Four significant digits by default; "—" for what is not a number. */
export function number(x, digits = 4) {
  if (typeof x !== "number" || !Number.isFinite(x)) return "—";
  const size = Math.abs(x);
  const rounded = Number(x.toPrecision(digits));
  const text =
    size !== 0 && (size < 1e-4 || size >= 1e7) ? rounded.toExponential().replace("e+", "e") : String(rounded);
  return text.replaceAll("-", MINUS);
}

/** A standard deviation: null in the JSON is infinite. */
export function deviation(x, digits = 3) {
  return x === null || x === Infinity ? "∞" : number(x, digits);
}

export function percent(share, digits = 3) {
  if (typeof share !== "number" || !Number.isFinite(share)) return "—";
  if (share > 0 && share < 0.0005) return "< 0.1 %";
  if (share < 1 && share > 0.9995) return "> 99.9 %";
  return `${number(100 * share, digits)} %`;
}

export function bytes(n) {
  if (typeof n !== "number") return "—";
  if (n < 1e3) return `${n} B`;
  return n < 1e6 ? `${number(n / 1e3, 3)} kB` : `${number(n / 1e6, 3)} MB`;
}

export function plural(n, one, many = `${one}s`) {
  return `${n} ${n === 1 ? one : many}`;
}

/** A cell with a number, sortable and checkable by its exact value. */
export function numberCell(x, text = number(x), note = null) {
  const exact = typeof x === "number" ? String(x) : x === null ? "null" : "";
  return el(
    "td",
    {class: "number", "data-value": exact, title: note ?? (exact === "null" ? "not known (null in the JSON)" : exact)},
    text,
  );
}

const LAST = {com: "m", mass: "kg", inertia: "kg·m²", frame_inertia: "kg·m²", first_moment: "kg·m", armature: "kg·m²"};
const FRICTION = {
  coulomb: ["N·m", "N"],
  stiction: ["N·m", "N"],
  viscous: ["N·m·s/rad", "N·s/m"],
  coulomb_slope: ["s/rad", "s/m"],
  stribeck1: ["s/rad", "s/m"],
  stribeck2: ["s/rad", "s/m"],
};

/** Unit of a physical value by its family; "" where the name does not determine it. */
export function unitOf(name, value, joints) {
  if (value && typeof value.unit === "string") return value.unit;
  const family = name.split(".")[0];
  const last = name.slice(name.lastIndexOf(".") + 1);
  if (family === "friction" && FRICTION[last]) {
    const joint = name.slice("friction.".length, -last.length - 1);
    const slides = joints?.find((one) => one.name === joint)?.type === "prismatic";
    return FRICTION[last][slides ? 1 : 0];
  }
  if (family === "armature") {
    const joint = name.slice("armature.".length);
    return joints?.find((one) => one.name === joint)?.type === "prismatic" ? "kg" : "kg·m²";
  }
  return LAST[family] ?? "";
}
