"""The cache of a folder's answers: it never changes one, and no fault of its file does."""

from __future__ import annotations

import os
import shutil
import sqlite3
import subprocess
import sys
from collections.abc import Callable
from contextlib import closing
from pathlib import Path

import pytest
from bulk_runs import AUTHORITY, errors_in, found_in, plain
from started import environment

from dcp_lang.bulk import cache
from dcp_lang.bulk import many as bulk
from dcp_lang.bulk.cache import Answer, Cache, default_path
from dcp_lang.cli import run

ROOT = Path(__file__).resolve().parents[2]
Codes = Callable[..., list[str]]


def no_check(monkeypatch: pytest.MonkeyPatch) -> None:
    """From now on, whatever is checked and not remembered fails."""
    monkeypatch.setattr(bulk, "check_bytes", lambda *_: pytest.fail("checked again"))


def test_the_cache_answers_what_a_fresh_check_says(many: Path) -> None:
    fresh = plain(found_in(many, cache=False))
    for _ in range(2):
        assert plain(found_in(many)) == fresh


def test_the_cache_answers_without_checking(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    before = found_in(folder)
    no_check(monkeypatch)
    assert plain(found_in(folder)) == plain(before) != [[]]


def _relink(path: Path) -> None:
    path.rename(path.with_suffix(".moved"))
    path.symlink_to(path.with_suffix(".moved"))


#: What changes beside an unchanged registration, and the errors that follow.
CHANGES: dict[str, tuple[Callable[[Path], object], set[str]]] = {
    "file gone": (lambda at: (at / "baseline.json").unlink(), {"E802"}),
    "file becomes a link": (lambda at: _relink(at / "baseline.json"), {"E803"}),
    "folder gains a bad name": (lambda at: (at / "workspace" / "é").write_bytes(b""), {"E801"}),
    "folder gains a link": (lambda at: (at / "workspace" / "l").symlink_to("/etc/passwd"), {"E803"}),
}


@pytest.mark.parametrize("case", CHANGES)
def test_the_cache_is_never_stale(case: str, folder: Path) -> None:
    change, errors = CHANGES[case]
    path = folder / "registration.dcp"
    assert errors_in(path) == set()
    change(folder)
    assert errors_in(path) == errors
    assert errors_in(path) == errors


def test_a_mended_folder_is_sound_again(folder: Path) -> None:
    path = folder / "registration.dcp"
    kept = (folder / "baseline.json").read_bytes()
    (folder / "baseline.json").unlink()
    assert errors_in(path) == {"E802"}
    (folder / "baseline.json").write_bytes(kept)
    assert errors_in(path) == set()


def test_a_profile_that_looks_unchanged_is_read(folder: Path, sound: str) -> None:
    """Contents count: size and times of the file are those of before."""
    profile, path = folder / "house.dcp", folder / "registration.dcp"
    path.write_text(sound.replace("dcp 1\n", 'dcp 1\nuse file("house.dcp")\n', 1), "utf-8")
    profile.write_text(AUTHORITY.format("5%"), "utf-8")
    before = profile.stat()
    assert errors_in(path) == set()
    profile.write_text(AUTHORITY.format("4%"), "utf-8")
    os.utime(profile, ns=(before.st_atime_ns, before.st_mtime_ns))
    assert (profile.stat().st_size, profile.stat().st_mtime_ns) == (before.st_size, before.st_mtime_ns)
    assert errors_in(path) != set()


def test_findings_in_a_profile_point_into_it(folder: Path, sound: str) -> None:
    """Also when they are remembered, and for a copy of the submission under another name."""
    text = sound.replace("dcp 1\n", 'dcp 1\nuse file("house.dcp")\n', 1)
    (folder / "registration.dcp").write_text(text, "utf-8")
    (folder / "house.dcp").write_text('profile "house/1" {\n  require ρ <= nothing\n}\n', "utf-8")
    for name in ("registration.dcp", "registration.dcp", "a copy.dcp"):
        (folder / name).write_text(text, "utf-8")
        fresh = plain(found_in(folder / name, cache=False))
        assert plain(found_in(folder / name)) == fresh
        assert ["house.dcp", (folder / "house.dcp").read_text("utf-8")] in fresh[0][1]


def test_a_compiled_submission_is_remembered_with_the_source_that_it_embeds(
    compiled: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Under every name that it has; the findings point into the source, which is no file."""
    fresh = plain(found_in(compiled, cache=False))
    assert plain(found_in(compiled)) == fresh and "registration knapsack" in fresh[0][1][0][1]
    no_check(monkeypatch)
    copy = shutil.copy(compiled, compiled.with_name("copy.json"))
    [rows, [[name, text]]] = plain(found_in(Path(copy)))[0]
    assert [rows, text] == [fresh[0][0], fresh[0][1][0][1]] and name == str(copy)


@pytest.mark.parametrize("spelling", ["{}", "{}/", "{}/.", "{}/workspace/..", "./{}"])
def test_an_answer_does_not_depend_on_how_a_path_is_spelled(
    spelling: str, many: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(many.parent)
    run(["check", str(many)])
    no_check(monkeypatch)
    capsys.readouterr()
    path = spelling.format(many.name)
    assert run(["check", path]) == 1
    assert f"--> {os.path.join(path, 'faulty_0.dcp')}:" in capsys.readouterr().out


def _fill(count: int, folder: Path) -> list[subprocess.Popen[bytes]]:
    """Runs over a folder that start together."""
    call = [sys.executable, "-m", "dcp_lang", "check", str(folder)]
    return [subprocess.Popen(call, env=environment(), stdout=subprocess.DEVNULL) for _ in range(count)]


def test_runs_at_the_same_time_lose_nothing(many: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Each makes the file that is not there yet, and both write into it."""
    for process in _fill(3, many):
        assert process.wait(60) == 1
    no_check(monkeypatch)
    assert sum(map(len, found_in(many))) > 5


def test_what_was_checked_before_an_end_is_kept(many: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """An interruption, a pipe that was closed: the next run goes on from there."""
    paths = sorted(many.glob("*.dcp"))
    monkeypatch.setattr(bulk, "BATCH", 4)
    checked, original = [], bulk.check_bytes

    def check(path: str, *rest: object) -> object:
        if len(checked) == 5:
            raise KeyboardInterrupt
        checked.append(path)
        return original(path, *rest)  # type: ignore[arg-type]

    monkeypatch.setattr(bulk, "check_bytes", check)
    with pytest.raises(KeyboardInterrupt):
        found_in(many)
    no_check(monkeypatch)
    assert len(found_in(*paths[:5])) == 5


def test_a_busy_cache_only_costs_time(codes: Codes, many: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    assert codes("check", many) == ["1"] + ["E105"] * 5
    monkeypatch.setattr(cache, "WAIT", 0)
    with closing(sqlite3.connect(default_path(), isolation_level=None)) as other:
        other.execute("BEGIN EXCLUSIVE")
        assert codes("check", many) == ["1"] + ["E105"] * 5
    no_check(monkeypatch)
    assert codes("check", many) == ["1"] + ["E105"] * 5


@pytest.mark.parametrize("rubbish", [b"", b"rubbish" * 999, b"SQLite format 3\x00" + bytes(4096)])
def test_a_corrupted_cache_is_made_anew(
    rubbish: bytes, codes: Codes, many: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    Path(default_path()).parent.mkdir(parents=True)
    Path(default_path()).write_bytes(rubbish)
    assert codes("check", many) == ["1"] + ["E105"] * 5
    no_check(monkeypatch)
    assert codes("check", many) == ["1"] + ["E105"] * 5


ANSWER = Answer([["E1", "name"]], [], [["a", True, "sha256:0"]], "a.dcp", "plain", "text\udcff")


def test_a_flipped_bit_is_noticed(tmp_path: Path) -> None:
    with closing(Cache(str(tmp_path / "answers"))) as store:
        store.put([(b"key", ANSWER)])
        assert store.get([b"key", b"another"]) == {b"key": ANSWER}
    with closing(sqlite3.connect(tmp_path / "answers")) as file, file:
        [(value,)] = file.execute("SELECT value FROM answers")
        file.execute("UPDATE answers SET value = ?", (value.replace(b"plain", b"plaim"),))
    with closing(Cache(str(tmp_path / "answers"))) as store:
        assert store.get([b"key"]) == {}


def test_a_batch_is_asked_for_within_the_limits_of_an_old_sqlite(
    tmp_path: Path,
) -> None:
    """As many keys as a batch has files; releases before 3.32 let a query name 999 values."""
    store = Cache(str(tmp_path / "answers"))
    keys = [number.to_bytes(32, "big") for number in range(bulk.BATCH)]
    store.put((key, Answer([], [], [], key.hex(), "", "")) for key in keys)
    assert store._store
    store._store.setlimit(sqlite3.SQLITE_LIMIT_VARIABLE_NUMBER, 999)
    assert {key: answer.name for key, answer in store.get(keys).items()} == {key: key.hex() for key in keys}


def test_pages_broken_later_are_noticed(tmp_path: Path) -> None:
    """The head of the file is whole, so it opens; the answers are gone, and new ones are kept again."""
    path = tmp_path / "answers"
    with closing(Cache(str(path))) as store:
        store.put((bytes([n, m]), ANSWER) for n in range(100) for m in range(10))
    data = path.read_bytes()
    path.write_bytes(data[:4096] + b"\xff" * (len(data) - 4096))
    for _ in range(2):
        with closing(Cache(str(path))) as store:
            assert store.get([b"\x00\x00"]) == {}
            store.put([(b"new", ANSWER)])
    with closing(Cache(str(path))) as store:
        assert store.get([b"new"]) == {b"new": ANSWER}


def test_old_answers_make_room_for_new_ones(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(cache, "MOST_PAGES", 50)
    long = ANSWER._replace(text="x" * 1000)
    with closing(Cache(str(tmp_path / "answers"))) as store:
        for n in range(20):
            store.put((bytes([n, m]), long) for m in range(50))
        assert len(store.get([bytes([19, m]) for m in range(50)])) == 50
        assert store.get([bytes([0, m]) for m in range(50)]) == {}
    assert (tmp_path / "answers").stat().st_size < 150 * 4096


def test_another_compiler_has_answers_of_its_own(monkeypatch: pytest.MonkeyPatch) -> None:
    """Its code, and the interpreter."""
    keys = set()
    for change in ("none", "code", "python", "none"):
        with monkeypatch.context() as patch:
            cache.compiler_digest.cache_clear()
            cache._state.cache_clear()
            if change == "code":
                patch.setattr(cache, "package_dir", lambda: str(ROOT / "dcp_lang" / "bulk"))
            if change == "python":
                patch.setattr(sys, "version", "4.0")
            keys.add(cache.key_of(b"data", True, "options"))
    cache.compiler_digest.cache_clear()
    cache._state.cache_clear()
    parts = {(b"data", False, "options"), (b"data", True, "option"), (b"date", True, "options")}
    assert len(keys) == 3 and len(keys | {cache.key_of(*each) for each in parts}) == 6


def test_a_cache_that_cannot_be_made_is_done_without(codes: Codes, many: Path) -> None:
    Path(default_path()).parents[1].write_bytes(b"a file, where the cache folder should be")
    assert codes("check", many) == ["1"] + ["E105"] * 5


def test_a_copy_under_another_name_points_at_that_name(
    folder: Path, sound: str, capsys: pytest.CaptureFixture[str]
) -> None:
    (folder / "registration.dcp").write_text(sound.replace("ρ = 5%", "ρ = 200%"), "utf-8")
    run(["check", str(folder)])
    shutil.move(folder / "registration.dcp", folder / "moved.dcp")
    capsys.readouterr()
    assert run(["check", str(folder)]) == 1
    assert f"--> {folder / 'moved.dcp'}:" in capsys.readouterr().out
