"""`dcpc verify BUNDLE`"""

from __future__ import annotations

import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

if TYPE_CHECKING:
    from dcp_lang.verify.binding import Frozen
    from dcp_lang.verify.decision import DecisionRecord


_FILE = click.Path(exists=True, dir_okay=False, path_type=Path)


@click.command("verify")
@click.argument("bundle", type=click.Path(exists=True, file_okay=False, path_type=Path))
@click.option(
    "--registration",
    type=_FILE,
    help="The frozen registration.json that the audit had to run under.",
)
@click.option(
    "--contracts",
    type=_FILE,
    multiple=True,
    help="Contracts that the audit had to run under: the run's contracts.json, or the expected ones.",
)
@click.option("--claimant-seal", type=_FILE, help="The claimant's signature over the registration.")
@click.option(
    "--authority-seal", type=_FILE, help="The authority's signature over registration and claimant's seal."
)
@click.option("--roles", type=_FILE, help="JSON file of the keys that each role trusts, for the seals.")
@click.option("--json", "as_json", is_flag=True, help="Print the decision record as canonical JSON.")
@click.option("--peer", is_flag=True, help="Let dcp-audit verify the bundle too, where it is installed.")
@click.option(
    "-o",
    "--output",
    type=click.Path(file_okay=False, path_type=Path),
    help="Write decision.json, decision.md and decision.html into this folder.",
)
def command(
    bundle: Path,
    registration: Path | None,
    contracts: tuple[Path, ...],
    as_json: bool,
    peer: bool,
    output: Path | None,
    **seals: Path | None,
) -> int:
    """Decide an audit bundle again, offline and exactly.

    Exit code 0 when the record replays and binds to the frozen registration, whatever the verdict; else 1.
    """
    from dcp_lang.frozen import FrozenFault
    from dcp_lang.verify.decision import decide

    if contracts and not registration:
        raise click.UsageError("--contracts belong to a --registration")
    try:
        frozen = _frozen(registration, contracts) if registration else None
    except FrozenFault as error:
        print(f"dcpc: {registration} is no frozen registration: {error}", file=sys.stderr)
        return 1
    if any(seals.values()):
        from dcp_lang.seal import SealError

        try:
            signers = _sealed_by(registration, **seals)
        except SealError as error:
            print(f"dcpc: the seal does not hold: {error}", file=sys.stderr)
            return 1
        frozen = frozen._replace(sealed_by=signers) if frozen else None
    record = decide(bundle, frozen)
    if peer:
        from dcp_lang.verify.peer import peer_verdict

        record = record._replace(peer=peer_verdict(bundle))
    if output is not None:
        _write(output, record)
    _show(record, as_json)
    return record.exit_code


def _frozen(path: Path, contracts: tuple[Path, ...]) -> Frozen:
    from dcp_lang.frozen import load_registration
    from dcp_lang.thaw import expectation
    from dcp_lang.verify.binding import held_to_contracts

    return held_to_contracts(expectation(load_registration(path)), _merged(contracts))


def _merged(files: tuple[Path, ...]) -> dict[str, Any]:
    """What all files say; a usage error where two contradict each other."""
    merged: dict[str, Any] = {}
    for file in files:
        contracts = _foretold(_contracts(file), merged)
        parted = sorted(name for name, value in contracts.items() if merged.get(name, value) != value)
        if parted:
            raise click.UsageError(f"{file} contradicts {files[0]}: {', '.join(parted)}")
        merged |= contracts
    return merged


def _foretold(document: dict[str, Any], known: dict[str, Any]) -> dict[str, Any]:
    """What an expected-contracts.json foretells, with the facts that are known; another file as it is."""
    from dcp_lang.emit.expected import SCHEMA, contracts_given

    if document.get("schema") != SCHEMA:
        return document
    return contracts_given(document, {name: known[name] for name in document["facts"] if name in known})


def _contracts(path: Path) -> dict[str, Any]:
    """The values of a contracts file by name; a usage error where it holds none."""
    from dcp_lang.canonical import StrictJsonError, load_strict

    try:
        value = load_strict(path.read_bytes(), canonical=False, floats=True, parse_float=float)
    except StrictJsonError as error:
        raise click.UsageError(f"{path} holds no contracts: {error}") from error
    if not isinstance(value, dict):
        raise click.UsageError(f"{path} holds no contracts: it is no object")
    return value


def _sealed_by(
    registration: Path | None, claimant_seal: Path | None, authority_seal: Path | None, roles: Path | None
) -> str:
    """Who signed the registration; raises SealError where a signature does not hold."""
    from dcp_lang.seal import KeyFileError, load_roles, verify_seal

    if registration is None or claimant_seal is None or roles is None:
        raise click.UsageError("a seal is checked with --registration, --claimant-seal and --roles")
    try:
        trusted = load_roles(roles.read_bytes())
    except KeyFileError as error:
        raise click.UsageError(str(error)) from error
    if authority_seal and not trusted.authorities:
        raise click.UsageError(f"{roles} names no authority for --authority-seal")
    second = authority_seal.read_bytes() if authority_seal else None
    verify_seal(registration.read_bytes(), claimant_seal.read_bytes(), second, trusted)
    return "claimant and authority" if authority_seal else "claimant"


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
