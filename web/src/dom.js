// SPDX-License-Identifier: BSD-3-Clause
// Elements from plain values. Text enters as text nodes only: no name in a result can become markup.

/** el("p", {class: "note", onclick: f}, "text", child, …); null children are left out. */
export function el(tag, properties = {}, ...children) {
  const out = document.createElement(tag);
  setProperties(out, properties);
  append(out, children);
  return out;
}

/** The same for SVG. */
export function svg(tag, properties = {}, ...children) {
  const out = document.createElementNS("http://www.w3.org/2000/svg", tag);
  setProperties(out, properties);
  append(out, children);
  return out;
}

function setProperties(node, properties) {
  for (const [key, value] of Object.entries(properties)) {
    if (value === null || value === undefined || value === false) continue;
    if (key.startsWith("on")) node.addEventListener(key.slice(2), value);
    else if (key === "value" && "value" in node) node.value = value;
    else node.setAttribute(key, value === true ? "" : String(value));
  }
}

function append(node, children) {
  for (const child of children.flat(3)) {
    if (child === null || child === undefined || child === false) continue;
    node.append(child instanceof Node ? child : String(child));
  }
}

/** Replaces all children. */
export function fill(node, ...children) {
  node.replaceChildren();
  append(node, children);
  return node;
}

/** A grey sentence where something is missing, with the reason. */
export function missing(text) {
  return el("p", {class: "missing"}, text);
}

/** Table with caption and head; rows are arrays of cells, text or nodes. */
export function table(caption, head, rows, properties = {}) {
  const asCell = (one, i) =>
    one instanceof Node && (one.tagName === "TD" || one.tagName === "TH")
      ? one
      : el(i === 0 ? "th" : "td", {scope: i === 0 ? "row" : null}, one);
  const isNumber = (i) => rows[0]?.[i] instanceof Node && rows[0][i].classList.contains("number");
  const heads = head.map((one, i) => el("th", {scope: "col", class: isNumber(i) ? "number" : null}, one));
  return el(
    "div",
    {class: "scroll", tabindex: "0", role: "region", "aria-label": caption},
    el(
      "table",
      properties,
      el("caption", {}, caption),
      el("thead", {}, el("tr", {}, heads)),
      el(
        "tbody",
        {},
        rows.map((row) => el("tr", {}, row.map(asCell))),
      ),
    ),
  );
}

/** Select with a label; options are [value, text]. */
export function picker(label, options, value, onpick) {
  const select = el(
    "select",
    {onchange: () => onpick(select.value)},
    options.map(([key, text]) => el("option", {value: key}, text)),
  );
  select.value = value;
  return el("label", {class: "picker"}, el("span", {}, label), select);
}

export function button(text, label, onclick, properties = {}) {
  return el("button", {type: "button", "aria-label": label, title: label, onclick, ...properties}, text);
}
