"""One pytest session in which mutants are tried: tests are collected once, each mutant lives in a fork."""

from __future__ import annotations

import functools
import gc
import mmap
import os
import resource
import signal
import sys
import time
from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from itertools import accumulate
from math import ceil
from pathlib import Path
from types import CodeType, FunctionType
from typing import Any, NamedTuple

import coverage
import pytest
from mutate_places import Mutant

from dcp_lang.memory import Memory

ROOT = Path(__file__).resolve().parents[1]
#: Processor seconds that every test has; one that takes longer has five times as long.
SECONDS = 2
#: Bytes of address space of a mutant.
MEMORY = 4 << 30
_OUT = os.fdopen(os.dup(1), "w", buffering=1)


def say(line: str) -> None:
    """Print a line of the result, wherever the output of the tests goes."""
    print(line, file=_OUT)


class Verdict(NamedTuple):
    """How a mutant fared: ``survived``, ``failed``, ``hung`` or ``unseen`` by any test; and who noticed."""

    word: str
    test: str


class Session:
    """A pytest plugin that runs all tests once, remembers the lines that each enters, and then calls `judge`."""

    def __init__(self, files: Iterable[str], most: float, judge: Callable[[Session], None]) -> None:
        self.files = list(files)
        self.most = most
        self.judge = judge
        self.seconds: dict[str, float] = {}
        self.killers: Counter[str] = Counter()
        self._step = mmap.mmap(-1, 8)

    @pytest.hookimpl(tryfirst=True)
    def pytest_runtestloop(self, session: pytest.Session) -> bool:
        """In place of pytest's own loop."""
        self.session = session
        self.items = {item.nodeid: item for item in session.items}
        self._record()
        self.functions = {path: list(_functions(path)) for path in self.files}
        gc.freeze()  # else every collection in a fork would copy all pages
        self.judge(self)
        return True

    def _record(self) -> None:
        watch = coverage.Coverage(data_file=None, include=self.files, config_file=False)
        watch.start()
        for name in list(self.items):
            _forget()
            watch.switch_context(name)
            start, failed = time.process_time(), self.session.testsfailed
            _run(self.items[name], None)
            self.seconds[name] = time.process_time() - start
            if self.session.testsfailed > failed or self.seconds[name] > self.most:
                say(f"left out: {name} ({self.seconds[name]:.1f} s)")
                del self.items[name]
        watch.stop()
        self.session.testsfailed = 0
        self._data = watch.get_data()

    def entered(self, path: str) -> dict[int, set[str]]:
        """The tests that run each line of a module after its import."""
        found = self._data.contexts_by_lineno(path)
        return {line: {t for t in tests if t in self.items} for line, tests in found.items()}

    def verdict(self, path: str, mutant: Mutant) -> Verdict:
        """Whether a test notices the mutant; the likeliest per second goes first."""
        entered = self.entered(path)
        lines = mutant.lines if mutant.called else entered
        names = set[str]().union(*(entered.get(line, ()) for line in lines))
        if not names:
            return Verdict("unseen", "")
        return self.run({path: mutant.code}, self._affordable(self._ordered(names, entered)))

    def _ordered(self, names: set[str], entered: dict[int, set[str]]) -> list[str]:
        """Who killed before, then by seconds over the chance to be the one of its path that matters."""
        paths = {name: frozenset(line for line, tests in entered.items() if name in tests) for name in names}
        alike = Counter(paths.values())
        return sorted(
            names, key=lambda n: (self.seconds[n] + 0.005) * alike[paths[n]] / (1 + 50 * self.killers[n])
        )

    def _affordable(self, names: list[str]) -> list[str]:
        sums = accumulate(self.seconds[name] for name in names)
        return [name for name, spent in zip(names, sums, strict=True) if spent <= self.most] or names[:1]

    def run(self, codes: dict[str, CodeType], names: list[str]) -> Verdict:
        """The verdict of these tests on modules whose code is replaced, in a fork of this process."""
        child = os.fork()
        if child == 0:
            try:
                self._try(codes, names)
            finally:
                os._exit(1)
        status = os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])
        if status == 0:
            return Verdict("survived", "")
        name = names[int.from_bytes(self._step[:8], "little")]
        self.killers[name] += 1
        return Verdict("hung" if status == -signal.SIGXCPU else "failed", name)

    def _try(self, codes: dict[str, CodeType], names: list[str]) -> None:
        self._step[:8] = bytes(8)
        _be_quiet_and_small()
        _allow(SECONDS)
        for path, code in codes.items():
            _replace(path, code, self.functions[path])
        _forget()
        items = [self.items[name] for name in names]
        for number, (item, following) in enumerate(zip(items, [*items[1:], None], strict=True)):
            self._step[:8] = number.to_bytes(8, "little")
            _allow(max(SECONDS, 5 * self.seconds[names[number]]))
            _run(item, following)
            if self.session.testsfailed:
                os._exit(1)
        os._exit(0)


def _run(item: pytest.Item, following: pytest.Item | None) -> None:
    item.ihook.pytest_runtest_protocol(item=item, nextitem=following)


def _be_quiet_and_small() -> None:
    resource.setrlimit(resource.RLIMIT_AS, (MEMORY, MEMORY))
    quiet = os.open(os.devnull, os.O_WRONLY)
    os.dup2(quiet, 1)
    os.dup2(quiet, 2)


def _allow(seconds: float) -> None:
    """End this process once it has used so many more seconds of the processor."""
    hard = resource.getrlimit(resource.RLIMIT_CPU)[1]
    resource.setrlimit(resource.RLIMIT_CPU, (ceil(time.process_time() + seconds), hard))


def _forget() -> None:
    """Empty the caches of the project and of its tests, so that what a test needs is computed in it."""
    for module in list(sys.modules.values()):
        if (getattr(module, "__file__", None) or "").startswith(str(ROOT)):
            for value in list(vars(module).values()):
                if isinstance(value, functools._lru_cache_wrapper):
                    value.cache_clear()
                elif isinstance(value, Memory):
                    value.clear()


def _functions(path: str) -> Iterator[FunctionType]:
    return (f for f in gc.get_objects() if isinstance(f, FunctionType) and f.__code__.co_filename == path)


def _replace(path: str, code: CodeType, functions: list[FunctionType]) -> None:
    """Run the module anew and move its functions, defaults and constants to where the old ones are."""
    name = path.removeprefix(f"{ROOT}/").removesuffix(".py").replace("/", ".")
    made: dict[str, Any] = {"__name__": name, "__file__": path, "__package__": name.rpartition(".")[0]}
    exec(code, made)
    codes = dict(_codes(code))
    twins = {_key(f.__code__): f for f in _functions(path) if f.__globals__ is made}
    for function in functions:
        key = _key(function.__code__)
        function.__code__ = codes[key]
        if key in twins:
            function.__defaults__, function.__kwdefaults__ = (
                twins[key].__defaults__,
                twins[key].__kwdefaults__,
            )
    for attribute, value in made.items():
        if not attribute.startswith("__"):
            _move(attribute, sys.modules[name].__dict__[attribute], value)


def _move(attribute: str, old: Any, new: Any) -> None:
    """A constant goes to every module that imported it, the defaults of a record to its class."""
    if isinstance(new, type):
        _move_defaults(old, new)
    elif not callable(new) and new != old:
        for module in list(sys.modules.values()):
            if getattr(module, "__dict__", {}).get(attribute) is old:
                setattr(module, attribute, new)


def _move_defaults(old: Any, new: Any) -> None:
    if new is old:
        return
    if "_defaults" in vars(new):
        old._defaults = new._defaults
    elif "_field_defaults" in vars(new):
        old.__new__.__defaults__ = new.__new__.__defaults__


def _key(code: CodeType) -> tuple[str, int]:
    return code.co_qualname, code.co_firstlineno


def _codes(code: CodeType) -> Iterator[tuple[tuple[str, int], CodeType]]:
    for inner in code.co_consts:
        if isinstance(inner, CodeType):
            yield _key(inner), inner
            yield from _codes(inner)
