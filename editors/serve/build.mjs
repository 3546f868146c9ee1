// Bundles the page's editor into one committed file with the licences of what is in it: `npm ci && npm run build`.
import { build } from "esbuild";
import { readFileSync, writeFileSync } from "node:fs";
import { dirname, join, relative } from "node:path";
import { fileURLToPath } from "node:url";

const here = dirname(fileURLToPath(import.meta.url));
const target = join(here, "../../dcp_lang/serve/static/editor.js");

const result = await build({
  absWorkingDir: here,
  entryPoints: ["src/main.js"],
  bundle: true,
  minify: true,
  format: "iife",
  target: "es2022",
  charset: "ascii",
  legalComments: "none",
  metafile: true,
  write: false,
});

const used = Object.keys(result.metafile.inputs).map((path) => relative(here, join(here, path)).match(/^node_modules\/((?:@[^/]+\/)?[^/]+)\//)?.[1]);
const notices = [...new Set(used.filter(Boolean))].sort().map((name) => {
  const { version } = JSON.parse(readFileSync(join(here, "node_modules", name, "package.json"), "utf8"));
  return `${name} ${version}\n\n${readFileSync(join(here, "node_modules", name, "LICENSE"), "utf8").trim()}`;
});
const head = `/* Made from editors/serve by its build.mjs; do not edit. It holds these packages:\n\n${notices.join("\n\n----\n\n").replaceAll("*/", "* /")}\n*/\n`;
writeFileSync(target, head + result.outputFiles[0].text);
console.log(`${relative(process.cwd(), target)}: ${head.length + result.outputFiles[0].text.length} bytes`);
