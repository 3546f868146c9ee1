// What a second reader checks of a frozen registration beyond its form: digests, certificates, sums.
//
// Written from docs/format.md. Numbers are pairs of BigInts [p, q] in lowest terms; nothing is rounded but where
// a power is enclosed, and there both ends are kept.

import { canonicalText, digest, parseNumber } from "./strict.mjs";

const reduce = ([p, q]) => {
  let [a, b] = [p < 0n ? -p : p, q];
  while (b) [a, b] = [b, a % b];
  return a ? [p / a, q / a] : [0n, 1n];
};
const add = ([a, b], [c, d]) => reduce([a * d + c * b, b * d]);
const times = ([a, b], [c, d]) => reduce([a * c, b * d]);
const minus = (x, y) => add(x, [-y[0], y[1]]);
const compare = ([a, b], [c, d]) => (a * d < c * b ? -1 : a * d > c * b ? 1 : 0);
const equal = (x, y) => compare(x, y) === 0;
const whole = (n) => [BigInt(n), 1n];
const ONE = whole(1);
const over = (x, n) => reduce([x[0], x[1] * BigInt(n)]);

/** Whether p^n <= bound: in full for small powers, else by squaring with both roundings. */
function powerAtMost(p, n, bound) {
  if (n * p[1].toString(2).length <= 200_000) {
    const power = BigInt(n);
    return p[0] ** power * bound[1] <= bound[0] * p[1] ** power;
  }
  for (let bits = 192n; ; bits *= 2n) {
    const [low, high] = fixedPower(p, n, bits);
    if (compare([high, 1n << bits], bound) <= 0) return true;
    if (compare([low, 1n << bits], bound) > 0) return false;
  }
}

function fixedPower([p, q], n, bits) {
  const up = (product) => -(-product >> bits);
  const bases = [(p << bits) / q, ((p << bits) + q - 1n) / q];
  let [low, high] = [1n << bits, 1n << bits];
  for (const digit of n.toString(2)) {
    [low, high] = [(low * low) >> bits, up(high * high)];
    if (digit === "1") [low, high] = [(low * bases[0]) >> bits, up(high * bases[1])];
  }
  return [low, high];
}

/** Whether p >= ln(x), x > 1: whether e^p >= x. */
function exceedsLogarithm(p, x) {
  let [term, total] = [ONE, ONE];
  for (let index = 1; ; index += 1) {
    term = over(times(term, p), index);
    total = add(total, term);
    if (compare(total, x) >= 0) return true;
    const settled = compare(whole(index), times(whole(2), p)) > 0;
    if (settled && compare(add(total, times(whole(2), term)), x) < 0) return false;
  }
}

const EPISODES = "gate.recovery.episodes";
const CONTROLS = "gate.recovery.positive_controls";
const PAIRS = "gate.feedback.pairs";
const NULL_PAIRS = "gate.feedback.null_pairs";

/** What each size must show by the registered numbers. */
function claims(fields) {
  const number = (path) => parseNumber(fields.get(path).get("value"));
  const [alphaR, rho] = [number("errors.recovery"), number("thresholds.rho")];
  const [alphaA, recall] = [number("errors.adequacy"), number("thresholds.recall_min")];
  const same = (limit) => limit;
  const rest = (limit) => minus(ONE, limit);
  const found = new Map([
    [EPISODES, { alpha: alphaR, threshold: rho, tail: alphaR, bases: rest(rho), most: 1, base: rest, upper: true }],
    [CONTROLS, { alpha: alphaA, threshold: recall, tail: alphaA, bases: recall, most: 1, base: same, upper: false }],
  ]);
  if (!fields.has(PAIRS)) return found;
  const [evidence, band] = [number("thresholds.delta_evidence"), number("thresholds.delta_sham")];
  const [alphaE, alphaS] = [number("errors.evidence"), number("errors.sham")];
  const margin = add(evidence, band);
  if (fields.get("gate.feedback.utility").get("value").get("choice") === "mean_score") {
    found.set(PAIRS, { alpha: alphaE, threshold: rest(margin), halfWidth: true, most: 1, upper: true });
    found.set(NULL_PAIRS, { alpha: alphaS, threshold: band, halfWidth: true, most: 1, upper: true });
    return found;
  }
  const middle = (limit) => over(add(ONE, limit), 2);
  const [tailE, tailS] = [over(alphaE, 4), over(alphaS, 4)];
  found.set(PAIRS, { alpha: alphaE, threshold: margin, tail: tailE, bases: add(ONE, margin), most: 2, base: middle, upper: false });
  found.set(NULL_PAIRS, { alpha: alphaS, threshold: band, tail: tailS, bases: rest(band), most: 1, base: rest, upper: true });
  return found;
}

/** Whether inequalities are true as written at n, of the right bound, and together enough. */
function partsHold(parts, claim, n, holds) {
  if (!Array.isArray(parts) || parts.length < 1 || parts.length > claim.most) return false;
  const relation = holds ? "<=" : ">";
  const needed = claim.halfWidth ? claim.threshold : claim.tail;
  const sound = parts.every((part) => {
    const p = parseNumber(part.get("p"));
    const shape =
      part.get("kind") === (claim.halfWidth ? "half-width" : "power") && part.get("n") === n && part.get("relation") === relation;
    if (!shape || !equal(parseNumber(part.get("bound")), needed)) return false;
    if (!claim.halfWidth) return p[0] >= 0n && compare(p, ONE) <= 0 && powerAtMost(p, n, claim.tail) === holds;
    const fits = compare(times(whole(14), p), times(whole(3 * (n - 1)), claim.threshold)) <= 0;
    return fits === holds && exceedsLogarithm(p, times(whole(4), [claim.alpha[1], claim.alpha[0]])) === holds;
  });
  if (!sound || claim.halfWidth) return sound;
  let total = parts.map((part) => parseNumber(part.get("p"))).reduce(add);
  if (parts.length === 1) total = times(total, whole(claim.most));
  return holds ? compare(total, claim.bases) >= 0 : compare(total, claim.bases) <= 0;
}

/** Whether an achieved limit is on the safe side of the true one, and reaches its threshold from the least n on. */
function boundHolds(bound, claim, planned, n) {
  const reaches = claim.upper ? compare(bound, claim.threshold) <= 0 : compare(bound, claim.threshold) >= 0;
  if (reaches !== planned >= n) return false;
  if (!claim.halfWidth) return powerAtMost(claim.base(bound), planned, claim.tail);
  const scaled = over(times(bound, whole(3 * (planned - 1))), 14);
  return exceedsLogarithm(scaled, times(whole(4), [claim.alpha[1], claim.alpha[0]]));
}

function sizeHolds(size, claim, registered, spare, isWaived) {
  const certificate = size.get("certificate");
  if (size.get("used") !== registered || !certificate) return false;
  if (size.has("declared") && size.get("declared") !== null && size.get("declared") !== registered) return false;
  const n = certificate.get("n");
  const valid = registered - spare;
  const first = claim.halfWidth ? 2 : 1;
  const below = certificate.get("below");
  return (
    size.get("least") >= n &&
    certificate.get("used") === size.get("least") &&
    certificate.get("planned") === valid &&
    (valid >= n || isWaived) &&
    equal(parseNumber(certificate.get("alpha")), claim.alpha) &&
    equal(parseNumber(certificate.get("threshold")), claim.threshold) &&
    partsHold(certificate.get("at_n"), claim, n, true) &&
    (n === first ? below.length === 0 : partsHold(below, claim, n - 1, false)) &&
    boundHolds(parseNumber(certificate.get("bound")), claim, valid, n)
  );
}

function sumFaults(fields, plan, sizes) {
  const faults = [];
  const alphas = [...fields.keys()].filter((path) => path.startsWith("errors.") && path !== "errors.total");
  const spent = alphas.map((path) => parseNumber(fields.get(path).get("value"))).reduce(add);
  if (compare(spent, parseNumber(fields.get("errors.total").get("value"))) > 0) faults.push("/fields/errors.total/value");
  const sessions = [...sizes.keys()]
    .filter((path) => plan.get("sizes").has(path))
    .map((path) => plan.get("sizes").get(path).get("used") * (path.includes("pairs") ? 2 : 1))
    .reduce((one, other) => one + other, 0);
  if (sessions !== plan.get("sessions")) faults.push("/plan/sessions");
  return faults;
}

function digestFaults(value) {
  const faults = [];
  value.get("profiles").forEach((profile, index) => {
    if (digest(profile.get("source")) !== profile.get("sha256")) faults.push(`/profiles/${index}/sha256`);
  });
  for (const [path, field] of value.get("fields")) {
    const folder = field.get("value");
    if (!(folder instanceof Map) || !folder.has("folder")) continue;
    if (digest(canonicalText(folder.get("files"))) !== folder.get("sha256")) faults.push(`/fields/${path}/value/sha256`);
  }
  return faults;
}

/** The JSON pointers of what does not hold. */
export function registrationFaults(value) {
  const [fields, plan] = [value.get("fields"), value.get("plan")];
  const sizes = claims(fields);
  const isWaived = value.get("waivers").length > 0;
  const faults = digestFaults(value);
  for (const [path, claim] of sizes) {
    const size = plan.get("sizes").get(path);
    const registered = fields.get(path).get("value");
    const spare = path === EPISODES ? fields.get("gate.recovery.spare").get("value") : 0;
    if (!size || !sizeHolds(size, claim, registered, spare, isWaived)) faults.push(`/plan/sizes/${path}`);
  }
  return [...faults, ...sumFaults(fields, plan, sizes)];
}
