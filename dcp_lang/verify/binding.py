"""Holding a bundle to the registration that was frozen before the audit ran."""

from collections.abc import Collection, Mapping, Sequence
from fractions import Fraction
from typing import Any, NamedTuple

from dcp_lang.verify.obligations import evaluate, known_value

PROSPECTIVE, RETROSPECTIVE = "prospective", "retrospective"


class Frozen(NamedTuple):
    """What the verifier takes from a frozen registration; see `frozen_registration`."""

    digest: str
    #: Kernel field -> the value that its projection gives, for all but the late fields.
    expected: Mapping[str, Any]
    #: Kernel fields that only the run can know (contract hashes, the audit slot), each with the name of its
    #: value in the runner's contracts.
    late_fields: Mapping[str, str]
    #: Exact thresholds by kernel field, and `epsilon`: what the kernel's doubles stand for.
    thresholds: Mapping[str, Fraction] = {}
    obligations: Sequence[Mapping[str, Any]] = ()
    mode: str = PROSPECTIVE
    #: Numbers that the kernel does not register.
    episodes: int | None = None
    positive_controls: int | None = None
    #: The declared score of the baseline, where it is not sealed.
    baseline: Fraction | None = None
    cost: str | None = None
    knowledge: str | None = None
    #: Whose signatures over the registration were verified: "claimant", or "claimant and authority".
    sealed_by: str | None = None


def held_to_contracts(frozen: Frozen, contracts: Mapping[str, Any]) -> Frozen:
    """`frozen` with the late fields that `contracts` (the run's own, or the expected ones) tell: they are
    expected from now on. The others stay late, and must only be there.
    """
    told = {field: contracts[name] for field, name in frozen.late_fields.items() if name in contracts}
    rest = {field: name for field, name in frozen.late_fields.items() if field not in told}
    return frozen._replace(expected={**frozen.expected, **told}, late_fields=rest)


class Mismatch(NamedTuple):
    """One field in which the bundle's registration is not the frozen one's projection."""

    field: str
    frozen: Any
    bundle: Any


class Discharge(NamedTuple):
    """One obligation with the actual scores: `met`, or None with why it could not be evaluated."""

    code: str
    condition: str
    met: bool | None
    reason: str = ""


class Binding(NamedTuple):
    """The bundle against the frozen registration: it binds when there is no mismatch."""

    frozen: Frozen
    mismatches: tuple[Mismatch, ...]
    obligations: tuple[Discharge, ...]

    @property
    def holds(self) -> bool:
        return not self.mismatches

    @property
    def unmet(self) -> tuple[Discharge, ...]:
        return tuple(item for item in self.obligations if item.met is not True)


#: Stands for a field that one side lacks.
ABSENT = "(absent)"


def bind(
    bundle: Mapping[str, Any], expected: Mapping[str, Any], late_fields: Collection[str]
) -> tuple[Mismatch, ...]:
    """Every field in which the bundle's kernel registration differs from the projection `expected`.

    Values must be equal in kind too (true is not 1, 96 is not 96.0). Late fields must be there, with any value;
    what the runner's contracts tell of them is in `expected` by then (`held_to_contracts`). A field that the
    bundle leaves to the peer's default counts as absent.
    """
    names = sorted({*bundle, *expected, *late_fields})
    pairs = ((name, expected.get(name, ABSENT), bundle.get(name, ABSENT)) for name in names)
    return tuple(
        Mismatch(name, frozen, found)
        for name, frozen, found in pairs
        if not _agree(name, frozen, found, late_fields)
    )


def _agree(name: str, frozen: Any, found: Any, late_fields: Collection[str]) -> bool:
    if name in late_fields:
        return found is not ABSENT
    return bool(frozen == found and _kinds(frozen) == _kinds(found))


def _kinds(value: Any) -> Any:
    if isinstance(value, dict):
        return {key: _kinds(item) for key, item in value.items()}
    return [_kinds(item) for item in value] if isinstance(value, list) else type(value)


def counts(frozen: Frozen, episodes: int, positive_controls: Any) -> tuple[Mismatch, ...]:
    """Registered numbers that the kernel does not hold, against what the bundle discloses."""
    planned = (
        ("challenger episodes", frozen.episodes, episodes),
        ("positive controls", frozen.positive_controls, positive_controls),
    )
    return tuple(Mismatch(*row) for row in planned if row[1] is not None and row[1] != row[2])


def discharge(obligation: Mapping[str, Any], actual: Mapping[str, Fraction]) -> Discharge:
    """Evaluate one obligation of the frozen JSON with the actual x and score(b)."""
    asked = str(obligation.get("code", "")), str(obligation.get("condition", ""))
    known = {name: known_value(text) for name, text in obligation.get("known", {}).items()}
    try:
        met = evaluate(obligation["expression"], {**known, **actual})
    except KeyError as error:
        return Discharge(*asked, None, f"{error.args[0]} is not known")
    except (ValueError, TypeError, ArithmeticError) as error:
        return Discharge(*asked, None, str(error))
    if type(met) is not bool:
        return Discharge(*asked, None, "it is not a condition")
    return Discharge(*asked, met)
