"""Files that a registration names: what it commits to, and the profiles that it uses."""

from __future__ import annotations

import os

from dcp_lang.driver import Compilation
from dcp_lang.editing.outline import walk
from dcp_lang.resources import data_dir, profile_names
from dcp_lang.sema.materials import MaterialError
from dcp_lang.syntax import ast
from dcp_lang.workspace import DiskWorkspace, split_path


def file_target(compilation: Compilation, offset: int) -> str | None:
    """The path of the file that the text at a place names, if there is one."""
    for node in walk(compilation.file.statements):
        if not node.span.start <= offset <= node.span.end:
            continue
        match node:
            case ast.Call(ast.Word("file"), (ast.Argument(None, ast.Text(value, _, span)), *_)) if (
                span.start <= offset <= span.end
            ):
                return _below(compilation, value)
            case ast.Use(ast.Text(value)) if value in profile_names():
                return os.path.join(data_dir("grammar"), "profiles", value.replace("/", "-") + ".dcp")
    return None


def _below(compilation: Compilation, path: str) -> str | None:
    """A regular file below the registration's folder; nothing outside it is ever opened."""
    workspace = compilation.workspace
    try:
        parts = split_path(path)
    except MaterialError:
        return None
    if not isinstance(workspace, DiskWorkspace):
        return None
    found = os.path.join(workspace.root or ".", *parts)
    return found if os.path.isfile(found) else None
