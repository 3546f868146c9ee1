// Bundles the extension into one file with the licences of what is in it: `npm ci && npm run bundle`.
import { build } from "esbuild";
import { readFileSync, readdirSync, writeFileSync } from "node:fs";

const result = await build({
  entryPoints: ["src/extension.js"],
  outfile: "dist/extension.js",
  bundle: true,
  platform: "node",
  format: "cjs",
  target: "node18",
  external: ["vscode"],
  legalComments: "none",
  minify: true,
  metafile: true,
});

// A package inside another's folder is another version of it.
const folders = Object.keys(result.metafile.inputs).map((path) => path.match(/^(.*node_modules\/(?:@[^/]+\/)?[^/]+)\//)?.[1]);
const notices = [...new Set(folders.filter(Boolean))].sort().map((folder) => {
  const { name, version } = JSON.parse(readFileSync(`${folder}/package.json`, "utf8"));
  const licence = readdirSync(folder).find((file) => /^licen[cs]e/i.test(file));
  return `${name} ${version}\n\n${readFileSync(`${folder}/${licence}`, "utf8").trim()}\n`;
});
writeFileSync("dist/LICENSES.txt", `dist/extension.js holds these packages:\n\n${notices.join("\n----\n\n")}`);
