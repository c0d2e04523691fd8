// SPDX-License-Identifier: BSD-3-Clause
// What an exciting motion promises, and how near it comes to the limits of the robot.
import {el, missing, table} from "./dom.js";
import {number, numberCell} from "./format.js";
import {sortableTable} from "./rows.js";

const WORDS = {
  log_det_gain: "information gained over the prior, nats",
  parameters: "parameters",
  identifiable: "combinations that some motion shows",
  per_parameter: "factor of precision for each of them",
  data_log_det: "information of the data alone, nats",
  criterion: "criterion",
  gain_per_parameter: "gain for each parameter over the median of random motions",
  data_gain_per_parameter: "the same of the data alone",
};

export const excitation = {
  id: "excitation",
  title: "Motion and its limits",
  caption:
    "What a log of this motion would tell beyond the prior, and where the motion comes nearest to each limit. A margin below zero is a " +
    "limit passed; “of the share” is what is left of the part of the limit that the motion was allowed to use.",
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
            caption: "Nearest to each limit",
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
                ["margin_of_share", "margin of the share"],
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
            ["start", "status", "iterations", "criterion", "least margin"],
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
