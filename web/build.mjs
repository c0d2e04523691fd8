// SPDX-License-Identifier: BSD-3-Clause
// One HTML file with everything in it: node build.mjs OUT [MODULES], MODULES the folder of node_modules (default: here).
import {createHash} from "node:crypto";
import {existsSync, mkdirSync, readFileSync, writeFileSync} from "node:fs";
import {createRequire} from "node:module";
import {dirname, join, resolve} from "node:path";
import {fileURLToPath} from "node:url";

const here = dirname(fileURLToPath(import.meta.url));
const out = resolve(process.argv[2] ?? join(here, "report_template.html"));
const modules = resolve(process.argv[3] ?? here, "node_modules");
if (!existsSync(modules)) throw new Error(`${modules} is missing: run npm ci first`);
const {buildSync} = createRequire(join(modules, "package.json"))("esbuild");

// Both libraries are MIT: their licences go with every copy.
const licence = (name) => `/*! ${name}\n\n${readFileSync(join(modules, name, "LICENSE"), "utf8").trim()}\n*/`;
const banner = {js: ["uplot", "three"].map(licence).join("\n")};

const common = {
  bundle: true,
  minify: true,
  write: false,
  legalComments: "inline",
  charset: "utf8",
  nodePaths: [modules],
  logLevel: "warning",
};
const script = buildSync({
  ...common,
  entryPoints: [join(here, "src/main.js")],
  format: "iife",
  target: "es2022",
  banner,
}).outputFiles[0].text;
const style = buildSync({
  ...common,
  stdin: {contents: `@import "uplot/dist/uPlot.min.css"; @import "./src/page.css";`, loader: "css", resolveDir: here},
}).outputFiles[0].text;

// Inside a script element only "</script" and "<!--" have a meaning to the HTML parser; both may stand in strings.
const safeScript = script.replaceAll("</script", "<\\/script").replaceAll("<!--", "<\\!--");
const hash = (text) => `'sha256-${createHash("sha256").update(text).digest("base64")}'`;

// No request can leave the page, and no script but this one runs, whatever stands in the data.
const policy = [
  "default-src 'none'",
  `script-src ${hash(safeScript)}`,
  `style-src ${hash(style)}`,
  "img-src data: blob:",
  "base-uri 'none'",
  "form-action 'none'",
].join("; ");

const page = `<!DOCTYPE html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="${policy}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="referrer" content="no-referrer">
<link rel="icon" href="data:,">
<title>bayesid</title>
<style>${style}</style>
</head>
<body>
<noscript>This report draws its data with a script; the numbers are in result.json beside it.</noscript>
<!--BAYESID-DATA-->
<script>${safeScript}</script>
</body>
</html>
`;
if (page.split("<!--BAYESID-DATA-->").length !== 2)
  throw new Error("the marker of the data must stand in the page once");
mkdirSync(dirname(out), {recursive: true});
writeFileSync(out, page);
console.log(`${out}: ${(Buffer.byteLength(page) / 1e6).toFixed(2)} MB`);
