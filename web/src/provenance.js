// SPDX-License-Identifier: BSD-3-Clause
// Versions, files and settings that reproduce this result.
import {el, missing, table} from "./dom.js";
import {bytes, number} from "./format.js";

const WORDS = {
  program: "bayesid",
  compiler: "compiler",
  pinocchio: "Pinocchio",
  time: "made",
  seed: "seed",
  host_threads: "threads",
  config_sha256: "SHA-256 of the configuration",
  model_sha256: "SHA-256 of the robot",
};

export const provenance = {
  id: "provenance",
  title: "Provenance",
  caption: "Versions, files and command: the same program, files and seed reproduce these numbers.",
  draw({result, page}) {
    const {provenance: one, version, seed, logs = [], warnings = [], schema} = result.document;
    const facts = one
      ? Object.entries(one)
          .filter(([, value]) => typeof value === "string" || typeof value === "number")
          .filter(([key]) => key !== "config")
      : [
          ["program", version],
          ["seed", seed],
        ].filter(([, value]) => value !== undefined);
    const files = one?.logs ?? logs.map((log) => ({file: log.file, sha256: null, model: log.model}));
    return [
      facts.length
        ? el(
            "dl",
            {},
            facts.map(([key, value]) => [
              el("dt", {}, WORDS[key] ?? key.replaceAll("_", " ")),
              el("dd", {}, typeof value === "number" ? number(value, 12) : value),
            ]),
            schema !== undefined ? [el("dt", {}, "schema of the JSON"), el("dd", {}, String(schema))] : null,
            page.version ? [el("dt", {}, "page made by"), el("dd", {}, `bayesid ${page.version}`)] : null,
          )
        : null,
      one?.command?.length
        ? [el("h3", {}, "Command"), el("pre", {tabindex: "0"}, one.command.map(quote).join(" "))]
        : null,
      files.length
        ? table(
            "Files",
            ["file", "size", "SHA-256"],
            files.map((file) => [
              file.file,
              bytes(file.bytes),
              el("td", {class: "hash"}, file.sha256 ?? "not recorded"),
            ]),
          )
        : null,
      warnings.length
        ? [
            el("h3", {}, "Warnings"),
            el(
              "ul",
              {},
              warnings.map((text) => el("li", {}, text)),
            ),
          ]
        : null,
      one?.config
        ? el(
            "details",
            {},
            el("summary", {}, "Effective configuration"),
            el("pre", {tabindex: "0"}, one.config),
          )
        : null,
      one ? null : missing("This result records no versions, command and hashes."),
    ];
  },
};

/** Quoted for the shell. */
function quote(word) {
  return /^[\w./:=,+-]+$/.test(word) ? word : `'${word.replaceAll("'", "'\\''")}'`;
}
