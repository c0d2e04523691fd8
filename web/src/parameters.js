// SPDX-License-Identifier: BSD-3-Clause
// Every parameter: prior, estimate, error bar, the share that the data determine, and active bounds.
import {el, missing, picker} from "./dom.js";
import {deviation, number, numberCell, percent, unitOf} from "./format.js";
import {sortableTable} from "./rows.js";

export const parameters = {
  id: "parameters",
  title: "Parameters",
  caption:
    "Estimate ± one standard deviation. “Determined” is the share of the prior's variance that the data removed: " +
    "100 % means that the data determine the value, 0 % that it is the prior. “Moved” is the change in standard deviations of the prior. " +
    "Click a heading to sort.",
  draw({result, kind}) {
    const {physical, parameters: coordinates} = result.document;
    const tables = [
      ["physical", "physical values, SI units", physical],
      ["parameters", "estimation coordinates", coordinates],
    ].filter(([, , values]) => values && Object.keys(values).length);
    if (!tables.length) return missing("This result holds no parameters.");
    const body = el("div", {});
    const show = (key) => {
      const [, title, values] = tables.find((one) => one[0] === key);
      body.replaceChildren(...sortableTable(describe(result.document, key, title, values, kind)));
    };
    show(tables[0][0]);
    return [
      tables.length > 1
        ? el(
            "div",
            {class: "controls"},
            picker(
              "show",
              tables.map(([key, title]) => [key, title]),
              tables[0][0],
              show,
            ),
          )
        : null,
      body,
    ];
  },
};

function describe(document, key, title, values, kind) {
  const shares = key === "parameters" ? document.identifiability?.parameters : null;
  const bounds = document.bounds ?? [];
  const joints = document.model?.joints;
  const rows = Object.entries(values).map(([name, one]) => {
    const prior = kind === "excite" ? one.value : one.prior;
    const determined =
      one.determined ??
      shares?.[name] ??
      (one.prior_std > 0 && typeof one.std === "number" ? Math.max(0, 1 - (one.std / one.prior_std) ** 2) : null);
    return {
      name,
      one,
      prior,
      unit: key === "physical" ? unitOf(name, one, joints) : (one.unit ?? ""),
      moved: one.prior_std > 0 && typeof one.value === "number" ? (one.value - one.prior) / one.prior_std : null,
      determined: one.fixed ? null : determined,
      bound: bounds.filter((bound) => namesParameter(bound, name)).join("; "),
    };
  });
  const hasNominal = rows.some((row) => "nominal" in row.one);
  const column = (title_, get, text, note) => ({
    title: title_,
    note,
    key: get,
    cell: (row) => numberCell(get(row) ?? null, text(get(row) ?? null)),
  });
  const columns = [
    {title: "name", key: (row) => row.name, cell: (row) => el("th", {scope: "row"}, row.name)},
    {title: "unit", key: (row) => row.unit, cell: (row) => el("td", {}, row.unit)},
    hasNominal ? column("nominal", (row) => row.one.nominal, number, "value in the robot's file") : null,
    column(
      "prior",
      (row) => row.prior,
      number,
      hasNominal ? "mean of the prior" : "mean of the prior: the nominal value, unless the configuration sets another",
    ),
    column("± prior", (row) => row.one.prior_std, deviation, "standard deviation of the prior"),
    kind === "excite" ? null : column("estimate", (row) => row.one.value, number),
    column(
      kind === "excite" ? "± predicted" : "± estimate",
      (row) => (row.one.fixed ? row.one.std : row.one.std === null ? Infinity : row.one.std),
      deviation,
      "one standard deviation; ∞: neither the data nor the prior determine it",
    ),
    kind === "excite"
      ? null
      : column(
          "moved",
          (row) => row.moved,
          (x) => (x === null ? "—" : `${number(x, 2)} σ`),
          "(estimate − prior) / standard deviation of the prior",
        ),
    {
      title: "determined",
      note: "share of the prior's variance that the data removed",
      key: (row) => row.determined,
      cell: determinedCell,
    },
    kind === "excite"
      ? null
      : {
          title: "note",
          key: (row) => noteOf(row),
          cell: (row) => el("td", {class: row.bound ? "bound" : null}, noteOf(row)),
        },
  ].filter(Boolean);
  return {id: "parameter-table", caption: `Parameters: ${title}`, columns, rows, text: (row) => row.name};
}

function noteOf(row) {
  return row.one.fixed ? "fixed" : row.bound ? `active bound: ${row.bound}` : "";
}

/** "mass.arm >= 0.1" names mass.arm, not mass.arm2. */
function namesParameter(bound, name) {
  return bound === name || (bound.startsWith(name) && /[^\p{L}\p{N}_.-]/u.test(bound[name.length]));
}

function determinedCell(row) {
  const cell = numberCell(row.determined, row.determined === null ? "—" : percent(row.determined, 3));
  if (row.determined !== null) {
    const bar = el("span", {class: "bar determined", "aria-hidden": "true"}, el("span", {}));
    bar.firstChild.style.width = `${100 * Math.min(1, Math.max(0, row.determined))}%`;
    cell.replaceChildren(bar, el("span", {class: "share"}, cell.textContent));
  }
  return cell;
}
