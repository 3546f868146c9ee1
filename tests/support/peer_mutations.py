"""Random honest and dishonest variants of an audit, driven by a seeded generator."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import fields, is_dataclass, replace
from random import Random
from typing import Any

from dcp.types import RawAttemptOutcome, Validity
from peer_audits import Parts, Shape, core_audit, full_audit, lineage_empty, reseal

#: Values that a careless or hostile producer may put anywhere.
ODD = (
    None,
    "",
    "x",
    "  ",
    "unspecified",
    "a b",
    True,
    False,
    0,
    1,
    -1,
    3,
    10**6,
    0.0,
    0.5,
    1.5,
    -0.25,
    [],
    {},
    ["u0"],
    "é",
)


def random_audit(rng: Random) -> Parts:
    """An audit of random shape, usually close to some decision boundary, then perhaps damaged."""
    shape = Shape() if rng.random() < 0.4 else _shape(rng)
    options = _registration_changes(rng)
    grade = rng.random()
    parts = core_audit(shape, **options) if grade < 0.4 else full_audit(shape, **options)
    if parts.g3 is not None and rng.random() < 0.3:
        parts = lineage_empty(parts)
    for _ in range(rng.choice((0, 0, 0, 1, 1, 1, 2, 3))):
        parts = rng.choice(MUTATIONS)(parts, rng)
    return parts


def _shape(rng: Random) -> Shape:
    size = rng.choice((1, 2, 2, 3, 9))
    target = tuple(rng.choice((0.9, 1.0, 0.95)) for _ in range(size))
    n = rng.choice((3, 12, 76, 77, 77, 77, 78))
    pairs, nulls = rng.choice((2, 22, 22, 22)), rng.choice((2, 33, 33, 33))
    line = tuple(score - 0.005 for score in target)
    near = [tuple(0.4 for _ in target)] * n
    for index in rng.sample(range(n), rng.choice((0, 0, 0, 0, 0, 1))):
        near[index] = rng.choice((target, line, tuple(reversed(target))))
    gap = rng.choice((0.7, 0.7, 0.7, 0.7, 0.7, 0.05, 0.049, 0.005))
    return Shape(
        target,
        tuple(score - gap for score in target),
        tuple(near),
        rng.choice(((45, 45), (45, 45), (45, 45), (44, 45), (41, 45), (2, 2), (24, 24))),
        _hits(rng, pairs, rng.choice((1.0, 1.0, 0.95, 0.5, 0.0))),
        _hits(rng, pairs, rng.choice((0.0, 0.0, 0.05, 0.5))),
        tuple((1.0, float(hit)) for hit in _hits(rng, nulls, rng.choice((1.0, 1.0, 0.97, 0.3)))),
    )


def _hits(rng: Random, n: int, share: float) -> tuple[bool, ...]:
    return tuple(rng.random() < share for _ in range(n))


def _registration_changes(rng: Random) -> dict[str, Any]:
    changes: dict[str, Any] = {}
    if rng.random() < 0.15:
        changes |= {"inference_scope": "sampled_population", "ci_method": "bounded_empirical_bernstein"}
    if rng.random() < 0.15:
        continuous = ("sampled_population", "bounded_empirical_bernstein")
        changes |= {
            "feedback_estimand": "continuous",
            "feedback_utility_mapping": "mean_normalized_private_units_v1",
        }
        changes |= {"feedback_ci_method": continuous[1], "sham_ci_method": continuous[1]}
    if rng.random() < 0.2:
        changes |= {"necessity_claim_requested": True, "rho_placebo": rng.choice((0.05, 0.04))}
    if rng.random() < 0.2:
        changes |= {"gate3_pair_replacement_policy": "preaction_transport_pair_replacement_v1"}
        changes |= {"max_feedback_pair_replacements": rng.choice((0, 1, 2)), "max_sham_pair_replacements": 1}
    return changes


def _damage_record(record: Any, rng: Random) -> Any:
    name = rng.choice([field.name for field in fields(record)])
    current = getattr(record, name)
    if isinstance(current, RawAttemptOutcome):
        return replace(record, **{name: rng.choice(list(RawAttemptOutcome))})
    if isinstance(current, Validity):
        return replace(record, **{name: rng.choice(list(Validity))})
    if is_dataclass(current):
        return replace(record, **{name: _damage_record(current, rng)})
    if isinstance(current, tuple) and current:
        return replace(record, **{name: _damage_tuple(current, rng)})
    if name in ("per_unit", "unit_ids", "pairs", "controls"):
        return record
    return replace(record, **{name: rng.choice(ODD)})


def _damage_tuple(values: tuple[Any, ...], rng: Random) -> tuple[Any, ...]:
    index = rng.randrange(len(values))
    if is_dataclass(values[index]) and rng.random() < 0.7:
        changed = (_damage_record(values[index], rng),)
    elif is_dataclass(values[index]):
        changed = rng.choice(((), (values[index], values[index])))
    else:
        changed = rng.choice(
            ((), (values[index], values[index]), (rng.choice((0.95, 1, 0, "u9", "u 1", 2.0, -1, "q")),))
        )
    return values[:index] + changed + values[index + 1 :]


def _damage_part(name: str) -> Callable[[Parts, Random], Parts]:
    def damage(parts: Parts, rng: Random) -> Parts:
        part = getattr(parts, name)
        return parts if part is None else parts._replace(**{name: _damage_record(part, rng)})

    return damage


def _sealed(damage: Callable[[Parts, Random], Parts]) -> Callable[[Parts, Random], Parts]:
    """The same damage with honest hashes over it, where they can be formed."""

    def apply(parts: Parts, rng: Random) -> Parts:
        damaged = damage(parts, rng)
        try:
            return reseal(damaged)
        except (TypeError, ValueError, AttributeError, OverflowError):
            return damaged

    return apply


def _attempt_outcomes(parts: Parts, rng: Random) -> Parts:
    """Some challengers fail, are lost, or stay unresolved, with records that fit."""
    controls = list(parts.g2.controls)
    outcome = rng.choice(list(RawAttemptOutcome))
    for index in rng.sample(range(len(controls)), min(len(controls), rng.choice((1, 1, 2, 13)))):
        controls[index] = replace(
            controls[index],
            outcome=outcome,
            validity=Validity.UNRESOLVED,
            per_unit=None,
            unit_ids=(),
            artifact_hash="",
            infrastructure_outcome_independent=outcome == RawAttemptOutcome.INFRASTRUCTURE_INVALID,
        )
    return reseal(parts._replace(g2=replace(parts.g2, controls=tuple(controls))))


def _lost_arm(arm: Any, outcome: RawAttemptOutcome) -> Any:
    return replace(
        arm,
        outcome=outcome,
        validity=Validity.UNRESOLVED,
        utility=None,
        per_unit=None,
        unit_ids=(),
        artifact_hash="",
        infrastructure_outcome_independent=outcome == RawAttemptOutcome.INFRASTRUCTURE_INVALID,
    )


def _branch_outcomes(parts: Parts, rng: Random) -> Parts:
    if parts.g3 is None:
        return parts
    outcome, pairs = rng.choice(list(RawAttemptOutcome)), list(parts.g3.pairs)
    for index in rng.sample(range(len(pairs)), rng.choice((1, 1, 2))):
        pairs[index] = replace(pairs[index], neutral=_lost_arm(pairs[index].neutral, outcome))
    return reseal(parts._replace(g3=replace(parts.g3, pairs=tuple(pairs))))


def _replaced_pair(parts: Parts, rng: Random) -> Parts:
    """A lost pair before its replacement, well formed but for the registration's caps."""
    if parts.g3 is None:
        return parts
    pairs = list(parts.g3.pairs)
    index = rng.randrange(len(pairs))
    lost = RawAttemptOutcome.INFRASTRUCTURE_INVALID
    first = replace(
        pairs[index],
        pair_id="lost",
        block_id="block-lost",
        randomization_draw_receipt_hash="draw-lost",
        truthful=replace(
            _lost_arm(pairs[index].truthful, lost), branch_id="lt", prestart_contract_receipt_hash="r-lt"
        ),
        neutral=replace(
            _lost_arm(pairs[index].neutral, lost), branch_id="ln", prestart_contract_receipt_hash="r-ln"
        ),
    )
    pairs[index : index + 1] = [first, replace(pairs[index], replacement_of="lost")]
    g3 = replace(parts.g3, pairs=tuple(pairs), started_pair_count=len(pairs), no_pair_replacements=False)
    return reseal(parts._replace(g3=g3))


def _shared_episode(parts: Parts, rng: Random) -> Parts:
    """Two candidates of one episode (best of two)."""
    controls = list(parts.g2.controls)
    first, second = rng.sample(range(len(controls)), 2)
    controls[second] = replace(
        controls[second],
        independent_unit_id=controls[first].independent_unit_id,
        independent_draw_receipt_hash=controls[first].independent_draw_receipt_hash,
    )
    return reseal(parts._replace(g2=replace(parts.g2, controls=tuple(controls))))


_DAMAGES = tuple(map(_damage_part, ("reg", "integrity", "g1", "g2", "g3")))
MUTATIONS = (
    *_DAMAGES,
    *map(_sealed, _DAMAGES),
    _sealed(_damage_part("g3")),
    _attempt_outcomes,
    _branch_outcomes,
    _replaced_pair,
    _shared_episode,
)
