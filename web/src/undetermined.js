// SPDX-License-Identifier: BSD-3-Clause
// Directions that the data do not determine, and the base parameters that they do.
import {el, missing, table} from "./dom.js";
import {deviation, number, numberCell, plural} from "./format.js";

const MOST = 40;

export const undetermined = {
  id: "undetermined",
  title: "Identifiability",
  caption:
    "Directions in parameter space without effect on the measurements. Some are identifiable with another motion. " +
    "Structural ones are identifiable with no motion of this robot: any value predicts its motions equally well.",
  draw({result}) {
    const one = result.document.identifiability;
    if (!one) return missing("This result holds no identifiability analysis.");
    const list = one.undetermined ?? [];
    const here = list.filter((item) => item.kind !== "structural"),
      never = list.filter((item) => item.kind === "structural");
    return [
      ranks(one),
      here.length ? el("h3", {}, `Not determined by this data: ${plural(here.length, "direction")}`) : null,
      here.length
        ? items(here)
        : el("p", {}, "The data determine every direction that a motion of this robot can excite."),
      never.length ? el("h3", {}, `Not identifiable with any motion: ${plural(never.length, "direction")}`) : null,
      never.length ? items(never) : null,
      baseParameters(one.base_parameters ?? []),
    ];
  },
};

function ranks(one) {
  const words = [
    ["rank", "determined better by data and prior than by the prior alone"],
    ["structural_rank", "identifiable with some motion of this robot"],
    ["log_rank", "of the identifiable ones, determined better by the data alone than by the prior"],
    ["numerical_rank", "of the identifiable ones, with an effect on the data above round-off"],
  ];
  const rows = words.filter(([key]) => typeof one[key] === "number").map(([key, text]) => [text, numberCell(one[key])]);
  return rows.length ? table("Number of base parameters", ["base parameters", "number"], rows) : null;
}

function items(list) {
  const line = (item) =>
    el(
      "li",
      {},
      el("span", {}, item.text),
      item.motion ? el("div", {class: "remedy"}, /^(no|too) /i.test(item.motion) ? "" : "To determine it: ", item.motion) : null,
    );
  const first = el("ul", {class: "undetermined"}, list.slice(0, MOST).map(line));
  if (list.length <= MOST) return first;
  return [
    first,
    el(
      "details",
      {},
      el("summary", {}, `${list.length - MOST} more`),
      el("ul", {class: "undetermined"}, list.slice(MOST).map(line)),
    ),
  ];
}

function baseParameters(list) {
  if (!list.length) return null;
  return el(
    "details",
    {},
    el("summary", {}, `Determined by the data: ${plural(list.length, "base parameter")}`),
    table(
      "Base parameters: sums of parameters that the data determine",
      ["base parameter", "value", "σ", "σ without the prior"],
      list.map((one) => [
        one.text,
        numberCell(one.value, number(one.value)),
        numberCell(one.std, deviation(one.std)),
        numberCell(one.data_std, deviation(one.data_std)),
      ]),
    ),
  );
}
