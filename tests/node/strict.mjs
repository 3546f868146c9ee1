// A second reader of frozen files, written from tests/vectors/README.md alone. Node 20, no dependencies.
//
// Objects become Maps, so that no key is special and the order is the one of the document.

import { createHash } from "node:crypto";

export const MAX_BYTES = 16 * 1024 * 1024;
export const MAX_DEPTH = 64;
export const MAX_NUMBER_CHARS = 4096;

/** A refusal; `kind` is one of the kinds in tests/vectors/README.md. */
export class StrictError extends Error {
  constructor(kind) {
    super(kind);
    this.kind = kind;
  }
}

const refuse = (kind) => {
  throw new StrictError(kind);
};

// -- exact numbers ---------------------------------------------------------------------------------

/** [p, q] in lowest terms (BigInts, q > 0). */
function reduce(p, q) {
  let [a, b] = [p, q];
  while (b) [a, b] = [b, a % b];
  const common = a < 0n ? -a : a;
  return [p / common, q / common];
}

/** Digits after the point in the decimal of a fraction with reduced denominator q, undefined if endless. */
function decimalPlaces(q) {
  const powers = [2n, 5n].map((prime) => {
    let power = 0;
    for (; q % prime === 0n; q /= prime) power += 1;
    return power;
  });
  return q === 1n ? Math.max(...powers) : undefined;
}

/** The one spelling of p/q (BigInts, q > 0). */
export function numberText(p, q) {
  [p, q] = reduce(p, q);
  const places = decimalPlaces(q);
  if (places === undefined) return `${p}/${q}`;
  const scaled = (p * 10n ** BigInt(places)) / q;
  const digits = String(scaled).replace("-", "").padStart(places + 1, "0");
  const point = digits.length - places;
  return (scaled < 0n ? "-" : "") + digits.slice(0, point) + (places ? "." + digits.slice(point) : "");
}

/** [p, q] in lowest terms of a text that is exactly what `numberText` writes, else a refusal. */
export function parseNumber(text) {
  if (typeof text !== "string" || text.length > MAX_NUMBER_CHARS) refuse("number-spelling");
  const [, whole, fraction = "", below] =
    /^(-?[0-9]+)(?:\.([0-9]+)|\/([0-9]+))?$/.exec(text) ?? refuse("number-spelling");
  const q = below === undefined ? 10n ** BigInt(fraction.length) : BigInt(below);
  if (q === 0n) refuse("number-spelling");
  const value = reduce(BigInt(whole + fraction), q);
  return numberText(...value) === text ? value : refuse("number-spelling");
}

// -- strict JSON -----------------------------------------------------------------------------------

const STRING = /"((?:[^"\\\u0000-\u001f]|\\(?:["\\/bfnrt]|u[0-9a-fA-F]{4}))*)"/y;
const NUMBER = /-?(?:0|[1-9][0-9]*)(\.[0-9]+)?([eE][+-]?[0-9]+)?/y;
const NAME = /-?[A-Za-z]+/y;
const NAMES = new Map([["true", true], ["false", false], ["null", null]]);
const NOT_FINITE = new Set(["NaN", "Infinity", "-Infinity"]);

class Reader {
  constructor(text) {
    this.text = text;
    this.at = 0;
    this.depth = 0;
  }

  match(pattern) {
    pattern.lastIndex = this.at;
    return pattern.exec(this.text);
  }

  peek() {
    while (" \t\n".includes(this.text[this.at] ?? "end")) this.at += 1;
    return this.text[this.at];
  }

  take(mark) {
    if (this.peek() !== mark) return false;
    this.at += 1;
    return true;
  }

  expect(mark) {
    if (!this.take(mark)) refuse("syntax");
  }

  document() {
    const value = this.value();
    if (this.peek() !== undefined) refuse("syntax");
    return value;
  }

  value() {
    const head = this.peek();
    if (head === '"') return this.string();
    if (head === "{" || head === "[") return this.container(head);
    const number = this.match(NUMBER);
    return number ? this.number(number) : this.name();
  }

  container(head) {
    if (this.depth >= MAX_DEPTH) refuse("too-deep");
    this.depth += 1;
    this.at += 1;
    const result = head === "{" ? this.object() : this.array();
    this.depth -= 1;
    return result;
  }

  object() {
    const result = new Map();
    if (this.take("}")) return result;
    do {
      if (this.peek() !== '"') refuse("syntax");
      const key = this.string();
      if (result.has(key)) refuse("duplicate-key");
      this.expect(":");
      result.set(key, this.value());
    } while (this.take(","));
    this.expect("}");
    return result;
  }

  array() {
    const result = [];
    if (this.take("]")) return result;
    do result.push(this.value());
    while (this.take(","));
    this.expect("]");
    return result;
  }

  string() {
    const match = this.match(STRING) ?? refuse("syntax");
    this.at += match[0].length;
    const text = JSON.parse(match[0]);
    return text.isWellFormed() ? text : refuse("lone-surrogate");
  }

  number([literal, fraction, exponent]) {
    const value = Number(literal);
    if (fraction || exponent) refuse(Number.isFinite(value) ? "float-in-frozen-file" : "not-finite");
    if (!Number.isSafeInteger(value)) refuse("integer-too-large");
    this.at += literal.length;
    return value;
  }

  name() {
    const word = this.match(NAME)?.[0];
    if (NOT_FINITE.has(word)) refuse("not-finite");
    if (!NAMES.has(word)) refuse("syntax");
    this.at += word.length;
    return NAMES.get(word);
  }
}

function decode(bytes) {
  if (bytes.length > MAX_BYTES) refuse("too-large");
  if (bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf) refuse("byte-order-mark");
  let text;
  try {
    text = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    refuse("not-utf8");
  }
  return text.includes("\r") ? refuse("carriage-return") : text;
}

/** The RFC 8785 text of a value that `loadStrict` returns. */
export function canonicalText(value) {
  if (Array.isArray(value)) return `[${value.map(canonicalText).join(",")}]`;
  if (!(value instanceof Map)) return JSON.stringify(value); // -0 is "0", and escapes are those of RFC 8785
  const keys = [...value.keys()];
  if (!keys.every((key) => /^[\u0000-\u007f]*$/.test(key))) refuse("non-ascii-key");
  const members = keys.sort().map((key) => `${JSON.stringify(key)}:${canonicalText(value.get(key))}`);
  return `{${members.join(",")}}`;
}

/** "sha256:" and the hexadecimal SHA-256 of bytes, or of the UTF-8 of a text. */
export const digest = (data) => "sha256:" + createHash("sha256").update(data).digest("hex");

/** Any strict JSON: step 1 without the canonical form. */
export const parseStrict = (bytes) => new Reader(decode(bytes)).document();

/** The value of a frozen file: step 1. */
export function loadStrict(bytes) {
  const text = decode(bytes);
  if (text.endsWith("\n")) refuse("trailing-newline");
  const value = new Reader(text).document();
  return canonicalText(value) === text ? value : refuse("not-canonical");
}

// -- spelling --------------------------------------------------------------------------------------

const isDigest = (text) => typeof text === "string" && text.length === 71 && /^sha256:[0-9a-f]{64}$/.test(text);

/** Step 2: refuse misspelt members named `number` and `digest`, at any depth. */
export function checkSpelling(value) {
  if (value instanceof Map) checkMembers(value);
  for (const part of value instanceof Map || Array.isArray(value) ? value.values() : []) checkSpelling(part);
}

function checkMembers(value) {
  if (value.has("number")) parseNumber(value.get("number"));
  if (!value.has("digest")) return;
  if (!isDigest(value.get("digest"))) refuse("digest-spelling");
  const mismatch = value.has("content") && digest(canonicalText(value.get("content"))) !== value.get("digest");
  if (mismatch) refuse("digest-mismatch");
}
