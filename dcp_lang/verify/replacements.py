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
    links = Links(plan, pairs)
    faults += links.faults
    replacements = sum(bool(_parent(pair)) for pair in pairs)
    if replacements > limit:
        faults.append(f"{plan.label} replacements {replacements} exceed registered maximum {limit}")
    roots = [index for index, pair in enumerate(pairs) if not _parent(pair)]
    if len(roots) != plan.slots:
        faults.append(f"{plan.label} original pair slots {len(roots)} != registered N={plan.slots}")
    active, replaced, cyclic = links.chains(roots)
    if cyclic:
        faults.append(f"{plan.label} replacement chain contains a cycle")
    if {*active, *replaced} != set(range(len(pairs))):
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


class Links:
    """Which pair replaces which. Pairs refer to each other by id, and a hostile ledger may repeat one."""

    def __init__(self, plan: Plan, pairs: Sequence[Pair]) -> None:
        self.faults: list[str] = []
        self._plan, self._pairs = plan, pairs
        self._ids: list[str] = []
        self._index_of: dict[str, int] = {}
        self._child_of: dict[str, int] = {}
        for index in range(len(pairs)):
            self._add(index)

    def _add(self, index: int) -> None:
        label, pair = self._plan.label, self._pairs[index]
        name = pair.pair_id
        if not isinstance(name, str) or not name:
            self.faults.append(f"{label}[{index}] pair_id is malformed")
            name = f"<malformed-{index}>"
        if name in self._index_of:
            self.faults.append(f"{label} pair ids are duplicated")
        self._index_of.setdefault(name, index)
        self._ids.append(name)
        if not isinstance(pair.replacement_of, str):
            self.faults.append(f"{label}[{index}].replacement_of must be a string")
        elif pair.replacement_of:
            self.faults += self._link(index, pair.replacement_of)

    def _link(self, index: int, name: str) -> Iterator[str]:
        """Record that pair `index` replaces pair `name`, and yield what is wrong with that."""
        here = f"{self._plan.label}[{index}]"
        if self._plan.policy != TRANSPORT_REPLACEMENT:
            yield f"{here} replacement was not registered"
        parent = self._index_of.get(name)
        if parent is None or parent >= index:
            yield f"{here} replacement_of must point to an earlier pair"
            return
        if parent != index - 1:
            yield f"{here} replacement must immediately follow its failed parent"
        if name in self._child_of:
            yield f"{self._plan.label} failed pair has more than one replacement"
            return
        self._child_of[name] = index
        if not independently_lost(self._pairs[parent]):
            yield f"{here} replaces a pair without independently attested infrastructure attrition"

    def chains(self, roots: Sequence[int]) -> tuple[list[int], list[int], bool]:
        """(the last pair of each chain, all before it, whether a repeated id closes a chain on itself)."""
        active: list[int] = []
        replaced: list[int] = []
        cyclic = False
        for root in roots:
            walked, current = {root}, root
            while (child := self._child_of.get(self._ids[current])) is not None:
                replaced.append(current)
                current = child
                if current in walked:
                    cyclic = True
                    break
                walked.add(current)
            else:
                active.append(current)
        return active, replaced, cyclic
