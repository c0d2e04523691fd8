// SPDX-License-Identifier: BSD-3-Clause
// Predicted information of an exciting motion, and its margins to the limits of the robot.
import {el, missing, table} from "./dom.js";
import {number, numberCell} from "./format.js";
import {sortableTable} from "./rows.js";

const WORDS = {
  log_det_gain: "information gained over the prior, nats",
  parameters: "parameters",
  identifiable: "identifiable base parameters",
  per_parameter: "gain in precision for each of them, factor",
  data_log_det: "information without the prior, nats",
  criterion: "criterion",
  gain_per_parameter: "gain for each base parameter over the median of random motions, factor",
  data_gain_per_parameter: "the same without the prior, factor",
};

export const excitation = {
  id: "excitation",
  title: "Information and limits",
  caption:
    "Predicted information of a log of this motion beyond the prior, and the smallest margin to each limit. A margin below zero " +
    "is a violated limit. The margin to the allowed limit counts only the share of the limit that the motion may use.",
  draw({result}) {
    const one = result.document;
    if (!one.information && !one.margins && !one.attempts)
      return missing("This result holds nothing on an exciting motion.");
    return [
      one.found === false ? el("p", {class: "bound"}, "■ No motion within the limits was found.") : null,
      el(
        "p",
        {},
        [
          one.duration && `${number(one.duration)} s`,
          one.harmonics && `${one.harmonics} harmonics`,
          one.rate && `${number(one.rate)} samples a second`,
          one.seed !== undefined && `seed ${one.seed}`,
        ]
          .filter(Boolean)
          .join(", "),
        ".",
      ),
      one.information
        ? table(
            "Information",
            ["", ""],
            Object.entries(one.information)
              .filter(([, value]) => typeof value === "number")
              .map(([key, value]) => [WORDS[key] ?? key.replaceAll("_", " "), numberCell(value)]),
          )
        : null,
      one.margins?.length
        ? sortableTable({
            id: "margin-table",
            caption: "Smallest margin to each limit",
            rows: one.margins,
            text: (row) => `${row.limit} ${row.of}`,
            columns: [
              {title: "of", key: (row) => row.of, cell: (row) => el("th", {scope: "row"}, row.of)},
              {title: "limit", key: (row) => row.limit, cell: (row) => el("td", {}, row.limit)},
              {title: "unit", key: (row) => row.unit, cell: (row) => el("td", {}, row.unit ?? "")},
              ...[
                ["value", "value"],
                ["time", "at, s"],
                ["lower", "lower"],
                ["upper", "upper"],
                ["margin", "margin"],
                ["margin_to_allowed", "margin to the allowed limit"],
              ].map(([key, title]) => ({
                title,
                key: (row) => row[key] ?? null,
                cell: (row) => numberCell(row[key] ?? null),
              })),
            ],
          })
        : null,
      one.attempts?.length
        ? table(
            "Starts",
            ["start", "status", "iterations", "criterion", "smallest margin"],
            one.attempts.map((row, i) => [
              `${i}${i === one.best ? " (kept)" : ""}`,
              row.status ?? "",
              numberCell(row.iterations),
              numberCell(row.criterion),
              numberCell(row.margin),
            ]),
          )
        : null,
    ];
  },
};
