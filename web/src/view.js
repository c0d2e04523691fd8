// SPDX-License-Identifier: BSD-3-Clause
// The points that a chart draws of curves within a span of time: every sample, or lowest and highest of each block.
import {blockFor} from "./pyramid.js";

/**
 * curves: [{pyramid, edge}]; edge "low" or "high" takes that side only (borders of a band).
 * Returns {data: [x, y, y, …], block}: y null where samples are missing.
 */
export function viewOf(times, curves, span, columns) {
  const first = Math.max(0, times.before(span[0]) - 1);
  const last = Math.min(times.samples, times.before(span[1]) + 2);
  const block = blockFor(last - first, columns);
  if (block === 1) return {block, data: allSamples(times, curves, first, last)};

  const from = Math.floor(first / block),
    to = Math.ceil(last / block);
  const x = new Array(2 * (to - from));
  for (let b = from, i = 0; b < to; ++b) {
    x[i++] = times.at(b * block);
    x[i++] = times.at(Math.min(times.samples - 1, b * block + (block >> 1)));
  }
  const data = [x];
  for (const {pyramid, edge} of curves) {
    const {low, high} = pyramid.blocks(block, from, to);
    const a = edge === "high" ? high : low,
      b = edge === "low" ? low : high;
    const y = new Array(x.length);
    for (let i = 0, k = 0; i < to - from; ++i) {
      y[k++] = Number.isNaN(a[i]) ? null : a[i];
      y[k++] = Number.isNaN(b[i]) ? null : b[i];
    }
    data.push(y);
  }
  return {block, data};
}

function allSamples(times, curves, first, last) {
  const data = [new Array(last - first)];
  for (let i = first; i < last; ++i) data[0][i - first] = times.at(i);
  for (const {pyramid} of curves) {
    const y = new Array(last - first);
    for (let i = first; i < last; ++i) {
      const value = pyramid.values[i];
      y[i - first] = Number.isNaN(value) ? null : value;
    }
    data.push(y);
  }
  return data;
}
