// SPDX-License-Identifier: BSD-3-Clause
// What the data could not see, in words, and what they saw as sums of parameters.
import {el, missing, table} from "./dom.js";
import {deviation, number, numberCell, plural} from "./format.js";

const MOST = 40;

export const unseen = {
  id: "unseen",
  title: "What the data could not see",
  caption:
    "Changes of parameters that leave no trace in the efforts. Some another motion would show; some no motion of this " +
    "robot can show, and it does not matter for motions of this robot that they are unknown.",
  draw({result}) {
    const one = result.document.identifiability;
    if (!one) return missing("This result holds no study of identifiability.");
    const list = one.unseen ?? [];
    const here = list.filter((item) => item.kind !== "structural"),
      never = list.filter((item) => item.kind === "structural");
    return [
      ranks(one),
      here.length ? el("h3", {}, `Not in this data: ${plural(here.length, "direction")}`) : null,
      here.length
        ? items(here)
        : el("p", {}, "Nothing that a motion of this robot can show is missing from this data."),
      never.length ? el("h3", {}, `No motion shows: ${plural(never.length, "direction")}`) : null,
      never.length ? items(never) : null,
      combinations(one.combinations ?? []),
    ];
  },
};

function ranks(one) {
  const words = [
    ["rank", "combinations that data and prior know better than the prior alone"],
    ["structural_rank", "that some motion of this robot shows"],
    ["log_rank", "of them, known better from this data alone than from the prior"],
    ["numerical_rank", "that left any trace above round-off"],
  ];
  const rows = words.filter(([key]) => typeof one[key] === "number").map(([key, text]) => [text, numberCell(one[key])]);
  return rows.length ? table("Combinations of parameters", ["combinations", "number"], rows) : null;
}

function items(list) {
  const line = (item) =>
    el(
      "li",
      {},
      el("span", {}, item.text),
      item.motion ? el("div", {class: "remedy"}, item.motion.startsWith("no ") ? "" : "To see it: ", item.motion) : null,
    );
  const first = el("ul", {class: "unseen"}, list.slice(0, MOST).map(line));
  if (list.length <= MOST) return first;
  return [
    first,
    el(
      "details",
      {},
      el("summary", {}, `${list.length - MOST} more`),
      el("ul", {class: "unseen"}, list.slice(MOST).map(line)),
    ),
  ];
}

function combinations(list) {
  if (!list.length) return null;
  return el(
    "details",
    {},
    el("summary", {}, `What the data saw: ${plural(list.length, "combination")} of parameters`),
    table(
      "Sums of parameters that the data know",
      ["combination", "value", "σ", "σ without the prior"],
      list.map((one) => [
        one.text,
        numberCell(one.value, number(one.value)),
        numberCell(one.std, deviation(one.std)),
        numberCell(one.data_std, deviation(one.data_std)),
      ]),
    ),
  );
}
