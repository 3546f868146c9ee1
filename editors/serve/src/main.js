// The page of `dcpc serve`: an editor, the findings with their fixes, the plan and the document beside it.
// It decides nothing: every finding, hint, offer and number comes from the compiler.
import { autocompletion, closeBrackets, closeBracketsKeymap, completionKeymap, snippet } from "@codemirror/autocomplete";
import { defaultKeymap, history, historyKeymap, indentWithTab } from "@codemirror/commands";
import { HighlightStyle, StreamLanguage, bracketMatching, indentUnit, syntaxHighlighting } from "@codemirror/language";
import { lintGutter, setDiagnostics } from "@codemirror/lint";
import { highlightSelectionMatches, searchKeymap } from "@codemirror/search";
import { EditorState, StateEffect, StateField } from "@codemirror/state";
import { Decoration, EditorView, WidgetType, drawSelection, highlightActiveLine, hoverTooltip, keymap, lineNumbers } from "@codemirror/view";
import { tags } from "@lezer/highlight";

const byId = (id) => document.getElementById(id);
const PAUSE = 120;
// More findings than anyone reads at once; the source marks them all.
const MOST = 200;
let name = "", saved = "", asked = 0;

async function ask(kind, more = {}) {
  const headers = { "Content-Type": "application/json", "X-Dcpc": "1" };
  const reply = await fetch(`/api/${kind}`, { method: "POST", headers, body: JSON.stringify({ name, ...more }) });
  if (!reply.ok) throw new Error((await reply.text()).trim());
  return reply.json();
}

function element(tag, attributes = {}, ...children) {
  const node = document.createElement(tag);
  for (const [key, value] of Object.entries(attributes)) {
    if (key === "onclick") node.addEventListener("click", value);
    else node.setAttribute(key, value);
  }
  node.append(...children);
  return node;
}

// Colours while typing; the words come from the compiler's own tables.
const language = ({ keywords, blocks }) => StreamLanguage.define({
  startState: () => ({ long: false }),
  token(stream, state) {
    if (state.long) {
      if (stream.skipTo('"""')) { stream.match('"""'); state.long = false; } else stream.skipToEnd();
      return "string";
    }
    if (stream.eatSpace()) return null;
    if (stream.match(/#.*/)) return "comment";
    if (stream.match('"""')) { state.long = true; return "string"; }
    if (stream.match(/"(?:[^"\\]|\\.)*"?/)) return "string";
    if (stream.match(/[0-9][0-9_]*(?:\.[0-9_]+)?%?/)) return "number";
    const isFirst = !stream.string.slice(0, stream.pos).trim();
    const word = stream.match(/[A-Za-z_δεραμ][A-Za-z0-9_δεραμ]*/)?.[0];
    if (word && isFirst && blocks.has(word) && stream.match(/[^="]*\{/, false)) return "keyword";
    if (word && stream.match(/\s*=[^=]/, false)) return "propertyName";
    if (word) return keywords.has(word) ? "keyword" : "variableName";
    stream.next();
    return "operator";
  },
  languageData: { commentTokens: { line: "#" }, closeBrackets: { brackets: ["(", "[", "{", '"'] } },
});
const colours = HighlightStyle.define([
  { tag: tags.keyword, color: "var(--keyword)" },
  { tag: tags.propertyName, color: "var(--accent)" },
  { tag: tags.string, color: "var(--string)" },
  { tag: tags.number, color: "var(--number)" },
  { tag: tags.comment, color: "var(--comment)", fontStyle: "italic" },
]);
const look = EditorView.theme({
  "&": { color: "var(--ink)", backgroundColor: "var(--paper)" },
  ".cm-content": { caretColor: "var(--ink)" },
  ".cm-cursor": { borderLeftColor: "var(--ink)" },
  ".cm-gutters": { backgroundColor: "var(--panel)", color: "var(--soft)", borderRight: "1px solid var(--line)" },
  ".cm-activeLine": { backgroundColor: "color-mix(in srgb, var(--accent) 7%, transparent)" },
  ".cm-tooltip": { backgroundColor: "var(--panel)", color: "var(--ink)", border: "1px solid var(--line)" },
  ".cm-panels": { backgroundColor: "var(--panel)", color: "var(--ink)" },
  "&.cm-focused .cm-selectionBackground, .cm-selectionBackground": {
    backgroundColor: "color-mix(in srgb, var(--accent) 25%, transparent) !important",
  },
});

// What was computed, shown after what was written.
class Hint extends WidgetType {
  constructor(text, tooltip) { super(); this.text = text; this.tooltip = tooltip; }
  eq(other) { return other.text === this.text && other.tooltip === this.tooltip; }
  toDOM() { return element("span", { class: "hint", title: this.tooltip }, this.text); }
}
const setHints = StateEffect.define();
const hintField = StateField.define({
  create: () => Decoration.none,
  update(shown, change) {
    shown = shown.map(change.changes);
    for (const effect of change.effects) if (effect.is(setHints)) shown = effect.value;
    return shown;
  },
  provide: (field) => EditorView.decorations.from(field),
});
const hintMarks = (hints) => Decoration.set(
  hints.map((h) => Decoration.widget({ widget: new Hint(h.text, h.tooltip), side: 1 }).range(h.at)), true);

// What the server cannot answer is said, and done without. It stays said until something else is asked for: findings
// that were on their way do not hide it.
let failed = false;
const asking = (question) => async (...args) => {
  try {
    failed = false;
    return await question(...args);
  } catch (error) {
    failed = true;
    say(error.message, "error");
    return null;
  }
};

const offers = asking(async (context) => {
  const before = context.matchBefore(/[\wδεραμ]+/);
  const after = context.state.sliceDoc(Math.max(0, context.pos - 2), context.pos);
  if (!context.explicit && !before && !/[=([,] ?$|["/]$/.test(after)) return null;
  const found = await ask("complete", { text: context.state.doc.toString(), at: context.pos });
  const types = { snippet: "text", value: "constant", unit: "type", module: "namespace", enumMember: "enum", file: "text", folder: "text" };
  return {
    from: found.from,
    options: found.options.map((o) => ({
      label: o.label, detail: o.detail, boost: -10 * o.rank, type: types[o.kind] ?? o.kind,
      apply: snippet(o.snippet),
      info: o.documentation ? () => element("div", { class: "about" }, o.documentation.replaceAll("**", "")) : undefined,
    })),
  };
});

const about = hoverTooltip(asking(async (view, at) => {
  const found = await ask("hover", { text: view.state.doc.toString(), at });
  if (!found.text) return null;
  const text = found.text.replaceAll("**", "").replaceAll("  \n", "\n");
  return { pos: found.from, end: found.to, create: () => ({ dom: element("div", { class: "about" }, text) }) };
}));

let view;
const text = () => view.state.doc.toString();

function start(content, words) {
  const changed = EditorView.updateListener.of((update) => { if (update.docChanged) schedule(); });
  const save = { key: "Mod-s", run: () => { store(); return true; } };
  return EditorState.create({
    doc: content,
    extensions: [
      lineNumbers(), history(), drawSelection(), highlightActiveLine(), bracketMatching(), closeBrackets(),
      highlightSelectionMatches(), indentUnit.of("  "), language(words), syntaxHighlighting(colours), look,
      autocompletion({ override: [offers] }), about, lintGutter(), hintField, changed,
      keymap.of([save, ...closeBracketsKeymap, ...defaultKeymap, ...searchKeymap, ...historyKeymap, ...completionKeymap, indentWithTab]),
      EditorView.contentAttributes.of({ "aria-label": "Registration source" }),
    ],
  });
}

let timer;
function schedule() {
  failed = false;
  byId("save").disabled = text() === saved;
  clearTimeout(timer);
  timer = setTimeout(check, PAUSE);
}

// Answers to older questions are dropped: the last question wins.
async function check() {
  const mine = ++asked, source = text();
  const isCurrent = () => mine === asked && source === text();
  byId("plan").classList.add("stale");
  try {
    const found = await ask("check", { text: source });
    if (!isCurrent()) return;
    showFindings(found);
    const plan = await ask("plan", { text: source });
    if (!isCurrent()) return;
    showPlan(plan);
    if (found.sound && !byId("document").hidden) {
      const page = await ask("document", { text: source });
      if (isCurrent()) showDocument(page);
    }
  } catch (error) {
    say(error.message, "error");
  }
}

function say(message, kind) {
  byId("status").textContent = message;
  byId("status").className = kind;
}

function apply(edits) {
  view.dispatch({ changes: edits, scrollIntoView: true, userEvent: "input.fix" });
  view.focus();
}

function showFindings(found) {
  const marks = found.findings.map((f) => ({
    from: f.from, to: Math.max(f.to, f.from), severity: f.severity, source: f.code,
    message: [f.message, ...f.notes, f.help].filter(Boolean).join("\n"),
    actions: f.fixes.map((fix) => ({ name: fix.title, apply: () => apply(fix.edits) })),
  }));
  view.dispatch(setDiagnostics(view.state, marks));
  view.dispatch({ effects: setHints.of(hintMarks(found.hints)) });
  const order = ["error", "warning", "info"];
  const sorted = found.findings.toSorted((a, b) => order.indexOf(a.severity) - order.indexOf(b.severity));
  const more = sorted.length - MOST;
  byId("list").replaceChildren(...sorted.slice(0, MOST).map(row),
    ...(more > 0 ? [element("li", {}, `and ${more} more, marked in the source`)] : []));
  byId("findings").hidden = found.findings.length === 0;
  const [errors, warnings, notes] = order.map((kind) => sorted.filter((f) => f.severity === kind).length);
  const count = (n, noun) => n && `${n} ${noun}${n === 1 ? "" : "s"}`;
  const parts = [count(errors, "error"), count(warnings, "warning"), count(notes, "note")].filter(Boolean);
  if (!failed) say(parts.join(", ") || "no findings", errors ? "error" : warnings ? "warning" : "ok");
  byId("frame").classList.toggle("stale", !found.sound);
}

function row(f) {
  const go = () => {
    view.dispatch({ selection: { anchor: f.from, head: f.to }, scrollIntoView: true });
    view.focus();
  };
  const place = f.line ? `line ${f.line}: ` : "";
  return element("li", { class: f.severity },
    element("button", { class: "where", type: "button", onclick: go }, element("code", {}, f.code), place + f.message),
    ...[...f.notes, f.help].filter(Boolean).map((remark) => element("p", {}, remark)),
    ...f.fixes.map((fix) => element("button", { class: "fix", type: "button", onclick: () => apply(fix.edits) }, fix.title)));
}

const SIZES = [["challenger episodes", "recovery", "episodes"], ["positive controls", "recovery", "positive_controls"],
  ["feedback pairs", "feedback", "pairs"], ["null pairs", "feedback", "null_pairs"]];
const shown = (value) => (value === undefined ? "–" : String(value).replace(/^(-?\d+\.\d{4})\d+$/, "$1…"));

function table(label, head, rows) {
  const cells = (tag, row) => element("tr", {}, ...row.map((cell, i) =>
    element(tag, tag === "td" && head[i] === "used" ? { class: "used" } : {}, shown(cell))));
  const body = element("table", {}, element("thead", {}, cells("th", head)), element("tbody", {}, ...rows.map((r) => cells("td", r))));
  return element("div", { class: "scroll", tabindex: 0, role: "region", "aria-label": label }, body);
}

function showPlan({ plan, curve }) {
  const panel = byId("plan");
  panel.classList.remove("stale");
  if (!plan) {
    panel.replaceChildren(element("p", {}, "The plan appears when every size can be computed."));
    return;
  }
  const sizes = SIZES.filter(([, gate]) => plan[gate]).map(([label, gate, key]) => {
    const size = plan[gate][key];
    return [label, size.declared ?? "auto", size.least, size.safe, size.assured, size.used, size.bound, size.certificate?.threshold];
  });
  const hours = (Number(plan.time.amount) / 3600).toFixed(1);
  const totals = [["sessions", `${plan.sessions} (reference design ${plan.reference_sessions})`],
    ["cost", `${plan.cost.amount} ${plan.cost.unit}`], ["time", `${hours} h one after another`]];
  if (plan.assurance) totals.push(["assurance", plan.assurance.audit]);
  panel.replaceChildren(
    element("h2", {}, "Sample sizes"),
    table("Sample sizes", ["", "declared", "least", "safe", "assured", "used", "bound", "threshold"], sizes),
    element("h2", {}, "Error budget"), table("Error budget", Object.keys(plan.errors), [Object.values(plan.errors)]),
    element("h2", {}, "The whole audit"), table("The whole audit", ["", ""], totals),
    element("h2", {}, "Operating characteristic"),
    element("img", { alt: "Probability that no challenger recovers, against the true recovery probability",
      src: `data:image/svg+xml;utf8,${encodeURIComponent(curve)}` }));
}

function showDocument({ html }) {
  byId("no-document").hidden = Boolean(html);
  byId("frame").hidden = !html;
  if (html) byId("frame").srcdoc = html;
}

function choose(tab) {
  for (const each of document.querySelectorAll("[role=tab]")) {
    const isChosen = each === tab;
    each.setAttribute("aria-selected", isChosen);
    each.tabIndex = isChosen ? 0 : -1;
    byId(each.getAttribute("aria-controls")).hidden = !isChosen;
  }
  tab.focus();
  check();
}

const store = asking(async () => {
  const source = text();
  await ask("save", { text: source });
  saved = source;
  schedule();
});

// The editor has its own line ends: what it holds is compared with what it held.
const open = asking(async (file, words) => {
  byId("files").value = name;
  const found = await ask("open", { name: file });
  byId("files").value = name = file;
  document.title = `${name} · dcpc`;
  view.setState(start(found.text, words));
  saved = text();
  byId("save").disabled = true;
  await check();
});

const layOut = asking(async () => apply((await ask("format", { text: text() })).edits));

async function main() {
  view = new EditorView({ parent: byId("editor") });
  const { files, ...known } = await ask("files");
  const words = { keywords: new Set(known.keywords), blocks: new Set(known.blocks) };
  byId("files").append(...files.map((file) => element("option", {}, file)));
  byId("files").addEventListener("change", (event) => {
    if (text() !== saved && !confirm("Leave the changes unsaved?")) event.target.value = name;
    else open(event.target.value, words);
  });
  byId("save").addEventListener("click", store);
  byId("format").addEventListener("click", layOut);
  for (const tab of document.querySelectorAll("[role=tab]")) {
    tab.addEventListener("click", () => choose(tab));
    tab.addEventListener("keydown", (event) => {
      const other = document.querySelector("[role=tab][aria-selected=false]");
      if (event.key === "ArrowLeft" || event.key === "ArrowRight") choose(other);
    });
  }
  addEventListener("beforeunload", (event) => { if (text() !== saved) event.preventDefault(); });
  if (files.length) await open(files[0], words);
  else say("there is no .dcp file here", "warning");
}

main().catch((error) => say(error.message, "error"));
