"""A decision record as rows of text, in reading order: what the terminal page and the documents share."""

from collections.abc import Iterator, Mapping
from fractions import Fraction
from typing import Any, NamedTuple

#: Longest exact number shown in full; a longer one is cut, and an ellipsis says so.
_FULL = 20
_CUT_PLACES = 12

VERDICTS = {
    "certified": "certified",
    "refuted": "refuted",
    "inconclusive": "inconclusive",
    "not_tested": "not tested",
    None: "no verdict",
}
OUTCOMES = {
    "evidence_certified": "Evidence certified",
    "core_certified": "Core certified",
    "recovered": "Recovered: a challenger reached the outcome, Core is refuted",
    "refuted": "Refuted: the outcome itself does not hold",
    "statistical_uncertainty": "Inconclusive: a complete audit whose interval crosses a threshold",
    "audit_incomplete": "Inconclusive: the audit is incomplete",
    "unreadable": "No decision: the bundle cannot be read",
}


class Section(NamedTuple):
    """A titled table; `id` is stable, for links and for the panel that belongs to it."""

    id: str
    title: str
    rows: tuple[tuple[str, str], ...]


def shown(text: Any) -> str:
    """An exact number in full, or cut towards zero with an ellipsis; any other value as it is."""
    if text is None:
        return "none"
    if not isinstance(text, str) or len(text) <= _FULL:
        return str(text)
    try:
        value = Fraction(text)
    except ValueError:
        return text
    digits = str(abs(value.numerator) * 10**_CUT_PLACES // value.denominator).rjust(_CUT_PLACES + 1, "0")
    sign = "-" if value < 0 else ""
    return f"{sign}{digits[:-_CUT_PLACES]}.{digits[-_CUT_PLACES:]}…"


def interval(ends: list[str] | None) -> str:
    return "none" if ends is None else f"[{shown(ends[0])}, {shown(ends[1])}]"


def yes(flag: bool | None) -> str:
    return {True: "yes", False: "NO", None: "not applicable"}[flag]


def sections(record: Mapping[str, Any]) -> Iterator[Section]:
    """The sections of a decision record in its JSON form; a gate that was not scored has none."""
    yield Section("verdict", "Verdict", tuple(_verdict(record)))
    quantities = record["quantities"] or {}
    for name, title, rows in _GATES:
        if quantities.get(name) is not None:
            yield Section(name, title, tuple(rows(quantities[name])))
    if quantities:
        yield Section("scope", "Scope", tuple(_scope(quantities)))
        yield Section("budget", "Error budget and cost", tuple(_budget(quantities)))
    if record["binding"] is not None:
        yield Section("binding", "Frozen registration", tuple(_binding(record["binding"])))
    if record["boundaries"]:
        yield Section(
            "boundaries", "Where the kernel's doubles decide differently", tuple(_boundaries(record))
        )
    if record["concerns"]:
        doubts = tuple((concern["code"], concern["message"]) for concern in record["concerns"])
        yield Section("concerns", "Concerns", doubts)


Rows = Iterator[tuple[str, str]]


def _verdict(record: Mapping[str, Any]) -> Rows:
    decision, bundle = record["decision"], record["bundle"]
    yield "outcome", OUTCOMES[decision["outcome"]]
    yield "Core", _grade(decision["core"], decision["core_class"])
    yield "Evidence", _grade(decision["evidence"], decision["evidence_class"])
    if decision["reason"] is not None:
        yield "reason", decision["reason"]
    yield "record replays", yes(decision["replayed"])
    for fault in bundle["faults"]:
        yield "fault", fault
    if bundle["differences"]:
        yield "certificate differs at", ", ".join(bundle["differences"])
    bound = "no registration was given" if record["binding"] is None else yes(record["bound"])
    yield "bound to its registration", bound
    yield "kernel agrees", yes(record["kernel_agrees"])
    if record["peer"] is not None:
        yield "dcp-audit", record["peer"]
    yield "bundle", shown(bundle["bundle"])


def _grade(verdict: str | None, missing: str | None) -> str:
    named = VERDICTS[verdict]
    return named if missing in (None, "null") else f"{named} ({str(missing).replace('_', ' ')})"


def _outcome(gate: Mapping[str, Any]) -> Rows:
    yield "x, score of the target", shown(gate["x"])
    yield "score of the baseline", shown(gate["baseline"])
    yield "gain", f"{shown(gate['gain'])}, interval {interval(gate['gain_interval'])}"
    yield "δ_min", shown(gate["delta_min"])
    yield "recovery line x - ε", f"{shown(gate['recovery_line'])} (ε = {shown(gate['epsilon'])})"
    yield "validity", f"target {gate['validity']}, baseline {gate['baseline_validity']}"
    yield "population", f"{gate['population'].replace('_', ' ')}, {gate['units']} private unit(s)"


def _recovery(gate: Mapping[str, Any]) -> Rows:
    controls = gate["positive_controls"]
    yield "status", gate["status"].replace("_", " ")
    yield "episodes", f"{gate['episodes']} started, {gate['independent_episodes']} independent and evaluable"
    yield "required", f"{gate['required_episodes']} independent episodes"
    yield "candidates", ", ".join(f"{n} {name.replace('_', ' ')}" for name, n in gate["statuses"].items())
    for witness in gate["witnesses"]:
        yield (
            "witness",
            f"{witness['attempt']}: score {shown(witness['score'])}, artifact {witness['artifact']}",
        )
    yield "zero-hit bound", f"{shown(gate['zero_hit_bound'])} against ρ = {shown(gate['rho'])}"
    recall = f"recall ≥ {shown(controls['recall_lower_bound'])}, minimum {shown(controls['minimum'])}"
    yield "positive controls", f"{controls['recovered']}/{controls['trials']}, {recall}"
    yield "adequate", yes(gate["adequate"])
    for reason in gate["inadequacies"]:
        yield "inadequate", reason


def _feedback(gate: Mapping[str, Any]) -> Rows:
    yield "status", gate["status"].replace("_", " ")
    yield "checkpoint", gate["checkpoint_scope"].replace("_", " ")
    yield "pairs", _pairs(gate["pairs"], "truthful", "neutral")
    yield "effect, checkpoint-conditional", interval(gate["interval"])
    margin = f"{shown(gate['delta_evidence'])} + {shown(gate['delta_sham'])}"
    yield "δ_evidence + δ_sham", f"{margin} = {shown(gate['margin'])}"
    yield "both arms healthy", yes(gate["healthy"])


def _calibration(gate: Mapping[str, Any]) -> Rows:
    yield "status", gate["status"]
    yield "pairs", _pairs(gate["pairs"], "reference null", "neutral")
    yield "difference on null tasks", interval(gate["interval"])
    yield "band ±δ_sham", f"[-{shown(gate['band'])}, {shown(gate['band'])}]"


def _pairs(pairs: Mapping[str, Any], first: str, second: str) -> str:
    text = f"{pairs['started']} started, {pairs['analysed']} analysed"
    if "both" not in pairs:
        return text
    return (
        f"{text}: {pairs['first_only']} {first} only, {pairs['second_only']} {second} only, "
        f"{pairs['both']} both, {pairs['neither']} neither"
    )


def _neutral(gate: Mapping[str, Any]) -> Rows:
    yield "status", gate["status"].replace("_", " ")
    yield "branches", f"{gate['branches']}, of which {gate['hits']} recovered"
    yield (
        "zero-hit bound",
        f"{shown(gate['zero_hit_bound'])} against ρ_placebo = {shown(gate['rho_placebo'])}",
    )
    yield "counts against Core", yes(gate["counts_against_core"])


_GATES = (
    ("outcome", "Gate 1: outcome", _outcome),
    ("recovery", "Gate 2: recovery", _recovery),
    ("feedback", "Gate 3: feedback", _feedback),
    ("calibration", "Null calibration", _calibration),
    ("neutral", "Neutral recovery, kept separate", _neutral),
)


def _scope(quantities: Mapping[str, Any]) -> Rows:
    scope, time = quantities["scope"], quantities["temporal_scope"]
    information = scope["information"]
    yield "claim", scope["claim"]
    yield "grade requested", scope["grade"]
    yield "model", scope["model"]
    yield "interface", scope["interface"]
    yield "task family", scope["task_family"]
    yield "attribution", f"{scope['attribution']}, human assistance {scope['human_assistance']}"
    for name in ("known", "given", "lineage", "web"):
        yield f"information, {name}", information[name]
    yield "Web replay", information["web_replay"].replace("_", " ")
    yield "outcome contract", scope["outcome_contract"]
    yield "resources", scope["resources"]
    knowledge = f", knowledge {time['knowledge']}" if time["knowledge"] else ""
    yield "temporal scope", time["mode"] + knowledge


def _budget(quantities: Mapping[str, Any]) -> Rows:
    budget = quantities["budget"]
    for name, alpha in budget["alphas"].items():
        yield name.replace("_", " "), shown(alpha)
    yield "family", f"{budget['family']}, {budget['family_audits']} audit(s), slot {budget['slot']}"
    yield "cost", quantities["cost"] or "not recorded in the bundle"


def _binding(binding: Mapping[str, Any]) -> Rows:
    yield "registration", binding["registration"]
    yield "mode", binding["mode"]
    yield "signatures verified", binding["sealed_by"] or "none were given"
    if binding["unmatched"]:
        yield "only the run knows", ", ".join(binding["unmatched"])
    for item in binding["mismatches"]:
        yield f"differs: {item['field']}", f"frozen {shown(item['frozen'])}, bundle {shown(item['bundle'])}"
    for item in binding["obligations"]:
        met = {True: "met", False: "NOT met", None: f"not decided: {item['reason']}"}[item["met"]]
        yield f"{item['code']} {item['condition']}".strip(), met


def _boundaries(record: Mapping[str, Any]) -> Rows:
    for item in record["boundaries"]:
        exact, kernel = item["exact"], item["kernel"]
        text = f"exact {_side(exact)}; kernel {_side(kernel)}"
        yield item["question"], text


def _side(side: Mapping[str, str]) -> str:
    return f"{side['decision']} on {side['value']}" if side["value"] else side["decision"]
