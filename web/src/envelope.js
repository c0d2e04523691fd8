// SPDX-License-Identifier: BSD-3-Clause
// How a chart over time draws: lines through samples, or, of many samples, a column from lowest to highest for each block.
// Columns that begin and end on whole pixels cost a fraction of a polygon with as many slanted edges.
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

/** Paths of a curve for uPlot; block() is the number of samples behind each pair of points: pairs are drawn by drawBlocks. */
export function curvePaths(block) {
  return (u, i, first, last) => (block() === 1 ? {...linear(u, i, first, last), fill: null} : null);
}

/** A curve of blocks, as wide as its line. */
export function drawBlocks(u, i, colour, width) {
  clipped(u, colour, () => columns(u, u.data[i], u.data[i], (width / 2) * devicePixelRatio));
}

/** Area between two borders, in the given colour. */
export function drawBand(u, low, high, colour, isBlocks) {
  if (u.data[0].length < 2) return;
  clipped(u, colour, () => {
    if (isBlocks) columns(u, u.data[low], u.data[high], 0);
    else u.ctx.fill(between(u, u.data[low], u.data[high]));
  });
}

function clipped(u, colour, draw) {
  u.ctx.save();
  u.ctx.beginPath();
  u.ctx.rect(u.bbox.left, u.bbox.top, u.bbox.width, u.bbox.height);
  u.ctx.clip();
  u.ctx.fillStyle = colour;
  draw();
  u.ctx.restore();
}

/** One column for each pair of points, the first the lower and the second the upper value; it reaches its neighbour. */
function columns(u, low, high, half) {
  const at = pixels(u);
  const x = u.data[0];
  let from = Math.round(at.x(x[0]));
  for (let k = 0; k + 1 < x.length; k += 2) {
    const hasNext = k + 3 < x.length;
    const to = Math.round(at.x(hasNext ? x[k + 2] : 2 * x[k + 1] - x[k]));
    let least = low[k],
      most = high[k + 1];
    if (least !== null && most !== null) {
      if (hasNext && low[k + 2] !== null && high[k + 3] !== null) {
        least = Math.min(least, high[k + 3]);
        most = Math.max(most, low[k + 2]);
      }
      const top = at.y(most) - half;
      u.ctx.fillRect(from, top, Math.max(1, to - from), at.y(least) + half - top);
    }
    from = to;
  }
}

/** Polygon between low and high, through every sample. */
function between(u, low, high) {
  const at = pixels(u);
  const out = new Path2D();
  const x = u.data[0];
  let start = -1;
  const close = (end) => {
    for (let k = end; k >= start; --k) out.lineTo(at.x(x[k]), at.y(low[k]));
    out.closePath();
    start = -1;
  };
  for (let k = 0; k < x.length; ++k) {
    if (low[k] === null || high[k] === null) {
      if (start >= 0) close(k - 1);
    } else if (start < 0) {
      start = k;
      out.moveTo(at.x(x[k]), at.y(high[k]));
    } else {
      out.lineTo(at.x(x[k]), at.y(high[k]));
    }
  }
  if (start >= 0) close(x.length - 1);
  return out;
}
