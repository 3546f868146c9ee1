// Colours texts with VS Code's own engine: `node textmate.cjs PACKAGE_JSON GRAMMAR`, a JSON list of texts on standard input.
// Answers with one list of lines per text, each a list of [text, innermost scope] without blanks.
const { readFileSync } = require("node:fs");
const { createRequire } = require("node:module");

const [owner, grammarPath] = process.argv.slice(2);
const load = createRequire(owner);
const { INITIAL, Registry, parseRawGrammar } = load("vscode-textmate");
const { OnigScanner, OnigString, loadWASM } = load("vscode-oniguruma");

async function main() {
  await loadWASM(readFileSync(load.resolve("vscode-oniguruma/release/onig.wasm")));
  const registry = new Registry({
    onigLib: Promise.resolve({
      createOnigScanner: (patterns) => new OnigScanner(patterns),
      createOnigString: (text) => new OnigString(text),
    }),
    loadGrammar: async () => parseRawGrammar(readFileSync(grammarPath, "utf8"), grammarPath),
  });
  const grammar = await registry.loadGrammar("source.dcp");
  const colour = (text) => {
    let state = INITIAL;
    return text.split("\n").map((line) => {
      const { tokens, ruleStack } = grammar.tokenizeLine(line, state);
      state = ruleStack;
      return tokens
        .map((t) => [line.slice(t.startIndex, t.endIndex), t.scopes.at(-1)])
        .filter(([part]) => part.trim());
    });
  };
  console.log(JSON.stringify(JSON.parse(readFileSync(0, "utf8")).map(colour)));
}

main();
