// SPDX-License-Identifier: BSD-3-Clause
// Page one: convergence, prediction, identifiability, diagnostics.
import {el, table} from "./dom.js";
import {number, numberCell, percent, plural} from "./format.js";

const SEVERITIES = {error: ["■", "Error"], warning: ["▲", "Warning"], ok: ["●", "OK"]};
const ORDER = ["error", "warning", "ok"];
const TOPICS = {
  convergence: "Convergence",
  prediction: "Prediction of efforts",
  undetermined: "Identifiability",
  model_error: "Model error",
  diagnostics: "Diagnostics",
};
const MOST_ROWS = 30;

export const verdict = {
  id: "verdict",
  title: "Summary",
  caption: "",
  draw({result, page}) {
    const items = sorted(result.document.verdict ?? derived(result.document));
    const validation = result.validation ?? result.document.validation;
    return [
      items.length ? el("ul", {class: "verdict"}, items.map(entry)) : null,
      validation ? predictionTable(readPrediction(validation), "Efforts of held-out logs") : null,
      predictionTable(
        readPrediction(result.document),
        page.kind === "validate"
          ? "Efforts of held-out logs"
          : "Efforts of the logs used for identification",
      ),
      page.kind === "identify" && !validation && result.document.prediction
        ? el(
            "p",
            {class: "note"},
            "No held-out logs: these are errors on the logs used for identification. ",
            el("code", {}, "bayesid validate"),
            " predicts held-out logs.",
          )
        : null,
    ];
  },
};

function sorted(items) {
  return [...items].sort((a, b) => ORDER.indexOf(a.severity) - ORDER.indexOf(b.severity));
}

function entry(item) {
  const [symbol, word] = SEVERITIES[item.severity] ?? ["○", "Note"];
  return el(
    "li",
    {class: `severity ${ORDER.includes(item.severity) ? item.severity : "none"}`, "data-topic": item.topic},
    el("span", {class: "symbol", "aria-hidden": "true"}, symbol),
    el("span", {class: "word"}, word),
    el("div", {}, el("strong", {}, TOPICS[item.topic] ?? item.topic ?? ""), el("p", {}, item.text ?? "")),
  );
}

/** For a result without a verdict: the same topics from its other keys. */
export function derived(one) {
  const out = [];
  if (one.status) {
    const good = one.status === "converged";
    out.push({
      severity: good ? "ok" : "error",
      topic: "convergence",
      text: good
        ? `Converged after ${plural(one.iterations, "iteration")}.`
        : `Not converged: do not use these numbers. Status ${one.status} after ${plural(one.iterations, "iteration")}` +
          `${one.message ? `; ${one.message}` : ""}. Next: see the section Convergence.`,
    });
  }
  if (typeof one.found === "boolean") {
    out.push({
      severity: one.found ? "ok" : "error",
      topic: "convergence",
      text: one.found ? "A motion within all limits was found." : "No motion within the limits was found.",
    });
  }
  const rows = readPrediction(one);
  if (rows.length) {
    const worse = rows.filter((row) => row.identified > row.nominal).length;
    const mean = Math.exp(rows.reduce((sum, row) => sum + Math.log(row.nominal / row.identified), 0) / rows.length);
    out.push({
      severity: worse === 0 && mean > 1.05 ? "ok" : "warning",
      topic: "prediction",
      text:
        `Effort errors decrease by a factor of ${number(mean, 3)} on average over ${plural(rows.length, "joint")}` +
        (worse ? `; ${plural(worse, "joint")} ${worse === 1 ? "is" : "are"} predicted worse than before.` : "."),
    });
  }
  const study = one.identifiability;
  if (study?.undetermined) {
    const here = study.undetermined.filter((item) => item.kind !== "structural").length;
    out.push({
      severity: here ? "warning" : "ok",
      topic: "undetermined",
      text: here
        ? `The data do not determine ${plural(here, "direction")} that another motion can determine; see the section Identifiability.`
        : `The data determine all identifiable base parameters (${study.structural_rank ?? study.rank}).`,
    });
  }
  if (Array.isArray(one.warnings)) {
    for (const text of one.warnings) out.push({severity: "warning", topic: "diagnostics", text});
    if (!one.warnings.length) out.push({severity: "ok", topic: "diagnostics", text: "No warnings."});
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

/** The ratio with a bar: full width is the error of the nominal model. */
function ratioCell({nominal, identified}) {
  const ratio = identified / nominal;
  const cell = numberCell(ratio, percent(ratio));
  const bar = el("span", {class: `bar${ratio > 1 ? " worse" : ""}`, "aria-hidden": "true"}, el("span", {}));
  bar.firstChild.style.width = `${Math.min(100, 100 * ratio) || 0}%`;
  cell.replaceChildren(bar, el("span", {class: "share"}, cell.textContent));
  return cell;
}
