"""`dcpc keygen`, `sign`, `countersign`, `verify-seal`.

Exit codes: 0 done or the seal holds, 1 a seal does not hold or a file fails, 2 usage and keys.
"""

from __future__ import annotations

import functools
from collections.abc import Callable
from pathlib import Path
from typing import Any, NoReturn

import click

from dcp_lang.cli import FINDINGS, OK
from dcp_lang.emit.writer import write_file
from dcp_lang.seal import (
    KeyFileError,
    Roles,
    SealError,
    SealReport,
    Signer,
    SshSigner,
    load_private_key,
    load_roles,
    write_key_pair,
)
from dcp_lang.seal import countersign as countersign_bytes
from dcp_lang.seal import sign_claimant as sign_bytes
from dcp_lang.seal import verify_seal as verify_bytes
from dcp_lang.seal.roles import key_text

_FILE = click.Path(exists=True, dir_okay=False, path_type=Path)
_NEW_FILE = click.Path(dir_okay=False, path_type=Path)

Command = Callable[..., int]


def _reports_errors(command: Command) -> Command:
    """Turn what the library raises into exit codes."""

    @functools.wraps(command)
    def run(*args: Any, **kwargs: Any) -> int:
        try:
            return command(*args, **kwargs)
        except SealError as error:
            click.echo(f"dcpc: {error}", err=True)
            return FINDINGS
        except KeyFileError as error:
            raise click.UsageError(str(error)) from None

    return run


def _options(*options: Callable[[Command], Command]) -> Callable[[Command], Command]:
    return lambda command: functools.reduce(lambda f, option: option(f), reversed(options), command)


_key_options = _options(
    click.option("--key", type=_FILE, help="PEM private key file that only its owner can read (mode 0600)."),
    click.option("--key-env", metavar="NAME", help="Environment variable that holds the PEM private key."),
    click.option(
        "--ssh-key", type=_FILE, help="OpenSSH Ed25519 key, or a .pub file whose key an agent holds."
    ),
)
_role_options = _options(
    click.option("--roles", "roles_file", type=_FILE, help="JSON file of the keys that each role trusts."),
    click.option("--claimant-key", type=_FILE, help="The claimant's public key (PEM or OpenSSH)."),
    click.option("--authority-key", type=_FILE, help="The authority's public key (PEM or OpenSSH)."),
)


@click.command()
@click.argument("path", type=_NEW_FILE)
@_reports_errors
def keygen(path: Path) -> int:
    """Make an Ed25519 key: PATH (private, mode 0600) and PATH.pub."""
    public_key = write_key_pair(path)
    click.echo(f"{path}\n{path}.pub\n{key_text(public_key)}")
    return OK


@click.command()
@click.argument("registration", type=_FILE)
@_key_options
@click.option("-o", "--out", type=_NEW_FILE, help="Default: claimant.seal beside the registration.")
@_reports_errors
def sign(registration: Path, out: Path | None, **key: Any) -> int:
    """Sign a frozen REGISTRATION as its claimant."""
    seal = sign_bytes(registration.read_bytes(), _signer(**key))
    return _write(out or registration.with_name("claimant.seal"), seal)


@click.command()
@click.argument("registration", type=_FILE)
@click.argument("claimant_seal", type=_FILE)
@_key_options
@_role_options
@click.option("-o", "--out", type=_NEW_FILE, help="Default: authority.seal beside the claimant's seal.")
@_reports_errors
def countersign(
    registration: Path,
    claimant_seal: Path,
    out: Path | None,
    roles_file: Path | None,
    claimant_key: Path | None,
    authority_key: Path | None,
    **key: Any,
) -> int:
    """Sign REGISTRATION and CLAIMANT_SEAL, which is verified first, as the authority."""
    roles = _roles(roles_file, claimant_key, authority_key)
    seal = countersign_bytes(
        registration.read_bytes(), claimant_seal.read_bytes(), _signer(**key), roles=roles
    )
    return _write(out or claimant_seal.with_name("authority.seal"), seal)


@click.command("verify-seal")
@click.argument("registration", type=_FILE)
@click.argument("claimant_seal", type=_FILE)
@click.argument("authority_seal", type=_FILE, required=False)
@_role_options
@_reports_errors
def verify_seal(
    registration: Path,
    claimant_seal: Path,
    authority_seal: Path | None,
    roles_file: Path | None,
    claimant_key: Path | None,
    authority_key: Path | None,
) -> int:
    """Check CLAIMANT_SEAL over REGISTRATION, then AUTHORITY_SEAL over both."""
    roles = _roles(roles_file, claimant_key, authority_key)
    if authority_key and not authority_seal:
        _usage("--authority-key is given, but no AUTHORITY_SEAL to check with it")
    if authority_seal and not roles.authorities:
        _usage("to check AUTHORITY_SEAL, give the authority's key")
    second = authority_seal.read_bytes() if authority_seal else None
    return _show(verify_bytes(registration.read_bytes(), claimant_seal.read_bytes(), second, roles))


def _signer(key: Path | None, key_env: str | None, ssh_key: Path | None) -> Signer:
    if sum(given is not None for given in (key, key_env, ssh_key)) != 1:
        raise click.UsageError("give exactly one of --key, --key-env and --ssh-key")
    return SshSigner(ssh_key) if ssh_key else load_private_key(path=key, variable=key_env)


def _roles(roles_file: Path | None, claimant_key: Path | None, authority_key: Path | None) -> Roles:
    if roles_file and (claimant_key or authority_key):
        _usage("--roles names the keys already")
    if roles_file:
        return load_roles(roles_file.read_bytes())
    if claimant_key is None:
        _usage("give --roles, or --claimant-key and for a countersigned seal --authority-key")
    return Roles.of_files(claimant_key, authority_key)


def _usage(message: str) -> NoReturn:
    raise click.UsageError(message)


def _write(path: Path, seal: bytes) -> int:
    write_file(path, seal)
    click.echo(str(path))
    return OK


def _show(report: SealReport) -> int:
    click.echo(f"registration {report.registration}")
    click.echo(f"claimant     {key_text(report.claimant)}")
    authority = key_text(report.authority) if report.authority else "none: not countersigned"
    click.echo(f"authority    {authority}")
    return OK
