"""One submission, source or compiled, to its findings; many of them over all processors."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator, Sequence
from functools import lru_cache, partial

from dcp_lang.diagnostics.model import Diagnostic, Sink
from dcp_lang.diagnostics.registry import Rule
from dcp_lang.driver import Compilation
from dcp_lang.record import TYPE_CHECKING, Record
from dcp_lang.source import SourceFile, Span
from dcp_lang.syntax import read_source
from dcp_lang.workspace import DiskWorkspace

if TYPE_CHECKING:
    from dcp_lang.bulk.cache import Cache

#: From this many files on, all processors are used.
PARALLEL_FROM = 64
_CHUNK = 32
#: Far above every cap: more is refused all the same, and a device without end fills no memory.
_READ_AT_MOST = 2**26

NOT_READ = Rule("E822", "submission-not-read", "error", "a submission cannot be read")
RULES = (NOT_READ,)


class Options(Record):
    """How submissions are checked: an authority's profile as text, lints as errors, the cache's file or none."""

    profile: str = ""
    strict: bool = False
    cache: str = ""


def check_all(paths: Sequence[str], options: Options) -> Iterator[tuple[str, list[Diagnostic]]]:
    """Every path with its findings, in the order given; memory does not grow with the number of paths."""
    work = partial(_check_packed, options=options)
    processes = min(os.cpu_count() or 1, len(paths) // _CHUNK)
    if len(paths) < PARALLEL_FROM or processes < 2:
        yield from ((path, check_path(path, options)) for path in paths)
        return
    from concurrent.futures import ProcessPoolExecutor

    with ProcessPoolExecutor(processes) as pool:
        yield from zip(paths, pool.map(work, paths, chunksize=_CHUNK), strict=True)


def _check_packed(path: str, options: Options) -> list[Diagnostic]:
    return check_path(path, options)


def check_path(path: str, options: Options) -> list[Diagnostic]:
    """The findings of one submission, remembered where a cache is in use."""
    try:
        data = _read(path)
    except OSError as error:
        return [_not_read(path, error)]
    if options.cache and path != "-":
        return _remembered(path, data, options)
    return _strict(check_bytes(path, data, options), options)


def _remembered(path: str, data: bytes, options: Options) -> list[Diagnostic]:
    """As `check_bytes`, from the cache where everything that the answer depends on is as it was."""
    from dcp_lang.bulk.cache import Answer, RecordingWorkspace, key_of, still_holds
    from dcp_lang.bulk.wire import pack, unpack

    cache, root, key = _cache(options.cache), os.path.dirname(path), key_of(path, data, repr(options))
    answer = cache.get(key)
    if answer is not None and still_holds(answer, root):
        return unpack(answer.findings, _source(path, data)) if answer.findings else []
    workspace = RecordingWorkspace(root)
    found = _strict(check_bytes(path, data, options, workspace), options)
    packed = pack(found)
    if packed is not None:
        cache.put(key, Answer(packed, workspace.files))
    return found


@lru_cache(maxsize=4)
def _cache(path: str) -> Cache:
    from dcp_lang.bulk.cache import Cache

    return Cache(path)


def _read(path: str) -> bytes:
    if path == "-":
        return sys.stdin.buffer.read(_READ_AT_MOST)
    with open(path, "rb") as file:
        return file.read(_READ_AT_MOST)


def _not_read(path: str, error: OSError) -> Diagnostic:
    message = f"the file cannot be read: {os.strerror(error.errno or 0)}"
    return NOT_READ.found(SourceFile(path, ""), Span(0, 0), message, help="check its name and permissions")


def _source(path: str, data: bytes) -> SourceFile:
    """The text that findings of a file point into: its own, or the source that a compiled registration embeds."""
    if path.endswith(".json"):
        from dcp_lang.bulk.frozen import findings_source

        return findings_source(path, data)
    return read_source(path, data, Sink()) or SourceFile(path, "")


def check_bytes(
    name: str, data: bytes, options: Options, workspace: DiskWorkspace | None = None
) -> list[Diagnostic]:
    """The findings of one submission's bytes."""
    imposed = (SourceFile("the authority's profile", options.profile),) if options.profile else ()
    if name.endswith(".json"):
        from dcp_lang.bulk.frozen import check_frozen

        return check_frozen(name, data, imposed)
    sink = Sink()
    source = read_source(name, data, sink) or SourceFile(name, "")
    files = workspace or DiskWorkspace("." if name == "-" else os.path.dirname(name))
    return Compilation(source, files, sink, imposed).diagnostics


def _strict(found: list[Diagnostic], options: Options) -> list[Diagnostic]:
    if not options.strict:
        return found
    return [d._replace(severity="error") if d.severity == "warning" else d for d in found]
