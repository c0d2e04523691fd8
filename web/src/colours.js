// SPDX-License-Identifier: BSD-3-Clause
// Colours of curves, from page.css, so that charts follow the theme. The palette is Okabe and Ito's.

let style = null;

/** Value of a custom property of the page, say colour("measured"). */
export function colour(name) {
  style ??= getComputedStyle(document.documentElement);
  return style.getPropertyValue(`--${name}`).trim() || "#888";
}

/** The same, see-through. */
export function faint(name, alpha = 0.18) {
  const hex = colour(name).replace("#", "");
  const [r, g, b] = [0, 2, 4].map((i) => parseInt(hex.slice(i, i + 2), 16));
  return `rgba(${r}, ${g}, ${b}, ${alpha})`;
}

/** Colour of the i-th of several curves of one kind. */
export function cycle(i) {
  return `curve${(i % 7) + 1}`;
}
