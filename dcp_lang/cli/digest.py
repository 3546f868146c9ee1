"""`dcpc digest PATH…`"""

from __future__ import annotations

import os
import sys

from dcp_lang.cli.parameters import Command
from dcp_lang.diagnostics.cells import show
from dcp_lang.sema.materials import MaterialError
from dcp_lang.workspace import DiskWorkspace


def print_digests(paths: tuple[str, ...]) -> int:
    """Print the digest of files and folders as a registration commits to them, for `sealed("sha256:…")`."""
    code = 0
    for path in paths:
        root, name = os.path.split(path.rstrip("/"))
        try:
            print(f"{DiskWorkspace(root).material(name, folder=True).sha256}  {show(path)}")
        except MaterialError as error:
            print(f"dcpc: {show(error.message)}", file=sys.stderr)
            code = 1
    return code


command = Command("digest", print_digests, "paths", ())
