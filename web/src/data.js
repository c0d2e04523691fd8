// SPDX-License-Identifier: BSD-3-Clause
// The data inside the page: JSON as it is, curves decoded when they are drawn.
import {Pyramid} from "./pyramid.js";

const MISSING = 65535;
const MOST_VALUES = 6e7; // decoded values kept; older ones are decoded again

export function readPage() {
  const text = document.getElementById("bayesid-data")?.textContent;
  if (!text) return {error: "This page holds no data: it is the empty template."};
  try {
    const page = JSON.parse(text);
    page.results = (page.results ?? []).map((one) => ({...one, document: one.document ?? {}, series: makeSeries(one)}));
    return page;
  } catch (error) {
    return {error: `The data of this page cannot be read: ${error.message}`};
  }
}

function makeSeries(result) {
  const index = result.document?.series;
  const element = result.series ? document.getElementById(result.series) : null;
  return index?.trajectories?.length && element ? new Series(index, element.textContent.trim()) : null;
}

/** Bytes [first, first + count) of base64 text, without decoding the rest. */
function slice64(text, first, count) {
  const start = Math.floor(first / 3);
  const end = Math.ceil((first + count) / 3);
  const skip = first - 3 * start;
  const part = text.slice(4 * start, 4 * end);
  if (Uint8Array.fromBase64) return Uint8Array.fromBase64(part).subarray(skip, skip + count);
  const raw = atob(part);
  const out = new Uint8Array(count);
  for (let i = 0; i < count; ++i) out[i] = raw.charCodeAt(i + skip);
  return out;
}

async function inflate(bytes) {
  const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream("deflate"));
  return new Uint8Array(await new Response(stream).arrayBuffer());
}

/** 16 bit differences, low bytes then high bytes, to numbers; missing ones are NaN. */
export function decode16(raw, samples, minimum, maximum) {
  const out = new Float32Array(samples);
  const scale = (maximum - minimum) / 65534;
  let u = 0;
  for (let i = 0; i < samples; ++i) {
    u = (u + raw[i] + (raw[samples + i] << 8)) & 65535;
    const value = minimum + scale * u;
    out[i] = u === MISSING ? NaN : Math.abs(value) < 1e-6 * scale ? 0 : value; // zero, but for round-off
  }
  return out;
}

/** Times of a trajectory: evenly spaced, or a list that never goes back. */
export class Times {
  constructor(samples, first, step, list = null) {
    Object.assign(this, {samples, first, step, list});
    this.last = list ? list[samples - 1] : first + step * (samples - 1);
  }

  at(i) {
    return this.list ? this.list[i] : this.first + this.step * i;
  }

  /** Last sample at or before t, within the trajectory. */
  before(t) {
    if (!this.list) return Math.min(this.samples - 1, Math.max(0, Math.floor((t - this.first) / this.step + 1e-9)));
    let low = 0,
      high = this.samples;
    while (low < high) {
      const middle = (low + high) >> 1;
      if (this.list[middle] <= t) low = middle + 1;
      else high = middle;
    }
    return Math.max(0, low - 1);
  }

  nearest(t) {
    const i = this.before(t);
    return i + 1 < this.samples && this.at(i + 1) - t < t - this.at(i) ? i + 1 : i;
  }
}

export class Series {
  constructor(index, text) {
    this.trajectories = index.trajectories;
    this.clouds = index.clouds ?? [];
    this.text = text;
    this.cache = new Map(); // key → promise of {values, unit, pyramid}
    this.kept = 0;
    this.byName = this.trajectories.map((one) => new Map(one.channels.map((channel) => [channel.name, channel])));
  }

  has(t, name) {
    return this.byName[t]?.has(name) ?? false;
  }

  names(t) {
    return this.byName[t] ? [...this.byName[t].keys()] : [];
  }

  unit(t, name) {
    return this.byName[t]?.get(name)?.unit ?? "";
  }

  async times(t) {
    const {samples, time} = this.trajectories[t];
    if (time && "channel" in time) {
      const channel = await this.#values(this.trajectories[t].channels[time.channel], samples);
      return new Times(samples, channel[0], null, Float64Array.from(channel));
    }
    return new Times(samples, time?.first ?? 0, time?.step ?? 1);
  }

  /** Values and pyramid of a channel; null when there is none of this name. */
  channel(t, name) {
    const channel = this.byName[t]?.get(name);
    return channel ? this.#cached(channel, this.trajectories[t].samples) : Promise.resolve(null);
  }

  /** Every so many samples of a channel, not kept: for playing. Null when there is none of this name. */
  async thin(t, name, every) {
    const channel = this.byName[t]?.get(name);
    if (!channel) return null;
    const values = await this.#values(channel, this.trajectories[t].samples);
    if (every === 1) return values;
    const out = new Float32Array(Math.ceil(values.length / every));
    for (let i = 0; i < out.length; ++i) out[i] = values[i * every];
    return out;
  }

  async cloud(drive) {
    const one = this.clouds.find((cloud) => cloud.drive === drive);
    if (!one) return null;
    const [speed, effort] = await Promise.all([
      this.#values(one.speed, one.samples),
      this.#values(one.effort, one.samples),
    ]);
    return {speed, effort};
  }

  #cached(channel, samples) {
    const key = channel.offset;
    if (this.cache.has(key)) {
      const found = this.cache.get(key);
      this.cache.delete(key);
      this.cache.set(key, found); // last used, last dropped
      return found;
    }
    const made = this.#values(channel, samples).then((values) => ({
      values,
      unit: channel.unit ?? "",
      pyramid: new Pyramid(values),
    }));
    this.cache.set(key, made);
    this.kept += samples;
    for (const old of this.cache.keys()) {
      if (this.kept <= MOST_VALUES || old === key) break;
      this.cache.delete(old);
      this.kept -= samples;
    }
    return made;
  }

  async #values(channel, samples) {
    const raw = await inflate(slice64(this.text, channel.offset, channel.bytes));
    if (channel.coding === "float64") return new Float64Array(raw.buffer, raw.byteOffset, samples);
    return decode16(raw, samples, channel.minimum, channel.maximum);
  }
}
