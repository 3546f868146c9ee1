"""Where builds meet the disk: what may replace what, and never half of it."""

from __future__ import annotations

import os
from collections.abc import Iterator, Mapping
from pathlib import Path, PurePosixPath

from dcp_lang.canonical import StrictJsonError, canonical_bytes, digest, load_strict
from dcp_lang.emit.atomic import exclusive, replace_folder, write_file

__all__ = ["BuildError", "FrozenBuildError", "NotABuildError", "write_build", "write_file"]

MANIFEST = "manifest.json"
REGISTRATION = "registration.json"
_FORMAT = "dcp-lang/build-1"


class BuildError(Exception):
    """A build that must not be written; the folder is as it was."""


class FrozenBuildError(BuildError):
    """The folder holds another frozen registration."""

    def __init__(self, folder: Path, old: str, new: str) -> None:
        self.old = old
        self.new = new
        super().__init__(
            f"{folder / REGISTRATION} is frozen as {old}, this build is {new}: use another folder, or --force"
        )


class NotABuildError(BuildError):
    """The place is taken by something that was not built here."""


class PlainNameError(BuildError, ValueError):
    """A name of the build that is not the same single file on every file system."""


def write_build(out_dir: Path, files: Mapping[str, bytes], *, force: bool = False) -> None:
    """Make `out_dir` hold exactly `files` and a manifest.json with their digests; all or nothing.

    Names are relative, with "/" between the parts. A link at `out_dir` stays, the folder it names is
    replaced. Where the same build stands already, nothing is written, whatever lies beside it (seals, the sealed
    files of the audit). The promise under a kill is the one of `dcp_lang.emit.atomic`.

    Raises FrozenBuildError if another frozen registration would go (not with `force`), NotABuildError if
    anything but a previous build would go (also with `force`), PlainNameError for a name that is not plain,
    OSError as is.
    """
    _check_names(files)
    target = out_dir.resolve()
    if not target.name:
        raise NotABuildError(f"{target} is not a place for a build")
    target.parent.mkdir(parents=True, exist_ok=True)
    whole = {**files, MANIFEST: _manifest(files)}
    with exclusive(target):
        if _holds(target, whole):
            return
        _require_previous_build(target)
        if not force:
            _require_same_registration(target, files)
        replace_folder(target, whole)


def _holds(target: Path, files: Mapping[str, bytes]) -> bool:
    return target.is_dir() and all(_same(target / name, data) for name, data in files.items())


def _same(path: Path, data: bytes) -> bool:
    return (
        path.is_file()
        and not path.is_symlink()
        and path.stat().st_size == len(data)
        and path.read_bytes() == data
    )


def _manifest(files: Mapping[str, bytes]) -> bytes:
    return canonical_bytes({"format": _FORMAT, "files": {name: digest(files[name]) for name in files}})


def _check_names(files: Mapping[str, bytes]) -> None:
    """Plain names on every file system: no way out of the folder, no two that some system takes for one."""
    taken = {MANIFEST}
    for name in files:
        parts = name.split("/")
        plain = name.isascii() and name.isprintable() and not set(name) & set('\\:*?"<>|')
        if not plain or any(part in ("", ".", "..") for part in parts):
            raise PlainNameError(f"{name!r} is not a plain relative name")
        if name.lower() in taken:
            raise PlainNameError(f"{name!r} is taken")
        taken.add(name.lower())
    folders = {str(parent) for name in taken for parent in PurePosixPath(name).parents}
    if folders & taken:
        raise PlainNameError(f"{min(folders & taken)!r} is a file and a folder")


def _require_previous_build(target: Path) -> None:
    if not target.exists():
        return
    if not target.is_dir():
        raise NotABuildError(f"{target} is not a folder")
    found = set(_files_below(target))
    foreign = found - _named_files(target) if found else set()
    if foreign:
        raise NotABuildError(
            f"{target} holds {min(foreign)!r}, which no build put there: choose another folder"
        )


def _files_below(folder: Path) -> Iterator[str]:
    """Relative names of all files; a link to a folder counts as a file, Python's caches do not count."""
    for path, folders, names in os.walk(folder, onerror=_raise):
        folders[:] = [name for name in folders if name != "__pycache__"]
        links = [name for name in folders if os.path.islink(os.path.join(path, name))]
        for name in names + links:
            yield Path(path, name).relative_to(folder).as_posix()


def _raise(error: OSError) -> None:
    raise error


def _named_files(target: Path) -> set[str]:
    """The files that the manifest of a previous build names, itself included; none without a sound one."""
    try:
        manifest = load_strict((target / MANIFEST).read_bytes())
    except (FileNotFoundError, StrictJsonError):
        return set()
    if not isinstance(manifest, dict) or manifest.get("format") != _FORMAT:
        return set()
    named = manifest.get("files")
    return {MANIFEST, *named} if isinstance(named, dict) else set()


def _require_same_registration(target: Path, files: Mapping[str, bytes]) -> None:
    frozen = target / REGISTRATION
    if not frozen.is_file():
        return
    old = digest(frozen.read_bytes())
    new = digest(files[REGISTRATION]) if REGISTRATION in files else "without a registration"
    if old != new:
        raise FrozenBuildError(target, old, new)
