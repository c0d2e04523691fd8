// SPDX-License-Identifier: BSD-3-Clause
// Smallest and largest value of each block of 4, 8, 16 … samples: a curve of any length in a few thousand points.

const BASE = 4;

export class Pyramid {
  constructor(values) {
    this.values = values;
    this.levels = null; // made when first needed
  }

  /** Blocks of `block` samples from block number first to last (not included): [low, high] each, NaN when all are missing. */
  blocks(block, first, last) {
    this.levels ??= makeLevels(this.values);
    const {low, high} = this.levels[Math.log2(block / BASE)];
    return {low: low.subarray(first, last), high: high.subarray(first, last)};
  }
}

function makeLevels(values) {
  const levels = [firstLevel(values)];
  while (levels.at(-1).low.length > 1) levels.push(nextLevel(levels.at(-1)));
  return levels;
}

function firstLevel(values) {
  const count = Math.max(1, Math.ceil(values.length / BASE));
  const low = new Float32Array(count),
    high = new Float32Array(count);
  for (let b = 0; b < count; ++b) {
    let least = Infinity,
      most = -Infinity;
    for (let i = BASE * b, end = Math.min(values.length, i + BASE); i < end; ++i) {
      const x = values[i];
      if (x < least) least = x; // false for NaN
      if (x > most) most = x;
    }
    low[b] = least === Infinity ? NaN : least;
    high[b] = most === -Infinity ? NaN : most;
  }
  return {low, high};
}

function nextLevel(below) {
  const count = Math.ceil(below.low.length / 2);
  const low = new Float32Array(count),
    high = new Float32Array(count);
  for (let b = 0; b < count; ++b) {
    const i = 2 * b,
      j = Math.min(i + 1, below.low.length - 1);
    low[b] = below.low[j] < below.low[i] || Number.isNaN(below.low[i]) ? below.low[j] : below.low[i];
    high[b] = below.high[j] > below.high[i] || Number.isNaN(below.high[i]) ? below.high[j] : below.high[i];
  }
  return {low, high};
}

/** Size of block for samples drawn on so many columns: at most one block for each; 1 means every sample is drawn. */
export function blockFor(visible, columns) {
  if (visible <= 4 * columns) return 1;
  let block = BASE;
  while (visible / block > columns) block *= 2;
  return block;
}
