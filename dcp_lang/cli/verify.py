"""`dcpc verify BUNDLE`"""

from __future__ import annotations

import sys
from fractions import Fraction
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

if TYPE_CHECKING:
    from dcp_lang.sema.model import TypedRegistration
    from dcp_lang.verify.binding import Frozen
    from dcp_lang.verify.decision import DecisionRecord


@click.command("verify")
@click.argument("bundle", type=click.Path(exists=True, file_okay=False, path_type=Path))
@click.option(
    "--registration",
    type=click.Path(exists=True, dir_okay=False, path_type=Path),
    help="The frozen registration.json that the audit had to run under.",
)
@click.option("--json", "as_json", is_flag=True, help="Print the decision record as canonical JSON.")
@click.option("--peer", is_flag=True, help="Let dcp-audit verify the bundle too, where it is installed.")
@click.option(
    "-o",
    "--output",
    type=click.Path(file_okay=False, path_type=Path),
    help="Write decision.json, decision.md and decision.html into this folder.",
)
def command(bundle: Path, registration: Path | None, as_json: bool, peer: bool, output: Path | None) -> int:
    """Decide an audit bundle again, offline and exactly.

    Exit code 0 when the record replays and binds to the frozen registration, whatever the verdict; else 1.
    """
    from dcp_lang.verify.decision import decide

    try:
        frozen = read_frozen(registration.read_bytes()) if registration else None
    except ValueError as error:
        print(f"dcpc: {registration} is no frozen registration: {error}", file=sys.stderr)
        return 1
    record = decide(bundle, frozen)
    if peer:
        from dcp_lang.verify.peer import peer_verdict

        record = record._replace(peer=peer_verdict(bundle))
    if output is not None:
        _write(output, record)
    _show(record, as_json)
    return record.exit_code


def _write(folder: Path, record: DecisionRecord) -> None:
    from dcp_lang.emit.atomic import write_file
    from dcp_lang.verify.report import report_files

    folder.mkdir(parents=True, exist_ok=True)
    for name, data in report_files(record).items():
        write_file(folder / name, data)


def _show(record: DecisionRecord, as_json: bool) -> None:
    if as_json:
        from dcp_lang.canonical import canonical_bytes

        sys.stdout.buffer.write(canonical_bytes(record.as_json()) + b"\n")
        return
    from dcp_lang.verify.summary import summary

    click.echo(summary(record))


def read_frozen(data: bytes) -> Frozen:
    """What a frozen registration binds, from its own bytes.

    Raises:
        ValueError: not strict canonical JSON, or not the bytes that its embedded source compiles to.
    """
    from dcp_lang.canonical import digest, load_strict
    from dcp_lang.emit.harness import compiled
    from dcp_lang.verify.binding import Frozen

    frozen = load_strict(data)
    reg = _recompiled(frozen, data)
    projection = compiled(reg, digest(data), digest(frozen["source"].encode()))
    mode = reg.choice("mode")
    return Frozen(
        digest=digest(data),
        expected=projection["fixed"],
        late_fields=frozenset(projection["bind"]),
        thresholds=_thresholds(reg),
        obligations=frozen["obligations"],
        mode=mode.name,
        episodes=_count(reg, "gate.recovery.episodes"),
        positive_controls=_count(reg, "gate.recovery.positive_controls"),
        baseline=reg.number("baseline.score") if reg.has("baseline.score") else None,
        cost=_cost(reg),
        knowledge=_name(mode.get("knowledge")),
    )


def _recompiled(frozen: Any, data: bytes) -> TypedRegistration:
    """The registration that the embedded source declares, if compiling it gives exactly `data` again."""
    from dcp_lang.canonical import canonical_bytes
    from dcp_lang.emit.registration import frozen_registration
    from dcp_lang.thaw import FrozenCompilation

    try:
        thawed = FrozenCompilation(frozen)
        sound = thawed.is_sound
    except (KeyError, TypeError, AttributeError) as error:
        raise ValueError(f"it has not the shape of one ({type(error).__name__}: {error})") from error
    if not sound or thawed.analysis is None:
        raise ValueError("its embedded source does not check")
    if canonical_bytes(frozen_registration(thawed.analysis, thawed.waivers)) != data:
        raise ValueError("compiling its embedded source gives another file")
    return thawed.analysis.registration


def _thresholds(reg: TypedRegistration) -> dict[str, Fraction]:
    """The exact numbers behind the kernel's doubles, by kernel field; and epsilon, which has no field."""
    from dcp_lang.language.fields import FIELDS

    known = {spec.kernel: reg.value(path) for path, spec in FIELDS.items() if spec.kernel and reg.has(path)}
    exact = {name: value for name, value in known.items() if isinstance(value, Fraction)}
    return exact | {"epsilon": reg.number("thresholds.epsilon")}


def _count(reg: TypedRegistration, path: str) -> int | None:
    return reg.count(path) if reg.has(path) else None


def _name(choice: Any) -> str | None:
    return None if choice is None else str(getattr(choice, "name", choice))


def _cost(reg: TypedRegistration) -> str | None:
    from dcp_lang.canonical import number_text

    if not reg.has("budget.audit.cost"):
        return None
    limit = reg.amount("budget.audit.cost")
    return f"at most {number_text(limit.number)} {limit.unit}"
