"""Two builds to write, and what a folder holds."""

import os
from collections.abc import Callable
from pathlib import Path

from dcp_lang.canonical import digest, load_strict

OLD = {"registration.json": b'{"build":"old"}', "run/task.py": b"old\n", "only-old.txt": b""}
NEW = {"registration.json": b'{"build":"new"}', "run/task.py": b"new\n" * 1000, "run/deep/only-new.md": b"#"}


def tree(folder: Path) -> dict[str, bytes]:
    """All files below a folder but the manifest, which must name exactly them with their digests."""
    files = {p.relative_to(folder).as_posix(): p.read_bytes() for p in folder.rglob("*") if p.is_file()}
    manifest = load_strict(files.pop("manifest.json"))
    assert manifest == {
        "format": "dcp-lang/build-1",
        "files": {name: digest(data) for name, data in files.items()},
    }
    return files


def in_child(work: Callable[[], None]) -> int:
    """Run `work` in a forked process: its exit status as `os.waitpid` gives it, 0 if nothing was raised."""
    child = os.fork()
    if child == 0:
        try:
            work()
            os._exit(0)
        except OSError:
            os._exit(75)
        finally:
            os._exit(70)
    return os.waitpid(child, 0)[1]
