// SPDX-License-Identifier: BSD-3-Clause
// Curves of a chart from channels of the series.

/** Channels by name, those that exist, with the times: {times, get(name)}. */
export async function channels(series, t, names) {
  const [times, ...list] = await Promise.all([series.times(t), ...names.map((name) => series.channel(t, name))]);
  const found = new Map(names.map((name, i) => [name, list[i]]));
  return {times, get: (name) => found.get(name)};
}

/** centre ± factor · std; a missing std leaves no band. */
export function bandAbout(centre, std, factor = 2) {
  const n = std.length;
  const low = new Float32Array(n),
    high = new Float32Array(n);
  for (let i = 0; i < n; ++i) {
    const middle = centre ? centre[i] : 0;
    low[i] = middle - factor * std[i];
    high[i] = middle + factor * std[i];
  }
  return {low, high};
}

export function difference(a, b) {
  const out = new Float32Array(a.length);
  for (let i = 0; i < a.length; ++i) out[i] = a[i] - b[i];
  return out;
}

/** load() of a chart with plain lines: specs are [channel name, label, colour, dash]. */
export function plainLines(series, t, specs) {
  return async () => {
    const found = await channels(
      series,
      t,
      specs.map(([name]) => name),
    );
    const lines = specs
      .filter(([name]) => found.get(name))
      .map(([name, label, colour, dash]) => ({label, colour, dash, channel: found.get(name)}));
    return lines.length ? {times: found.times, lines} : null;
  };
}

/** load() of a chart with one line and its ±2σ band. */
export function lineWithBand(series, t, name, std, label, colour) {
  return async () => {
    const found = await channels(series, t, [name, std]);
    const line = found.get(name);
    if (!line) return null;
    const bands = found.get(std) ? [{label: "± 2σ", colour, ...bandAbout(line.values, found.get(std).values)}] : [];
    return {times: found.times, lines: [{label, colour, channel: line}], bands};
  };
}
