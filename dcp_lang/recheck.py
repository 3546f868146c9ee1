"""A frozen registration checked from its bytes alone: form, schema, certificates, rules, and the source it
embeds.

Each step is independent of the one before it, so an edited value is found by whichever part it left stale.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from itertools import islice
from typing import Any, NamedTuple

from dcp_lang.canonical import canonical_bytes, digest
from dcp_lang.emit.schemas import schema_faults
from dcp_lang.frozen import FrozenFault, Registration, read_registration
from dcp_lang.frozen.certificates import certificate_faults
from dcp_lang.frozen.fault import pointer
from dcp_lang.thaw import recompile

#: What another version of the compiler may word or lay out otherwise: compared with `exact` only.
_VERSIONED = ("/compiler", "/plan/figures", "/plan/assurance")
_MISSING = "(nothing)"
#: A file that was edited at many places says so at the first ones.
MOST_FAULTS = 50


class Step(NamedTuple):
    """One step of the check, and every fault that it found."""

    name: str
    faults: tuple[FrozenFault, ...]


class Recheck(NamedTuple):
    """The steps that were taken, in order; `digest` is that of the bytes, whatever they hold."""

    digest: str
    steps: tuple[Step, ...]

    @property
    def holds(self) -> bool:
        return not any(step.faults for step in self.steps)

    def as_json(self) -> dict[str, Any]:
        """Ready for JSON: what was checked, and each fault with its JSON pointer."""
        return {
            "digest": self.digest,
            "holds": self.holds,
            "steps": [
                {
                    "name": step.name,
                    "faults": [{"pointer": f.pointer, "message": f.message} for f in step.faults],
                }
                for step in self.steps
            ],
        }


def verify_registration(data: bytes, *, expected: str | None = None, exact: bool = False) -> Recheck:
    """Check the bytes of a frozen registration.

    `expected` is a digest known from elsewhere (a receipt, a seal). With `exact` the embedded source must
    give the same bytes, which only the version of the compiler that froze the file promises; without, the
    same values, rules, obligations and certificates.
    """
    sha256 = digest(data)
    steps = [] if expected is None else [_step("digest", lambda: _digest(sha256, expected))]
    try:
        reg = read_registration(data)
    except FrozenFault as fault:
        return Recheck(sha256, (*steps, Step("form", (_with_line_endings(fault, data),))))
    value = dict(reg.json)
    return Recheck(
        sha256,
        (
            *steps,
            Step("form", ()),
            _step("schema", lambda: schema_faults("registration", value)),
            _step("certificates", lambda: certificate_faults(reg)),
            _step("same bytes from the source" if exact else "source and rules", lambda: _source(reg, exact)),
        ),
    )


def _step(name: str, faults: Callable[[], Iterator[FrozenFault]]) -> Step:
    try:
        return Step(name, tuple(islice(faults(), MOST_FAULTS)))
    except FrozenFault as fault:
        return Step(name, (fault,))


def _digest(found: str, expected: str) -> Iterator[FrozenFault]:
    if found != expected:
        yield FrozenFault("", f"its digest is {found}, expected is {expected}")


def _with_line_endings(fault: FrozenFault, data: bytes) -> FrozenFault:
    """The fault, and the digest of the file that it was before something changed its line endings."""
    restored = data.replace(b"\r", b"").removesuffix(b"\n")
    if restored == data:
        return fault
    try:
        reg = read_registration(restored)
    except FrozenFault:
        return fault
    message = f"{fault.message}; with its line endings restored it is {reg.digest}"
    return FrozenFault(fault.pointer, message)


def _source(reg: Registration, exact: bool) -> Iterator[FrozenFault]:
    need = recompile(reg)
    for fault in differences(dict(reg.json), need):
        if exact or not fault.pointer.startswith(_VERSIONED):
            yield fault


def differences(have: Any, need: Any, steps: tuple[str | int, ...] = ()) -> Iterator[FrozenFault]:
    """Where two JSON values part, innermost places only: have and need at each JSON pointer."""
    if isinstance(have, dict) and isinstance(need, dict):
        for key in sorted(have.keys() | need.keys()):
            yield from differences(have.get(key, _MISSING), need.get(key, _MISSING), (*steps, key))
    elif isinstance(have, list) and isinstance(need, list) and len(have) == len(need):
        for index, (one, other) in enumerate(zip(have, need, strict=True)):
            yield from differences(one, other, (*steps, index))
    elif have != need or type(have) is not type(need):
        yield FrozenFault(pointer(steps), f"have {_shown(have)}, need {_shown(need)}")


def _shown(value: Any) -> str:
    text = value if value is _MISSING else canonical_bytes(value).decode()
    return text if len(text) <= 200 else f"{text[:197]}…"
