// SPDX-License-Identifier: BSD-3-Clause
// The stored motion for playing: positions, base and forces at any time.

const MOST = 50000;
const POSE = ["px", "py", "pz", "qx", "qy", "qz", "qw"];

export class Motion {
  /** Thinned channels of a trajectory: joints of the tree, base, forces of contacts. */
  static async load(series, t, joints, contacts) {
    const out = new Motion();
    const every = Math.max(1, Math.floor(series.trajectories[t].samples / MOST));
    out.every = every;
    out.times = await series.times(t);
    const wanted = [
      ...joints.map((name) => `q.${name}`),
      ...POSE.map((part) => `q.base.${part}`),
      ...contacts.flatMap((name) => ["x", "y", "z"].map((row) => `lambda.${name}.${row}`)),
    ];
    out.values = new Map();
    for (const name of wanted) if (series.has(t, name)) out.values.set(name, await series.thin(t, name, every));
    return out;
  }

  /** Sample before t and how far to the next one. */
  seek(t) {
    const i = this.times.before(t);
    this.i = Math.floor(i / this.every);
    const from = this.times.at(this.i * this.every);
    const next = Math.min(this.times.samples - 1, (this.i + 1) * this.every);
    const step = this.times.at(next) - from;
    this.share = step > 0 ? Math.min(1, Math.max(0, (t - from) / step)) : 0;
  }

  /** Value at the sought time; turns take the short way. Null without a channel. */
  value(name, turns = false) {
    const list = this.values.get(name);
    if (!list) return null;
    const a = list[Math.min(this.i, list.length - 1)],
      b = list[Math.min(this.i + 1, list.length - 1)];
    if (Number.isNaN(a)) return null;
    let step = Number.isNaN(b) ? 0 : b - a;
    if (turns && Math.abs(step) > Math.PI) step -= 2 * Math.PI * Math.sign(step);
    return a + this.share * step;
  }

  pose() {
    const parts = POSE.map((part) => this.value(`q.base.${part}`));
    if (parts.some((part) => part === null)) return null;
    return parts;
  }

  /** Force by zero-order hold; null while the contact is open. */
  force(name) {
    const parts = ["x", "y", "z"].map((row) => this.values.get(`lambda.${name}.${row}`)?.[this.i] ?? 0);
    return parts.some(Number.isNaN) ? null : parts;
  }
}
