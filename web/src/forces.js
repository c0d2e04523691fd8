// SPDX-License-Identifier: BSD-3-Clause
// Forces of contacts and loops over time, and their friction cones.
import {timeChart} from "./chart.js";
import {cycle} from "./colours.js";
import {channels, plainLines} from "./curves.js";
import {el, missing, table} from "./dom.js";
import {number, numberCell, percent} from "./format.js";
import {perName, perTrajectory} from "./joints.js";
import {xyChart} from "./plot.js";

const ROWS = ["x", "y", "z", "rx", "ry", "rz"];
const MOST_DOTS = 4000;

export const forces = {
  id: "forces",
  title: "Contact and loop forces",
  caption:
    "Estimated forces of contacts and loops. A contact pushes and does not pull, and sticks only within its friction cone: " +
    "points outside the dashed lines mean that the contact slipped, was open, or that the model is wrong.",
  draw({result, signal: ended}) {
    const {series} = result;
    const cones = result.document.cones ?? [];
    const activeLimits = result.document.active_limits;
    return [
      cones.length
        ? table(
            "Friction cones",
            ["contact", "friction coefficient", "largest tangential / normal", "share outside"],
            cones.map((cone) => [
              cone.contact,
              numberCell(cone.friction, cone.friction === null ? "none given" : number(cone.friction)),
              numberCell(cone.worst),
              numberCell(cone.share_outside, percent(cone.share_outside)),
            ]),
          )
        : null,
      activeLimits && Object.keys(activeLimits).length
        ? table(
            "Active limits, share of samples",
            ["limit", "share"],
            Object.entries(activeLimits).map(([name, share]) => [name, numberCell(share, percent(share))]),
          )
        : null,
      series
        ? perTrajectory((t, outer) => {
            const names = constraintNames(series, t);
            if (!names.length) return missing("This robot has no contacts and no loops in this trajectory.");
            return perName({
              label: "contact or loop",
              names,
              most: 4,
              shared: false,
              signal: outer,
              draw: (name, signal) =>
                charts(
                  series,
                  t,
                  name,
                  cones.find((cone) => cone.contact === name),
                  signal,
                ),
            });
          }, ended)
        : missing("This result holds no curves over time (series.bin), so forces cannot be drawn."),
    ];
  },
};

export function constraintNames(series, t) {
  const names = series.names(t).filter((name) => name.startsWith("lambda."));
  return [...new Set(names.map((name) => name.slice(7, name.lastIndexOf("."))))];
}

function charts(series, t, name, cone, signal) {
  const rows = ROWS.filter((row) => series.has(t, `lambda.${name}.${row}`));
  const over = (list, title) =>
    list.length
      ? timeChart({
          title: `${name}: ${title}`,
          unit: series.unit(t, `lambda.${name}.${list[0]}`),
          height: 150,
          signal,
          load: plainLines(
            series,
            t,
            list.map((row, i) => [`lambda.${name}.${row}`, row, cycle(i)]),
          ),
        })
      : null;
  const isPush = ["x", "y", "z"].every((row) => rows.includes(row));
  return [
    over(
      rows.filter((row) => row.length === 1),
      "force",
    ),
    over(
      rows.filter((row) => row.length === 2),
      "moment",
    ),
    isPush && cone ? coneChart(series, t, name, cone, signal) : null,
  ].filter(Boolean);
}

/** Tangential over normal force of each sample, with the cone. */
function coneChart(series, t, name, cone, signal) {
  return xyChart({
    title: `${name}: friction cone`,
    height: 200,
    xLabel: "normal force, N",
    yLabel: "tangential force, N",
    signal,
    x: [0, 1],
    curves: [],
    describe: `Largest ratio ${number(cone.worst)}, coefficient ${number(cone.friction)}.`,
    async prepare() {
      const found = await channels(
        series,
        t,
        ["x", "y", "z"].map((row) => `lambda.${name}.${row}`),
      );
      const [fx, fy, fz] = ["x", "y", "z"].map((row) => found.get(`lambda.${name}.${row}`).values);
      const every = Math.max(1, Math.floor(fz.length / MOST_DOTS));
      const x = [],
        y = [];
      for (let i = 0; i < fz.length; i += every) {
        if (Number.isNaN(fz[i])) continue;
        x.push(fz[i]);
        y.push(Math.hypot(fx[i], fy[i]));
      }
      const largest = x.reduce((most, one) => Math.max(most, one), 1);
      return {
        x: [0, largest],
        curves:
          cone.friction === null
            ? [{label: "", values: [0, 0], colour: "grid"}]
            : [
                {
                  label: `cone, ${number(cone.friction)}`,
                  values: [0, cone.friction * largest],
                  colour: "nominal",
                  dash: [6, 3],
                },
              ],
        cloud: {x, y, label: "samples", colour: "identified"},
      };
    },
  });
}
