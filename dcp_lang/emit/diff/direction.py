"""The class of a change: does it make the claim harder to pass, easier, another claim, or does it only say
more?

A change is seen from the claimant's side. `tightening` can only take passes away, `loosening` can add some; a
change that does both, like that of δ_sham (a narrower null band, but a smaller margin), counts as loosening.
`identity` changes what is tested; `prose` decides nothing.
"""

from __future__ import annotations

from fractions import Fraction

from dcp_lang.language.values import Amount, Choice, Value

PROSE, TIGHTENING, LOOSENING, IDENTITY = "prose", "tightening", "loosening", "identity"

#: Fields that decide nothing: words about the registration, planning assumptions, the trail of amendments.
_PROSE = ("title", "reason", "supersedes", "salt", "slot", "notes.", "parties.", "expect.", "budget.audit.")
#: A greater number makes it harder: for ε, because more challengers then recover; for the number of
#: candidates, because each score test then has a smaller share of its alpha.
_GREATER_IS_TIGHTER = frozenset(
    {
        "thresholds.delta_min",
        "thresholds.epsilon",
        "thresholds.recall_min",
        "thresholds.delta_evidence",
        "gate.recovery.episodes",
        "gate.recovery.spare",
        "gate.recovery.positive_controls",
        "gate.recovery.best_of",
        "gate.recovery.candidates",
        "gate.recovery.valid_rate",
        "gate.feedback.pairs",
        "gate.feedback.null_pairs",
        "gate.feedback.valid_rate",
        "budget.challenger.turns",
        "budget.challenger.cost",
        "budget.challenger.time",
        "budget.challenger.memory",
        "budget.challenger.cpus",
    }
)
_LESS_IS_TIGHTER = frozenset(
    {
        "thresholds.rho",
        "thresholds.rho_placebo",
        "errors.total",
        "errors.main",
        "errors.score",
        "errors.recovery",
        "errors.adequacy",
        "errors.evidence",
        "errors.sham",
        "errors.neutral",
        "gate.recovery.infrastructure_failures",
        "gate.recovery.model_failures",
        "gate.feedback.infrastructure_failures",
        "gate.feedback.model_failures",
        "gate.feedback.replacements.pairs",
        "gate.feedback.replacements.null_pairs",
    }
)
_BOTH_WAYS = frozenset({"thresholds.delta_sham"})
#: Lists that demand: an item more makes it harder.
_DEMANDS = frozenset(
    {"task.valid", "attestations"}
    | {f"policy.{who}.preserves" for who in ("truthful", "neutral", "reference_null", "challenger")}
)
#: Choices in the order of how much they claim.
_CLAIMS = frozenset({"gate.feedback.necessity", "information.web_contribution"})


def is_prose(path: str) -> bool:
    """Whether a field decides nothing."""
    return any(path == p or (p.endswith(".") and path.startswith(p)) for p in _PROSE)


def classify(path: str, old: Value | None, new: Value | None) -> str:
    """The class of a field's change; None stands for a field without a value."""
    if is_prose(path):
        return PROSE
    if path in _BOTH_WAYS:
        return LOOSENING
    if path in _DEMANDS:
        return _demands(old, new)
    if path in _CLAIMS:
        return TIGHTENING if _name(new) == "claimed" else LOOSENING
    if path in _GREATER_IS_TIGHTER | _LESS_IS_TIGHTER:
        return _number(old, new, path in _GREATER_IS_TIGHTER)
    return IDENTITY


def _name(value: Value | None) -> str:
    return value.name if isinstance(value, Choice) else ""


def _number(old: Value | None, new: Value | None, greater_is_tighter: bool) -> str:
    before, after = _size(old), _size(new)
    if before is None or after is None or before[1] != after[1]:
        return IDENTITY
    return TIGHTENING if (after[0] > before[0]) == greater_is_tighter else LOOSENING


def _size(value: Value | None) -> tuple[Fraction, str] | None:
    match value:
        case Fraction() | int():
            return Fraction(value), ""
        case Amount(number, unit):
            return number, unit
        case _:
            return None


def _demands(old: Value | None, new: Value | None) -> str:
    before = set(old) if isinstance(old, tuple) else set()
    after = set(new) if isinstance(new, tuple) else set()
    if before == after:
        return PROSE
    return TIGHTENING if before < after else LOOSENING
