// SPDX-License-Identifier: BSD-3-Clause
// Gaps, clipping and time delays of the logs.
import {el, missing, svg, table} from "./dom.js";
import {number, numberCell, percent, plural} from "./format.js";

export const logQuality = {
  id: "log-quality",
  title: "Quality of the logs",
  caption:
    "Gaps split a log into segments. Clipped channels stand at their extreme value: these samples carry little information. A time delay " +
    "between groups of channels biases friction and inertia.",
  draw({result}) {
    const list = result.document.log_quality,
      logs = result.document.logs ?? [];
    if (!list && !logs.length) return missing("This result holds no facts about its logs.");
    return [
      logs.length
        ? table(
            "Logs",
            ["file", "samples", "dropped", "segments", "warnings"],
            logs.map((one) => [
              one.file,
              numberCell(one.samples, String(one.samples)),
              numberCell(one.dropped, String(one.dropped ?? "—")),
              numberCell(one.segments, String(one.segments ?? "—")),
              (one.warnings ?? []).join("; ") || "none",
            ]),
          )
        : null,
      list ? list.map(card) : missing("This result holds no gaps, clipping and time delays."),
    ];
  },
};

const OWN = ["file", "groups", "gaps", "clipped", "delays", "duration", "first", "last"];

function card(one) {
  const plain = Object.entries(one).filter(
    ([key, value]) => !OWN.includes(key) && (typeof value !== "object" || value === null),
  );
  const gaps = one.gaps ?? [];
  const clipped = Object.entries(one.clipped ?? {}).filter(([, share]) => share > 0);
  const delays = Object.entries(one.delays ?? {});
  const groups = Object.entries(one.groups ?? {});
  return el(
    "div",
    {class: "card"},
    el("h3", {}, one.file),
    el(
      "p",
      {class: "note"},
      plain
        .map(
          ([key, value]) =>
            `${key.replaceAll("_", " ")} ${typeof value === "number" ? number(value, 6) : (value ?? "not known")}`,
        )
        .join("; "),
    ),
    one.gaps
      ? el(
          "p",
          {},
          gaps.length
            ? `▲ ${plural(gaps.length, "gap")}: ${gaps
                .slice(0, 10)
                .map((gap) => `${number(gap.from, 6)} s to ${number(gap.to, 6)} s`)
                .join(", ")}${gaps.length > 10 ? " …" : ""}`
            : "● No gaps.",
        )
      : null,
    gaps.length ? strip(gaps, one) : null,
    one.clipped
      ? clipped.length
        ? table(
            "Clipped channels",
            ["channel", "share of samples"],
            clipped.map(([name, share]) => [name, numberCell(share, percent(share))]),
          )
        : el("p", {}, "● No channel is clipped.")
      : null,
    groups.length
      ? table("Groups of channels", ["group", "channels", "samples", "rate, 1/s", "longest gap, s", "at, s"], groups.map(groupRow))
      : null,
    delays.length
      ? table(
          "Time delays",
          ["group", "delay, s"],
          delays.map(([name, value]) => [name, numberCell(value, value === null ? "not known" : number(value))]),
        )
      : null,
  );
}

function groupRow([name, group]) {
  const keys = ["channels", "samples", "rate", "longest_gap", "longest_gap_at"];
  return [name, ...keys.map((key) => numberCell(group[key] ?? null, number(group[key], 6)))];
}

/** Gaps along the log, to scale. */
function strip(gaps, one) {
  const first = one.first ?? Math.min(0, gaps[0].from);
  const last =
    one.last ?? Math.max(gaps.at(-1).to, first + (one.samples > 0 && one.rate > 0 ? one.samples / one.rate : 0));
  const x = (t) => (1000 * (t - first)) / Math.max(1e-9, last - first);
  return svg(
    "svg",
    {
      class: "strip",
      viewBox: "0 0 1000 12",
      preserveAspectRatio: "none",
      role: "img",
      "aria-label": "gaps along the log",
    },
    svg("rect", {class: "has", x: 0, y: 0, width: 1000, height: 12}),
    gaps.map((gap) =>
      svg("rect", {class: "gap", x: x(gap.from), y: 0, width: Math.max(1.5, x(gap.to) - x(gap.from)), height: 12}),
    ),
  );
}
