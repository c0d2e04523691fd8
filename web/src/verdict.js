// SPDX-License-Identifier: BSD-3-Clause
// Page one: did it converge, how much better does it predict, what could the data not see, what looks wrong.
import {el, table} from "./dom.js";
import {number, numberCell, percent, plural} from "./format.js";

const LIGHTS = {red: ["■", "Stop"], yellow: ["▲", "Care"], green: ["●", "Good"]};
const ORDER = ["red", "yellow", "green"];
const TOPICS = {
  convergence: "Did it converge?",
  prediction: "How much better does it predict?",
  unseen: "What could the data not see?",
  doubts: "What looks wrong?",
};
const MOST_ROWS = 30;

export const verdict = {
  id: "verdict",
  title: "What came out",
  caption: "",
  draw({result, page}) {
    const items = sorted(result.document.verdict ?? derived(result.document));
    const validation = result.validation ?? result.document.validation;
    return [
      items.length ? el("ul", {class: "verdict"}, items.map(light)) : null,
      validation ? predictionTable(readPrediction(validation), "Efforts of logs the identification did not see") : null,
      predictionTable(
        readPrediction(result.document),
        page.kind === "validate"
          ? "Efforts of logs the identification did not see"
          : "Efforts of the logs of the identification",
      ),
      page.kind === "identify" && !validation && result.document.prediction
        ? el(
            "p",
            {class: "note"},
            "No log was kept aside: these errors are of the data the model was fitted to. ",
            el("code", {}, "bayesid validate"),
            " predicts logs the model has not seen.",
          )
        : null,
    ];
  },
};

function sorted(items) {
  return [...items].sort((a, b) => ORDER.indexOf(a.light) - ORDER.indexOf(b.light));
}

function light(item) {
  const [shape, word] = LIGHTS[item.light] ?? ["○", "Note"];
  return el(
    "li",
    {class: `light ${ORDER.includes(item.light) ? item.light : "none"}`, "data-topic": item.topic},
    el("span", {class: "lamp", "aria-hidden": "true"}, shape),
    el("span", {class: "word"}, word),
    el("div", {}, el("strong", {}, TOPICS[item.topic] ?? item.topic ?? ""), el("p", {}, item.text ?? "")),
  );
}

/** Results written before there was a verdict: the same four answers from what they hold. */
export function derived(one) {
  const out = [];
  if (one.status) {
    const good = one.status === "converged";
    out.push({
      light: good ? "green" : "red",
      topic: "convergence",
      text: good
        ? `Yes, after ${plural(one.iterations, "iteration")}.`
        : `No: ${one.status} after ${plural(one.iterations, "iteration")}${one.message ? `; ${one.message}` : ""}. Error bars of such a result mean nothing.`,
    });
  }
  if (typeof one.found === "boolean") {
    out.push({
      light: one.found ? "green" : "red",
      topic: "convergence",
      text: one.found ? "A motion within all limits was found." : "No motion within the limits was found.",
    });
  }
  const rows = readPrediction(one);
  if (rows.length) {
    const worse = rows.filter((row) => row.identified > row.nominal).length;
    const mean = Math.exp(rows.reduce((sum, row) => sum + Math.log(row.nominal / row.identified), 0) / rows.length);
    out.push({
      light: worse === 0 && mean > 1.05 ? "green" : "yellow",
      topic: "prediction",
      text:
        `Effort errors fall by a factor of ${number(mean, 3)} on average over ${plural(rows.length, "joint")}` +
        (worse ? `; ${plural(worse, "joint")} ${worse === 1 ? "is" : "are"} predicted worse than before.` : "."),
    });
  }
  const seen = one.identifiability;
  if (seen?.unseen) {
    const here = seen.unseen.filter((item) => item.kind !== "structural").length;
    out.push({
      light: here ? "yellow" : "green",
      topic: "unseen",
      text: here
        ? `${plural(here, "combination")} of parameters left no trace in the data, though another motion would show ${here === 1 ? "it" : "them"}.`
        : `Nothing that a motion of this robot can show (${plural(seen.structural_rank ?? seen.rank, "combination")}).`,
    });
  }
  if (Array.isArray(one.warnings)) {
    for (const text of one.warnings) out.push({light: "yellow", topic: "doubts", text});
    if (!one.warnings.length) out.push({light: "green", topic: "doubts", text: "No warnings."});
  }
  return out;
}

/** [{joint, nominal, identified, range}] of result.json or of validation.json. */
export function readPrediction(one) {
  if (one.prediction && !Array.isArray(one.prediction)) {
    return Object.entries(one.prediction).map(([joint, row]) => ({joint, ...row}));
  }
  if (Array.isArray(one.joints) && one.identified?.rmse) {
    return one.joints.map((joint, i) => ({
      joint,
      nominal: one.nominal?.rmse?.[i],
      identified: one.identified.rmse[i],
      range: one.range?.[i],
    }));
  }
  return [];
}

function predictionTable(rows, caption) {
  if (!rows.length) return null;
  const body = rows.map((row) => [
    row.joint,
    numberCell(row.nominal),
    numberCell(row.identified),
    ratioCell(row),
    numberCell(row.range),
    numberCell(row.identified / row.range, percent(row.identified / row.range)),
  ]);
  const out = table(
    `${caption}: root mean square error, N·m or N`,
    ["joint", "nominal model", "identified model", "identified / nominal", "range of measured", "error / range"],
    body,
    {class: "prediction"},
  );
  if (rows.length > MOST_ROWS) out.classList.add("tall");
  return out;
}

/** The ratio as a bar too: full width is no better than before. */
function ratioCell({nominal, identified}) {
  const ratio = identified / nominal;
  const cell = numberCell(ratio, percent(ratio));
  const bar = el("span", {class: `bar${ratio > 1 ? " worse" : ""}`, "aria-hidden": "true"}, el("span", {}));
  bar.firstChild.style.width = `${Math.min(100, 100 * ratio) || 0}%`;
  cell.replaceChildren(bar, el("span", {class: "share"}, cell.textContent));
  return cell;
}
