// SPDX-License-Identifier: BSD-3-Clause
// A table with thousands of rows: sorted by any column, filtered by text, drawn in blocks.
import {button, el} from "./dom.js";
import {plural} from "./format.js";

const BLOCK = 100; // rows
const waiting = new Set(); // tables not fully drawn

/** columns: [{title, key: row → number or text, cell: row → td, note}]; rows: any; text(row): what the filter searches. */
export function sortableTable({caption, columns, rows, text, id}) {
  let shown = rows,
    drawn = 0,
    sorting = {column: -1, down: false};
  const body = el("tbody", {});
  const count = el("span", {class: "note", role: "status"});
  const end = el("div", {class: "sentinel"});
  const more = button("show all rows", "show all rows", () => drawTo(Infinity));
  const heads = columns.map((column, i) =>
    el(
      "th",
      {scope: "col", "aria-sort": "none", title: column.note ?? null},
      el(
        "button",
        {type: "button", class: "sort", onclick: () => sortBy(i)},
        column.title,
        el("span", {class: "arrow", "aria-hidden": "true"}, ""),
      ),
    ),
  );
  const scroll = el(
    "div",
    {class: "scroll tall", tabindex: "0", role: "region", "aria-label": caption},
    el("table", {id, class: "sortable"}, el("caption", {}, caption), el("thead", {}, el("tr", {}, heads)), body),
    end,
  );

  const drawTo = (last) => {
    const to = Math.min(shown.length, last);
    const fragment = document.createDocumentFragment();
    for (; drawn < to; ++drawn)
      fragment.append(
        el(
          "tr",
          {},
          columns.map((column) => column.cell(shown[drawn])),
        ),
      );
    body.append(fragment);
    [...(body.firstChild?.children ?? [])].forEach((cell, i) =>
      heads[i].classList.toggle("number", cell.classList.contains("number")),
    );
    more.hidden = drawn >= shown.length;
    count.textContent =
      shown.length === rows.length ? plural(rows.length, "row") : `${shown.length} of ${plural(rows.length, "row")}`;
  };
  const start = () => {
    body.replaceChildren();
    drawn = 0;
    drawTo(BLOCK);
  };
  const sortBy = (i) => {
    sorting = {column: i, down: sorting.column === i ? !sorting.down : false};
    heads.forEach((head, k) => {
      head.setAttribute("aria-sort", k !== i ? "none" : sorting.down ? "descending" : "ascending");
      head.querySelector(".arrow").textContent = k !== i ? "" : sorting.down ? " ▼" : " ▲";
    });
    arrange();
  };
  const arrange = () => {
    const words = filter.value.toLowerCase().split(/\s+/).filter(Boolean);
    shown = rows.filter((row) => words.every((word) => text(row).toLowerCase().includes(word)));
    if (sorting.column >= 0) {
      const {key} = columns[sorting.column];
      const sign = sorting.down ? -1 : 1;
      shown = shown
        .map((row) => [key(row), row])
        .sort(([a], [b]) => compare(a, b, sign))
        .map(([, row]) => row);
    }
    start();
  };
  const filter = el("input", {
    type: "search",
    placeholder: "filter by name",
    "aria-label": "filter rows by name",
    oninput: arrange,
  });

  new IntersectionObserver(([entry]) => entry.isIntersecting && drawTo(drawn + BLOCK), {
    root: scroll,
    rootMargin: "300px",
  }).observe(end);
  waiting.add({node: scroll, drawAll: () => drawTo(Infinity)});
  start();
  return [el("div", {class: "controls"}, filter, count, more), scroll];
}

/** Numbers by size, text by letters; what is missing comes last either way. */
function compare(a, b, sign) {
  const noA = a === null || a === undefined || Number.isNaN(a),
    noB = b === null || b === undefined || Number.isNaN(b);
  if (noA || noB) return noA - noB;
  return sign * (typeof a === "string" ? a.localeCompare(b, undefined, {numeric: true}) : a - b);
}

/** For printing. */
export function drawAllRows() {
  for (const one of [...waiting]) {
    if (one.node.isConnected) one.drawAll();
    else waiting.delete(one);
  }
}
