// Answers requests in JSON, one a line on stdin, with one line of JSON each. A check is an entry of ANSWERS.

import { createInterface } from "node:readline";

import { registrationFaults } from "./registration.mjs";
import {
  StrictError,
  canonicalText,
  checkSpelling,
  digest,
  loadStrict,
  numberText,
  parseNumber,
  parseStrict,
} from "./strict.mjs";

const bytes = (base64) => Buffer.from(base64, "base64");

const ANSWERS = {
  /** A frozen file: its digest, from the value. */
  frozen: (data) => digest(canonicalText(loadStrict(bytes(data)))),
  /** The same, and the members that the vectors spell: see tests/vectors/README.md. */
  vector: (data) => {
    const value = loadStrict(bytes(data));
    checkSpelling(value);
    return digest(canonicalText(value));
  },
  /** A frozen registration: its digest, and the JSON pointers of what does not hold. */
  registration: (data) => {
    const value = loadStrict(bytes(data));
    return { digest: digest(canonicalText(value)), faults: registrationFaults(value) };
  },
  /** Any strict JSON without floats: its canonical bytes. */
  canonical: (data) => Buffer.from(canonicalText(parseStrict(bytes(data)))).toString("base64"),
  /** A number's text: its numerator and denominator as texts. */
  parse: (text) => parseNumber(text).map(String),
  /** Numerator and denominator as texts: the number's text. */
  spell: ([p, q]) => numberText(BigInt(p), BigInt(q)),
};

for await (const line of createInterface({ input: process.stdin })) {
  const [check, argument] = JSON.parse(line);
  let answer;
  try {
    answer = { ok: ANSWERS[check](argument) };
  } catch (error) {
    if (!(error instanceof StrictError)) throw error;
    answer = { kind: error.kind };
  }
  console.log(JSON.stringify(answer));
}
