// SPDX-License-Identifier: BSD-3-Clause
// Two or more results, methods or models side by side.
import {cycle} from "./colours.js";
import {el, missing, table} from "./dom.js";
import {deviation, number, numberCell, percent} from "./format.js";
import {perName} from "./joints.js";
import {xyChart} from "./plot.js";
import {sortableTable} from "./rows.js";
import {derived, readPrediction} from "./verdict.js";

export const comparison = {
  id: "comparison",
  title: "Comparison",
  caption:
    "Compare predictions first. Parameters that differ by more than their error bars are inconsistent, unless the data do not " +
    "determine them.",
  draw({page, signal}) {
    const parts = [
      groups(page.comparison),
      methods(page.comparison),
      page.results.length > 1 ? results(page.results, signal) : null,
    ].filter(Boolean);
    return parts.length ? parts : missing("There is nothing to compare: fewer than two results.");
  },
};

/** Models with and without a group of parameters, by their evidence. */
function groups(one) {
  if (!one?.groups?.length) return null;
  return table(
    "Log evidence ratio, with over without the group: above 3 the logs support it, below −3 they do not",
    ["group", "log ratio", "result", "parameters with", "without", "status with", "without"],
    one.groups.map((group) => [
      group.group,
      numberCell(group.difference),
      group.verdict ?? "",
      numberCell(group.with?.parameters),
      numberCell(group.without?.parameters),
      group.with?.status ?? "",
      group.without?.status ?? "",
    ]),
  );
}

const rms = (effort) =>
  effort?.rmse?.length
    ? effort.rmse.map((error, i) => (effort.range?.[i] > 0 ? error / effort.range[i] : null)).filter((x) => x !== null)
    : [];
const mean = (list) => (list.length ? list.reduce((sum, x) => sum + x, 0) / list.length : null);

function methods(one) {
  const list = Object.entries(one?.methods ?? {});
  if (!list.length) return null;
  const errors = [...new Set(list.flatMap(([, method]) => Object.keys(method.error ?? {})))];
  const joints = one.joints ?? [];
  const perJoint = (key, title) =>
    list.some(([, method]) => method[key]?.rmse)
      ? table(
          title,
          ["method", ...joints],
          list.map(([name, method]) => [name, ...joints.map((_, i) => numberCell(method[key]?.rmse?.[i] ?? null))]),
        )
      : null;
  return [
    table(
      "Methods on the same logs",
      [
        "method",
        "iterations",
        "effort error / range, mean of joints",
        "the same on held-out logs",
        "physically impossible inertias",
        ...errors.map((key) => `error of ${key}`),
      ],
      list.map(([name, method]) => [
        name,
        numberCell(method.iterations),
        numberCell(mean(rms(method.effort)), percent(mean(rms(method.effort)))),
        numberCell(mean(rms(method.held_out)), percent(mean(rms(method.held_out)))),
        numberCell(method.impossible_bodies),
        ...errors.map((key) => numberCell(method.error?.[key] ?? null, percent(method.error?.[key]))),
      ]),
    ),
    perJoint("effort", "Root mean square error of efforts, N·m or N"),
    perJoint("held_out", "The same on held-out logs"),
  ];
}

function results(list, signal) {
  const heads = list.map((one) => one.name);
  return [
    verdicts(list),
    predictions(list, heads),
    el("h3", {}, "Parameters"),
    parameterTable(list, heads),
    frictionCurves(list, signal),
  ];
}

function verdicts(list) {
  const text = (one, topic) => {
    const items = (one.document.verdict ?? derived(one.document)).filter((item) => item.topic === topic);
    return items.map((item) =>
      el(
        "div",
        {class: `inline ${item.severity}`},
        el("span", {"aria-hidden": "true"}, {error: "■ ", warning: "▲ ", ok: "● "}[item.severity] ?? "○ "),
        item.text,
      ),
    );
  };
  const cells = (topic) => list.map((one) => el("td", {class: "words"}, text(one, topic)));
  return table(
    "Summary",
    ["", ...list.map((one) => one.name)],
    [
      ["status", ...list.map((one) => one.document.status ?? "—")],
      ["iterations", ...list.map((one) => numberCell(one.document.iterations ?? null))],
      [
        "log evidence",
        ...list.map((one) => numberCell(one.document.evidence?.log ?? null, number(one.document.evidence?.log, 6))),
      ],
      ["convergence", ...cells("convergence")],
      ["prediction", ...cells("prediction")],
      ["identifiability", ...cells("undetermined")],
      ["diagnostics", ...cells("diagnostics")],
    ],
  );
}

function predictions(list, heads) {
  const byJoint = list.map((one) => new Map(readPrediction(one.document).map((row) => [row.joint, row])));
  const joints = [...new Set(byJoint.flatMap((rows) => [...rows.keys()]))];
  if (!joints.length) return null;
  return table(
    "Root mean square error of efforts: nominal of the first, then identified of each",
    ["joint", "nominal", ...heads],
    joints.map((joint) => [
      joint,
      numberCell(byJoint[0].get(joint)?.nominal ?? null),
      ...byJoint.map((rows) => numberCell(rows.get(joint)?.identified ?? null)),
    ]),
  );
}

function parameterTable(list, heads) {
  const values = list.map((one) => one.document.physical ?? {});
  const names = [...new Set(values.flatMap((one) => Object.keys(one)))];
  if (!names.length) return null;
  const difference = (name) => {
    const [a, b] = values.filter((one) => one[name]).map((one) => one[name]);
    if (!a || !b) return null;
    const size = Math.hypot(a.std ?? Infinity, b.std ?? Infinity);
    return size > 0 ? Math.abs(a.value - b.value) / size : null;
  };
  return sortableTable({
    id: "comparison-table",
    caption: "Estimate ± standard deviation of each; the last column is the difference of the first two in error bars",
    rows: names,
    text: (name) => name,
    columns: [
      {title: "name", key: (name) => name, cell: (name) => el("th", {scope: "row"}, name)},
      ...heads.map((head, i) => ({
        title: head,
        key: (name) => values[i][name]?.value ?? null,
        cell: (name) => {
          const one = values[i][name];
          return numberCell(one?.value ?? null, one ? `${number(one.value)} ± ${deviation(one.std)}` : "—");
        },
      })),
      {title: "difference / σ", key: difference, cell: (name) => numberCell(difference(name), number(difference(name), 2))},
    ],
  });
}

function frictionCurves(list, signal) {
  const drives = [...new Set(list.flatMap((one) => (one.document.friction_curves ?? []).map((curve) => curve.drive)))];
  if (!drives.length) return null;
  const parts = perName({
    label: "drive",
    names: drives,
    signal,
    draw: (drive, inner) => {
      const found = list.map((one) => (one.document.friction_curves ?? []).find((curve) => curve.drive === drive));
      const x = found.find(Boolean).speed;
      const curves = found.flatMap((curve, i) =>
        curve
          ? [
              {
                label: list[i].name,
                colour: cycle(i),
                dash: i ? [6, 2 + i] : null,
                values: x.map((speed) => interpolate(curve, speed)),
              },
            ]
          : [],
      );
      return [xyChart({title: `${drive}: friction`, x, curves, xLabel: "speed", signal: inner})];
    },
  });
  parts.at(-1).classList.add("grid");
  return [el("h3", {}, "Friction"), parts];
}

function interpolate({speed, value}, at) {
  const i = speed.findIndex((x) => x >= at);
  if (i < 0 || at < speed[0]) return null;
  if (i === 0) return value[0];
  const share = (at - speed[i - 1]) / (speed[i] - speed[i - 1]);
  return value[i - 1] + share * (value[i] - value[i - 1]);
}
