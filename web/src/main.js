// SPDX-License-Identifier: BSD-3-Clause
// The page: head, table of contents, sections, time bar.
import {comparison} from "./comparison.js";
import {convergence} from "./convergence.js";
import {correlations} from "./correlations.js";
import {readPage} from "./data.js";
import {button, el, missing, picker} from "./dom.js";
import {efforts} from "./efforts.js";
import {energy} from "./energy.js";
import {excitation} from "./excitation.js";
import {forces} from "./forces.js";
import {friction} from "./friction.js";
import {inertias} from "./inertias.js";
import {jointNames} from "./joints.js";
import {KEYS, listenToKeys} from "./keys.js";
import {logQuality} from "./log_quality.js";
import {modelError} from "./model_error.js";
import {parameters} from "./parameters.js";
import {listenToPrint, preparePrint, printPage} from "./print.js";
import {provenance} from "./provenance.js";
import {residuals} from "./residuals.js";
import {scene} from "./scene.js";
import {get, set} from "./state.js";
import {states} from "./states.js";
import {startTheme, switchTheme} from "./theme.js";
import {timeBar} from "./timebar.js";
import {undetermined} from "./undetermined.js";
import {verdict} from "./verdict.js";

const WHOLE = [
  verdict,
  scene,
  efforts,
  states,
  friction,
  parameters,
  inertias,
  correlations,
  undetermined,
  forces,
  energy,
  residuals,
  modelError,
  convergence,
  logQuality,
  provenance,
];
const SECTIONS = {
  identify: WHOLE,
  validate: [verdict, scene, efforts, states, forces, energy, residuals, logQuality, provenance],
  compare: [comparison, ...WHOLE],
  excite: [verdict, excitation, scene, states, efforts, forces, parameters, undetermined, provenance],
};
const KINDS = {identify: "Identification", validate: "Validation", compare: "Comparison", excite: "Exciting motion"};

let controller = new AbortController();

function start() {
  startTheme();
  const page = readPage();
  if (page.error) {
    document.body.append(el("main", {}, el("h1", {}, "bayesid"), missing(page.error)));
    return;
  }
  document.title = page.title ? `${page.title} · bayesid` : "bayesid";
  const help = helpDialog();
  const live = el("div", {id: "live", class: "for-readers", "aria-live": "polite"});
  const nav = el("nav", {id: "contents", "aria-label": "contents"});
  const main = el("main", {id: "main", tabindex: "-1"});
  const foot = el("div", {id: "foot"});
  document.body.append(
    el("a", {class: "skip", href: "#main"}, "skip to the content"),
    header(page, main, nav, foot, help),
    nav,
    main,
    foot,
    live,
    help,
  );
  build(page, main, nav, foot);
  const step = (by) => {
    const names = jointNames(page.results[get("result")] ?? {document: {}});
    if (names.length)
      set(
        "joint",
        names[
          (Math.max(0, names.indexOf(get("joint")) + (get("joint") === null && by > 0 ? 0 : by)) + names.length) %
            names.length
        ],
      );
  };
  listenToKeys({
    "?": () => help.showModal(),
    t: switchTheme,
    p: printPage,
    k: () => foot.firstChild && set("playing", !get("playing")),
    "[": () => step(-1),
    "]": () => step(1),
  });
  listenToPrint();
  window.bayesid = {get, set, preparePrint}; // for scripts and tests
}

function header(page, main, nav, foot, help) {
  const model = page.results[0]?.document.model;
  const several = page.results.length > 1;
  return el(
    "header",
    {},
    el(
      "div",
      {},
      el("h1", {}, page.title || "bayesid"),
      el(
        "p",
        {class: "sub"},
        [
          KINDS[page.kind] ?? page.kind,
          model?.name && model.name !== page.title ? model.name : null,
          page.version ? `bayesid ${page.version}` : null,
        ]
          .filter(Boolean)
          .join(" · "),
      ),
    ),
    el(
      "div",
      {class: "controls"},
      several
        ? picker(
            "result",
            page.results.map((one, i) => [i, one.name]),
            0,
            (i) => {
              set("playing", false);
              set("trajectory", 0);
              set("result", Number(i));
              build(page, main, nav, foot);
            },
          )
        : null,
      button("theme", "light or dark (t)", switchTheme, {id: "theme"}),
      button("print", "print, with every chart drawn (p)", printPage, {id: "print"}),
      button("keys", "keys of this page (?)", () => help.showModal(), {id: "help-button"}),
    ),
  );
}

/** All sections of the chosen result. An error in a section stays in that section. */
function build(page, main, nav, foot) {
  controller.abort();
  controller = new AbortController();
  const result = page.results[get("result")] ?? {name: "", document: {}, scene: null, series: null};
  const context = {page, result, kind: page.kind, signal: controller.signal};
  const sections = (SECTIONS[page.kind] ?? WHOLE).filter(
    (one) => page.results.length > 0 || one === comparison || one === provenance,
  );
  const shown = sections.map((section) => draw(section, context));
  main.replaceChildren(...shown);
  nav.replaceChildren(
    el(
      "ol",
      {},
      sections.map((section) => el("li", {}, el("a", {href: `#${section.id}`}, section.title))),
    ),
  );
  watchContents(nav, shown, controller.signal);
  foot.replaceChildren(...[timeBar(result, controller.signal)].filter(Boolean));
}

function draw(section, context) {
  const out = el(
    "section",
    {id: section.id, "aria-labelledby": `${section.id}-title`},
    el("h2", {id: `${section.id}-title`}, section.title),
  );
  if (section.caption) out.append(el("p", {class: "caption"}, section.caption));
  try {
    out.append(...[section.draw(context)].flat(4).filter(Boolean));
  } catch (error) {
    out.append(missing(`This section could not be drawn: ${error.message}`));
    console.error(error);
  }
  return out;
}

function watchContents(nav, sections, signal) {
  const links = new Map(sections.map((section, i) => [section, nav.querySelectorAll("a")[i]]));
  const visible = new Set();
  const watcher = new IntersectionObserver(
    (entries) => {
      for (const entry of entries) entry.isIntersecting ? visible.add(entry.target) : visible.delete(entry.target);
      const first = sections.find((section) => visible.has(section));
      if (first) links.forEach((link, section) => link.classList.toggle("here", section === first));
    },
    {rootMargin: "-20% 0px -60% 0px"},
  );
  sections.forEach((section) => watcher.observe(section));
  signal.addEventListener("abort", () => watcher.disconnect(), {once: true});
}

function helpDialog() {
  const out = el(
    "dialog",
    {id: "help", "aria-labelledby": "help-title"},
    el("h2", {id: "help-title"}, "Keys"),
    el(
      "dl",
      {},
      KEYS.map(([key, text]) => [el("dt", {}, el("kbd", {}, key)), el("dd", {}, text)]),
    ),
    button("close", "close the help", () => out.close()),
  );
  return out;
}

start();
