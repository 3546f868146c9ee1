"""The started-pair ledger: nothing that was started may vanish.

A pair may be replaced only when it failed for an independently attested infrastructure reason, by the pair
directly after it, under a registered policy and cap. The last pair of each chain is the one that is analysed
(paper, Gate 3).
"""

from collections.abc import Iterator, Sequence
from typing import NamedTuple

from dcp_lang.verify.checks import integer
from dcp_lang.verify.records import (
    INFRASTRUCTURE,
    NO_REPLACEMENT,
    TRANSPORT_REPLACEMENT,
    FeedbackPair,
    NullPair,
    Pair,
    Registration,
)


class Plan(NamedTuple):
    """What was registered for one kind of pair, and how findings name it."""

    label: str
    slots: int
    limit: int
    policy: str


class Ledger(NamedTuple):
    """Indices into the started pairs: analysed ones and replaced ones; counts; findings."""

    active: tuple[int, ...]
    replaced: tuple[int, ...]
    replacements: int
    lost: int
    faults: tuple[str, ...]


def feedback_ledger(reg: Registration, pairs: Sequence[FeedbackPair]) -> Ledger:
    plan = Plan(
        "feedback pairs",
        reg.registered_n_feedback_pairs,
        reg.max_feedback_pair_replacements,
        reg.gate3_pair_replacement_policy,
    )
    return ledger(plan, pairs)


def null_ledger(reg: Registration, pairs: Sequence[NullPair]) -> Ledger:
    plan = Plan(
        "sham pairs",
        reg.registered_n_sham_pairs,
        reg.max_sham_pair_replacements,
        reg.gate3_pair_replacement_policy,
    )
    return ledger(plan, pairs)


def ledger(plan: Plan, pairs: Sequence[Pair]) -> Ledger:
    """The chains of `pairs` in started order, and whatever in them breaks `plan`."""
    faults = list(_plan_faults(plan))
    limit = plan.limit if integer(plan.limit, 0) else 0
    child_of, link_faults = _links(plan, pairs)
    faults += link_faults
    replacements = sum(bool(_parent(pair)) for pair in pairs)
    if replacements > limit:
        faults.append(f"{plan.label} replacements {replacements} exceed registered maximum {limit}")
    roots = [index for index, pair in enumerate(pairs) if not _parent(pair)]
    if len(roots) != plan.slots:
        faults.append(f"{plan.label} original pair slots {len(roots)} != registered N={plan.slots}")
    active, replaced = _chains(roots, child_of)
    if len(active) + len(replaced) != len(pairs):
        faults.append(f"{plan.label} replacement ledger contains an orphaned pair")
    if len(active) != plan.slots:
        faults.append(f"{plan.label} terminal pair slots {len(active)} != registered N={plan.slots}")
    if any(independently_lost(pairs[index]) for index in active) and replacements < limit:
        faults.append(
            f"{plan.label} stopped with replaceable infrastructure attrition before "
            "the registered replacement allowance was exhausted"
        )
    lost = sum(map(independently_lost, pairs))
    return Ledger(tuple(active), tuple(replaced), replacements, lost, tuple(dict.fromkeys(faults)))


def independently_lost(pair: Pair) -> bool:
    """At least one arm failed in the infrastructure, and every such arm is attested and carries no result."""
    lost = [arm for arm in pair.arms if arm.outcome == INFRASTRUCTURE]
    return bool(lost) and all(
        arm.infrastructure_outcome_independent is True and arm.utility is None and arm.per_unit is None
        for arm in lost
    )


def _plan_faults(plan: Plan) -> Iterator[str]:
    if not integer(plan.slots, 1):
        yield f"{plan.label} registered N is malformed"
    if not integer(plan.limit, 0):
        yield f"{plan.label} replacement limit is malformed"
    if plan.policy not in {NO_REPLACEMENT, TRANSPORT_REPLACEMENT}:
        yield f"{plan.label} replacement policy is unsupported"


def _parent(pair: Pair) -> str:
    parent = pair.replacement_of
    return parent if isinstance(parent, str) else ""


def _links(plan: Plan, pairs: Sequence[Pair]) -> tuple[dict[int, int], list[str]]:
    """Replaced index -> replacing index, walking the pairs in started order."""
    index_of: dict[str, int] = {}
    child_of: dict[int, int] = {}
    faults: list[str] = []
    for index, pair in enumerate(pairs):
        name = pair.pair_id
        if not isinstance(name, str) or not name:
            faults.append(f"{plan.label}[{index}] pair_id is malformed")
            name = f"<malformed-{index}>"
        if name in index_of:
            faults.append(f"{plan.label} pair ids are duplicated")
        index_of.setdefault(name, index)
        if not isinstance(pair.replacement_of, str):
            faults.append(f"{plan.label}[{index}].replacement_of must be a string")
        elif pair.replacement_of:
            faults += _link(plan, pairs, index, index_of, child_of)
    return child_of, faults


def _link(
    plan: Plan, pairs: Sequence[Pair], index: int, index_of: dict[str, int], child_of: dict[int, int]
) -> Iterator[str]:
    """Record that pair `index` replaces its parent in `child_of`, and yield what is wrong with that."""
    here = f"{plan.label}[{index}]"
    if plan.policy != TRANSPORT_REPLACEMENT:
        yield f"{here} replacement was not registered"
    parent = index_of.get(pairs[index].replacement_of)
    if parent is None or parent >= index:
        yield f"{here} replacement_of must point to an earlier pair"
        return
    if parent != index - 1:
        yield f"{here} replacement must immediately follow its failed parent"
    if parent in child_of:
        yield f"{plan.label} failed pair has more than one replacement"
        return
    child_of[parent] = index
    if not independently_lost(pairs[parent]):
        yield f"{here} replaces a pair without independently attested infrastructure attrition"


def _chains(roots: Sequence[int], child_of: dict[int, int]) -> tuple[list[int], list[int]]:
    """(last of each chain, all before it). A parent lies before its child: no chain closes on itself."""
    active, replaced = [], []
    for root in roots:
        current = root
        while current in child_of:
            replaced.append(current)
            current = child_of[current]
        active.append(current)
    return active, replaced
