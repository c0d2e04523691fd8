// SPDX-License-Identifier: BSD-3-Clause
// Each link as an ellipsoid of uniform density, prior and estimate, in three views.
import {el, missing, svg} from "./dom.js";
import {outline, shapeOf} from "./ellipsoid.js";
import {number, percent} from "./format.js";
import {perName} from "./joints.js";

const VIEWS = [
  ["x", "y", 0, 1],
  ["x", "z", 0, 2],
  ["y", "z", 1, 2],
];
const SIZE = 150;

export const inertias = {
  id: "inertias",
  title: "Inertia of each link",
  caption:
    "The solid ellipsoid of uniform density with the same mass, centre of mass and inertia as the link, in the axes of the link: " +
    "prior dashed, estimate filled; the cross is the origin of the link, dots are centres of mass. An ellipsoid much larger than the " +
    "link, or outside it, means that the data do not determine these values.",
  draw({result, signal}) {
    const list = result.document.inertias;
    if (!list) return missing("This result holds no inertias of links to draw.");
    if (!list.length) return missing("No inertia was estimated.");
    const byName = new Map(list.map((one) => [one.link, one]));
    const parts = perName({
      label: "link",
      names: [...byName.keys()],
      shared: false,
      most: 12,
      signal,
      draw: (name) => [card(byName.get(name))],
    });
    parts.at(-1).classList.add("grid");
    return parts;
  },
};

function card({link, prior, value}) {
  const before = shapeOf(prior),
    after = shapeOf(value);
  const mass = value?.mass,
    was = prior?.mass;
  const list = (one, scale = 1) => one?.map((x) => number(scale * x, 3)).join(", ") ?? "—";
  return el(
    "div",
    {class: "card"},
    el("h3", {}, link),
    el(
      "p",
      {class: "note"},
      `mass ${number(was)} → ${number(mass)} kg${was > 0 && mass > 0 ? ` (${mass >= was ? "+" : "−"}${percent(Math.abs(mass / was - 1))})` : ""}; ` +
        `centre of mass ${list(prior?.com)} → ${list(value?.com)} m; half axes ${list(before?.axes)} → ${list(after?.axes)} m`,
    ),
    after && !after.isPossible ? el("p", {class: "bound"}, "Physically impossible inertia (triangle inequality).") : null,
    before || after
      ? el(
          "div",
          {class: "views"},
          VIEWS.map((view) => drawing(view, before, after, link)),
        )
      : missing("Mass or inertia is not known."),
  );
}

function drawing([across, up, i, j], before, after, link) {
  const both = [before, after].filter(Boolean);
  const extent = Math.max(
    1e-9,
    ...both.flatMap((one) => [
      Math.abs(one.com[i]) + Math.sqrt(Math.max(0, one.S[i][i])),
      Math.abs(one.com[j]) + Math.sqrt(Math.max(0, one.S[j][j])),
    ]),
  );
  const scale = (0.46 * SIZE) / extent;
  const at = (one) => [SIZE / 2 + scale * one.com[i], SIZE / 2 - scale * one.com[j]];
  const ellipse = (one, kind) => {
    const {r1, r2, angle} = outline(one, i, j);
    const [x, y] = at(one);
    return [
      svg("ellipse", {
        class: kind,
        cx: 0,
        cy: 0,
        rx: scale * r1,
        ry: scale * r2,
        transform: `translate(${x} ${y}) rotate(${(-angle * 180) / Math.PI})`,
      }),
      svg("circle", {class: kind, cx: x, cy: y, r: 2}),
    ];
  };
  return svg(
    "svg",
    {
      viewBox: `0 0 ${SIZE} ${SIZE}`,
      class: "ellipses",
      role: "img",
      "aria-label": `${link}: ${across} and ${up}, half width ${number(extent, 2)} m`,
    },
    svg("path", {class: "cross", d: `M${SIZE / 2} 4V${SIZE - 4}M4 ${SIZE / 2}H${SIZE - 4}`}),
    before ? ellipse(before, "prior") : null,
    after ? ellipse(after, "posterior") : null,
    svg("text", {x: SIZE - 10, y: SIZE / 2 - 4}, across),
    svg("text", {x: SIZE / 2 + 4, y: 12}, up),
    svg("text", {x: 4, y: SIZE - 5, class: "small"}, `± ${number(extent, 2)} m`),
  );
}
