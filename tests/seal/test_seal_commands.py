"""`dcpc keygen`, `sign`, `countersign`, `verify-seal`: files in, files out, exit codes."""

import contextlib
import hashlib
import io
from pathlib import Path
from typing import NamedTuple

import pytest

from dcp_lang.cli import run as run_dcpc

REGISTRATION = b'{"rho":"0.05"}'


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / "registration.json").write_bytes(REGISTRATION)
    for name in ("claimant", "authority"):
        assert run("keygen", tmp_path / name).exit_code == 0
    return tmp_path


class Result(NamedTuple):
    exit_code: int
    output: str


def run(*words: object) -> Result:
    """One command line, with what it printed on both streams."""
    stream = io.StringIO()
    with contextlib.redirect_stdout(stream), contextlib.redirect_stderr(stream):
        code = run_dcpc([str(word) for word in words])
    return Result(code, stream.getvalue())


def trust(folder: Path) -> list[object]:
    return ["--claimant-key", folder / "claimant.pub", "--authority-key", folder / "authority.pub"]


def seal(folder: Path) -> list[Path]:
    registration = folder / "registration.json"
    assert run("sign", registration, "--key", folder / "claimant").exit_code == 0
    second = run(
        "countersign",
        registration,
        folder / "claimant.seal",
        "--key",
        folder / "authority",
        *trust(folder),
    )
    assert second.exit_code == 0, second.output
    assert second.output == f"{folder / 'authority.seal'}\n"
    return [registration, folder / "claimant.seal", folder / "authority.seal"]


def test_sign_countersign_verify(folder: Path) -> None:
    done = run("verify-seal", *seal(folder), *trust(folder))
    assert done.exit_code == 0
    lines = dict(line.split(maxsplit=1) for line in done.output.splitlines())
    assert lines["registration"] == "sha256:" + hashlib.sha256(REGISTRATION).hexdigest()
    assert lines["claimant"].startswith("ed25519:")
    assert lines["authority"].startswith("ed25519:") and lines["authority"] != lines["claimant"]


def test_without_a_countersignature_it_says_so(folder: Path) -> None:
    done = run("verify-seal", *seal(folder)[:2], "--claimant-key", folder / "claimant.pub")
    assert done.exit_code == 0
    assert "not countersigned" in done.output


def test_a_seal_that_does_not_hold_is_exit_1(folder: Path) -> None:
    files = seal(folder)
    (folder / "registration.json").write_bytes(b'{"rho":"0.5"}')
    done = run("verify-seal", *files, *trust(folder))
    assert done.exit_code == 1
    assert "it is about another registration.json" in done.output
    (folder / "registration.json").write_bytes(REGISTRATION + b"\n")
    done = run("sign", files[0], "--key", folder / "claimant")
    assert done.exit_code == 1
    assert "not a frozen file" in done.output


def test_a_roles_file_replaces_the_key_files(folder: Path) -> None:
    files = seal(folder)
    keys = [run("keygen", folder / f"unused{n}").output.splitlines()[-1] for n in range(2)]
    verified = run("verify-seal", *files, *trust(folder)).output.split()
    ours, theirs = (word for word in verified if word.startswith("ed25519:"))
    roles = folder / "roles.json"
    text = '{"format": "dcp-lang/roles-1", "claimant": ["%s", "%s"], "authority": ["%s"]}'
    roles.write_text(text % (keys[0], ours, theirs))
    assert run("verify-seal", *files, "--roles", roles).exit_code == 0
    roles.write_text(text % (keys[0], keys[1], theirs))
    assert run("verify-seal", *files, "--roles", roles).exit_code == 1
    roles.write_text("{}")
    assert run("verify-seal", *files, "--roles", roles).exit_code == 2


def test_the_key_from_the_environment(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    registration = folder / "registration.json"
    monkeypatch.setenv("CLAIMANT", (folder / "claimant").read_text())
    done = run("sign", registration, "--key-env", "CLAIMANT", "-o", folder / "other.seal")
    assert done.exit_code == 0
    assert run("sign", registration, "--key", folder / "claimant").exit_code == 0
    assert (folder / "other.seal").read_bytes() == (folder / "claimant.seal").read_bytes()


@pytest.mark.parametrize(
    ("arguments", "reason"),
    [
        ([], "exactly one of --key"),
        (["--key", "claimant", "--key-env", "X"], "exactly one of --key"),
        (["--key-env", "DCP_NO_SUCH_KEY"], "is not set"),
        (["--key", "claimant.pub"], "can be read by others"),
        (["--key", "gone"], "does not exist"),
    ],
)
def test_what_is_wrong_with_keys_is_exit_2(
    folder: Path, monkeypatch: pytest.MonkeyPatch, arguments: list[str], reason: str
) -> None:
    monkeypatch.chdir(folder)
    done = run("sign", "registration.json", *arguments)
    assert done.exit_code == 2
    assert reason in done.output
    assert not Path("claimant.seal").exists()


def test_roles_must_be_given_once_and_apart(folder: Path) -> None:
    files = seal(folder)
    same = folder / "claimant.pub"
    for arguments, reason in (
        ([], "give --roles"),
        (["--authority-key", same], "give --roles"),
        (["--roles", same, "--claimant-key", same], "names the keys already"),
        (["--claimant-key", same, "--authority-key", same], "cannot serve both roles"),
    ):
        done = run("verify-seal", *files, *arguments)
        assert (done.exit_code, reason in done.output) == (2, True)


def test_an_existing_key_is_kept(folder: Path) -> None:
    before = (folder / "claimant").read_bytes()
    assert run("keygen", folder / "claimant").exit_code == 2
    assert (folder / "claimant").read_bytes() == before


def test_a_place_that_cannot_be_written_is_exit_1(folder: Path) -> None:
    done = run(
        "sign",
        folder / "registration.json",
        "--key",
        folder / "claimant",
        "-o",
        folder / "gone" / "seal",
    )
    assert done.exit_code == 1
    assert "No such file or directory" in done.output


def test_a_seal_and_its_key_are_given_together(folder: Path) -> None:
    files = seal(folder)
    unchecked = run("verify-seal", *files[:2], *trust(folder))
    assert (unchecked.exit_code, "no AUTHORITY_SEAL" in unchecked.output) == (2, True)
    untrusted = run("verify-seal", *files, "--claimant-key", folder / "claimant.pub")
    assert (untrusted.exit_code, "give the authority's key" in untrusted.output) == (2, True)
