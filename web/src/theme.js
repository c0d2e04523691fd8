// SPDX-License-Identifier: BSD-3-Clause
// Light or dark: as the system, until the reader chooses. The choice is kept where the browser allows it.
import {get, on, set} from "./state.js";

const KEY = "bayesid-theme";

function stored(value) {
  try {
    if (value) localStorage.setItem(KEY, value);
    const found = localStorage.getItem(KEY);
    return found === "dark" || found === "light" ? found : null;
  } catch {
    return null; // files opened from disk may have no storage
  }
}

export function startTheme() {
  const system = matchMedia("(prefers-color-scheme: dark)");
  on("theme", apply);
  set("theme", stored() ?? (system.matches ? "dark" : "light"));
  apply(get("theme"));
  system.addEventListener("change", () => stored() === null && set("theme", system.matches ? "dark" : "light"));
}

/** First of all listeners: charts read their colours afterwards. */
function apply(theme) {
  document.documentElement.dataset.theme = theme;
}

export function switchTheme() {
  const next = get("theme") === "dark" ? "light" : "dark";
  stored(next);
  set("theme", next);
}
