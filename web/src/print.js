// SPDX-License-Identifier: BSD-3-Clause
// On paper: light, every chart and every row drawn, at the width of the sheet.
import {charts} from "./chart.js";
import {drawAll} from "./lazy.js";
import {drawAllRows} from "./rows.js";
import {get, set} from "./state.js";

const frame = () => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)));

/** Everything drawn and set for paper; the returned function undoes it. */
export async function preparePrint() {
  const theme = get("theme");
  set("playing", false);
  document.documentElement.classList.add("printing");
  set("theme", "light");
  drawAllRows();
  await drawAll();
  await frame();
  for (const chart of charts) {
    chart.isVisible = true;
    chart.resize();
    chart.draw();
  }
  await frame();
  return () => {
    document.documentElement.classList.remove("printing");
    set("theme", theme);
  };
}

export async function printPage() {
  const undo = await preparePrint();
  window.print();
  undo();
}

/** Also by the browser's own key; its menu prints what is drawn by then. */
export function listenToPrint() {
  document.addEventListener("keydown", (event) => {
    if (!(event.ctrlKey || event.metaKey) || event.key.toLowerCase() !== "p") return;
    event.preventDefault();
    printPage();
  });
}
