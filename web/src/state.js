// SPDX-License-Identifier: BSD-3-Clause
// What the sections share: chosen result, trajectory and joint, time cursor, visible span of time, theme.

const values = {result: 0, trajectory: 0, joint: null, time: 0, span: null, playing: false, theme: "light"};
const listeners = new Map();

export function get(key) {
  return values[key];
}

/** Calls the listeners of key when the value is another one. */
export function set(key, value) {
  if (values[key] === value) return;
  values[key] = value;
  for (const listener of [...(listeners.get(key) ?? [])]) listener(value);
}

/** Listener of key, until the signal (of an AbortController) ends it. */
export function on(key, listener, signal = null) {
  if (!listeners.has(key)) listeners.set(key, new Set());
  const list = listeners.get(key);
  list.add(listener);
  signal?.addEventListener("abort", () => list.delete(listener), {once: true});
}
