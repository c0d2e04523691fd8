// SPDX-License-Identifier: BSD-3-Clause
// Correlation of every pair of parameters as a map, and the strongest pairs as a table.
import {colour} from "./colours.js";
import {el, missing, table} from "./dom.js";
import {number, numberCell} from "./format.js";
import {say} from "./keys.js";
import {whenVisible} from "./lazy.js";
import {on} from "./state.js";

export const correlations = {
  id: "correlations",
  title: "Correlations",
  caption:
    "Of two parameters with a correlation near ± 1 (strong colour off the diagonal) the data determine one combination, not each " +
    "value. Point at a cell, or use the arrow keys, to read it.",
  draw({result, signal}) {
    const covariance = result.document.covariance;
    const worst = result.document.identifiability?.correlations ?? [];
    return [
      covariance?.matrix?.length ? map(covariance, signal) : missing("This result holds no covariance matrix."),
      worst.length
        ? table(
            "Strongest pairs, of estimation coordinates",
            ["parameter", "with", "correlation", "without the prior"],
            worst.map((pair) => [
              pair.a,
              pair.b,
              numberCell(pair.value),
              numberCell(pair.data_value, pair.data_value === null ? "not determined" : number(pair.data_value)),
            ]),
          )
        : result.document.identifiability
          ? el("p", {}, "No pair is correlated beyond ± 0.9.")
          : null,
    ];
  },
};

function map({names, matrix}, signal) {
  const n = names.length;
  const values = correlation(matrix);
  const canvas = el("canvas", {
    class: "heat",
    width: n,
    height: n,
    tabindex: "0",
    role: "img",
    "aria-label": `Correlations of ${n} parameters; arrow keys read the cells`,
  });
  const readout = el("p", {class: "readout"}, "Point at a cell.");
  const mark = el("div", {class: "heat-mark", hidden: true});
  const frame = el("div", {class: "heat-frame"}, canvas, mark);
  let row = 0,
    column = 0;
  const choose = (r, c) => {
    [row, column] = [Math.min(n - 1, Math.max(0, r)), Math.min(n - 1, Math.max(0, c))];
    const value = values[row * n + column];
    readout.textContent = `${names[row]}  ×  ${names[column]}:  ${number(value, 4)}`;
    mark.hidden = false;
    mark.style.left = `${(100 * column) / n}%`;
    mark.style.top = `${(100 * row) / n}%`;
    mark.style.width = mark.style.height = `${100 / n}%`;
  };
  canvas.addEventListener("mousemove", (event) => {
    const box = canvas.getBoundingClientRect();
    choose(
      Math.floor((n * (event.clientY - box.top)) / box.height),
      Math.floor((n * (event.clientX - box.left)) / box.width),
    );
  });
  canvas.addEventListener("keydown", (event) => {
    const step = {ArrowLeft: [0, -1], ArrowRight: [0, 1], ArrowUp: [-1, 0], ArrowDown: [1, 0]}[event.key];
    if (!step) return;
    event.preventDefault();
    choose(row + step[0], column + step[1]);
    say(readout.textContent);
  });
  whenVisible(canvas, () => paint(canvas, values, n));
  on("theme", () => paint(canvas, values, n), signal);
  return el(
    "figure",
    {class: "heat-figure"},
    frame,
    el(
      "div",
      {class: "scale", "aria-hidden": "true"},
      el("span", {}, "−1"),
      el("span", {class: "ramp"}),
      el("span", {}, "+1"),
    ),
    readout,
  );
}

function correlation(matrix) {
  const n = matrix.length;
  const out = new Float32Array(n * n);
  for (let i = 0; i < n; ++i) {
    for (let j = 0; j < n; ++j) {
      const value = matrix[i][j] / Math.sqrt(matrix[i][i] * matrix[j][j]);
      out[i * n + j] = matrix[i][j] === null ? NaN : value;
    }
  }
  return out;
}

/** Blue below zero, orange above; grey where there is no number. */
function paint(canvas, values, n) {
  const rgb = (name) => [1, 3, 5].map((i) => parseInt(colour(name).slice(i, i + 2), 16));
  const [zero, minus, plus, none] = [rgb("heat-zero"), rgb("heat-minus"), rgb("heat-plus"), rgb("heat-none")];
  const image = new ImageData(n, n);
  for (let i = 0; i < n * n; ++i) {
    const value = values[i];
    const end = value < 0 ? minus : plus;
    const weight = Math.min(1, Math.abs(value));
    for (let k = 0; k < 3; ++k)
      image.data[4 * i + k] = Number.isNaN(value) ? none[k] : zero[k] + weight * (end[k] - zero[k]);
    image.data[4 * i + 3] = 255;
  }
  canvas.getContext("2d").putImageData(image, 0, 0);
}
