// SPDX-License-Identifier: BSD-3-Clause
// How a chart over time draws: lines through samples, or, of many samples, the filled shape between lowest and highest.
// One polygon costs a tenth of the thousands of strokes up and down that it replaces.
import uPlot from "uplot";

const linear = uPlot.paths.linear();

/** Pixel positions on the canvas of values of a scale. */
function pixels(u) {
  const {left, top, width, height} = u.bbox;
  const {x, y} = u.scales;
  const perX = width / (x.max - x.min),
    perY = height / (y.max - y.min);
  return {x: (value) => left + (value - x.min) * perX, y: (value) => top + (y.max - value) * perY};
}

/** Paths of a curve for uPlot; block() is the number of samples behind each pair of points. */
export function curvePaths(block, width) {
  return (u, i, first, last) => {
    if (block() === 1) return {...linear(u, i, first, last), fill: null};
    const half = (width / 2) * devicePixelRatio;
    return {stroke: null, fill: between(u, u.data[i], u.data[i], first, last, 2, half), flags: 0};
  };
}

/** Area between two borders, in the given colour. */
export function drawBand(u, low, high, colour, isBlocks) {
  if (u.data[0].length < 2) return;
  u.ctx.save();
  u.ctx.beginPath();
  u.ctx.rect(u.bbox.left, u.bbox.top, u.bbox.width, u.bbox.height);
  u.ctx.clip();
  u.ctx.fillStyle = colour;
  u.ctx.fill(between(u, u.data[low], u.data[high], 0, u.data[0].length - 1, isBlocks ? 2 : 1, 0));
  u.ctx.restore();
}

/** Polygon between low and high; of pairs (step 2) the first is the lower and the second the upper value. */
function between(u, low, high, first, last, step, half) {
  const at = pixels(u);
  const out = new Path2D();
  const x = u.data[0],
    other = step - 1;
  let start = -1;
  const close = (end) => {
    for (let k = end; k >= start; k -= step) out.lineTo(at.x(x[k]), at.y(low[k]) + half);
    out.closePath();
    start = -1;
  };
  const from = first - (first % step);
  let k = from;
  for (; k + other <= last; k += step) {
    if (low[k] === null || high[k + other] === null) {
      if (start >= 0) close(k - step);
      continue;
    }
    const top = at.y(high[k + other]) - half;
    if (start < 0) {
      start = k;
      out.moveTo(at.x(x[k]), top);
    } else {
      out.lineTo(at.x(x[k]), top);
    }
  }
  if (start >= 0) close(k - step);
  return out;
}
