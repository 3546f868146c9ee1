"""Import a file that belongs to no package."""

from __future__ import annotations

import importlib.util
import sys
from pathlib import Path
from types import ModuleType

from dcp_lang.integrations.compiled import path_digest


def load_file(path: Path) -> ModuleType:
    """The module of a Python file, under a name of its content: a changed file is another module."""
    name = f"dcp_file_{path.stem}_{path_digest(path.parent, path.name)[-16:]}"
    if name in sys.modules:
        return sys.modules[name]
    spec = importlib.util.spec_from_file_location(name, path)
    if spec is None or spec.loader is None:
        raise ImportError(f"cannot import {path}")
    module = importlib.util.module_from_spec(spec)
    sys.modules[name] = module
    try:
        spec.loader.exec_module(module)
    except BaseException:
        del sys.modules[name]
        raise
    return module
