"""Runs over many submissions, as a test asks for them."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

from dcp_lang.bulk.cache import default_path
from dcp_lang.bulk.check import Options
from dcp_lang.bulk.many import check_all
from dcp_lang.bulk.submission import submissions
from dcp_lang.bulk.wire import pack
from dcp_lang.diagnostics.model import Diagnostic
from dcp_lang.source import SourceFile

#: A profile of an authority, for a bound on ρ.
AUTHORITY = 'profile "authority/1" {{\n  require ρ <= {}\n}}\n'


def found_in(*paths: Path, cache: bool = True) -> list[list[Diagnostic]]:
    """What is found in each submission, in folders or named."""
    submitted = list(submissions(map(str, paths)))
    return [each.findings() for each in check_all(submitted, Options(), default_path() if cache else "")]


def errors_in(path: Path) -> set[str]:
    """The codes of the errors in one submission, the cache in use."""
    [found] = found_in(path)
    return {d.code for d in found if d.is_error}


def plain(found: Sequence[Sequence[Diagnostic]]) -> list[Any]:
    """Findings that can be compared, with the texts that they point into: a source is equal to itself alone."""
    return [pack(each, SourceFile("no file's name", "")) for each in found]
