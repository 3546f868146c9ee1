"""Valid registrations by the thousand, each in many spellings: what is frozen must not depend on the
spelling.

`drawn()` gives a registration as values; `written(…)` writes it in one of its layouts. Whatever the values,
the registration is sound: sizes are computed or large enough, and the error budget is not overspent.
"""

from __future__ import annotations

import hashlib
import random
from fractions import Fraction
from typing import Any, NamedTuple

from hypothesis import strategies as st

from dcp_lang.canonical import canonical_bytes, digest
from dcp_lang.driver import Compilation
from dcp_lang.emit.registration import frozen_registration
from dcp_lang.frozen import Registration, read_registration
from dcp_lang.language.values import Material
from dcp_lang.sema.materials import MISSING, MaterialError
from dcp_lang.source import SourceFile

DIGEST = "sha256:" + hashlib.sha256(b"a real commitment").hexdigest()


class AnyFiles:
    """A workspace in which every file is there, with a digest made of its name."""

    def material(self, path: str, folder: bool) -> Material:
        """A file of one byte, or a folder of one file; raises `MaterialError` for names that start so."""
        if path.startswith("missing"):
            raise MaterialError(MISSING, f"there is no file `{path}`")
        sha256 = "sha256:" + hashlib.sha256(path.encode()).hexdigest()
        if not path.endswith("/"):
            return Material("file", path, sha256, 1)
        rows = (("TASK.md", sha256, 1),)
        return Material(
            "folder",
            path,
            digest(canonical_bytes([{"path": "TASK.md", "sha256": sha256, "size": 1}])),
            1,
            rows,
        )


class Drawn(NamedTuple):
    """A registration as values: blocks in order, each a head and its fields; a value is a text or a
    number.
    """

    grade: str
    blocks: dict[str, dict[str, Any]]


_MODES = ("prospective", "retrospective(present_day)", "retrospective(pre_publication)")


class Text(str):
    """A text of the author's own; every other text is an expression of the language."""


class Quantity(NamedTuple):
    """A quantity in one unit; it may be written in another."""

    number: Fraction
    unit: str


_FACTORS = {"s": {"s": 1, "min": 60, "h": 3600}, "B": {"B": 1, "kB": 1000, "MiB": 2**20, "GiB": 2**30}}
_PLACES = st.integers(1, 20).map(lambda k: Fraction(k, 400))  # 0.25% to 5%
_WORDS = st.text(
    st.characters(codec="ascii", categories=("L", "N", "Zs"), include_characters='"\\\n\t.,'),
    min_size=1,
    max_size=30,
)


def _prose(text: str) -> bool:
    return any(c.isalpha() for c in text)


PROSE = _WORDS.filter(_prose).map(lambda text: Text(f"It says {text.strip()} here"))


@st.composite
def drawn(draw: Any) -> Drawn:
    """A sound registration, as values."""
    grade = draw(st.sampled_from(["core", "evidence"]))
    evidence = grade == "evidence"
    delta_min = Fraction(draw(st.integers(2, 80)), 100)
    blocks: dict[str, dict[str, Any]] = {
        "": {
            "id": Text(draw(st.sampled_from(["claim-v1", "x.Y_2"]))),
            "title": Text("A title"),
            "claim": draw(PROSE),
            "mode": "prospective" if evidence else draw(st.sampled_from(_MODES)),
            "family": 'family("a-family", audits = 1, alpha = 5%)',
        },
        "task made_up_task": {
            "adapter": 'file("task.py")',
            "score": 'maximize("share of what is asked") on [0, 1]',
            "population": f"exhaustive({draw(st.integers(2, 10**6))} units)",
            "evaluator": f'sealed("{DIGEST}", at = "private/evaluator.py")',
        },
        "baseline plain": {
            "artifact": 'file("baseline.json")',
            "score": Fraction(draw(st.integers(0, 19)), 100),
        },
        "model": {
            "id": '"provider/model"',
            "requested": '"model"',
            "reported": '["model"]',
            "interface": 'claude_code(docker, image = "agent@sha256:1f0c9d5e")',
            "tools": "[read, write, experiment]",
        },
        "information": {
            "known method": draw(PROSE),
            "given workspace": 'file("workspace/")',
            "given guidance": '"none"',
            "lineage work": 'feedback("the score of the agent\'s own proposal")',
            "consumed": '"the artifact is chosen from what came back"',
        },
        "budget session": {
            "turns": draw(st.integers(1, 50)),
            "cost": Quantity(Fraction(draw(st.integers(1, 5000)), 100), "USD"),
            "time": Quantity(Fraction(60 * draw(st.integers(1, 600))), "s"),
            "memory": Quantity(Fraction(2**20 * draw(st.integers(512, 8192))), "B"),
        },
        "thresholds": {
            "delta_min": delta_min,
            "epsilon": delta_min / draw(st.sampled_from([7, 10, 100])),
            "rho": draw(_PLACES),
            "recall_min": Fraction(draw(st.integers(80, 95)), 100),
        },
        "errors 0.05": dict.fromkeys(("main", "score", "adequacy"), Fraction(1, 200))
        | {"recovery": Fraction(draw(st.integers(1, 100)), 10_000)},
        "selection": {"rule": '"the last artifact"', "stop": '"the turns are spent"'},
        "gate recovery": {
            "episodes": draw(st.sampled_from(["auto", 3700])),
            "positive_controls": draw(st.sampled_from(["auto", 1000])),
            "draws": '"fresh sessions over equivalent presentations"',
            "web": "none",
        },
        "policy challenger": {"sends": '"acknowledged"', "preserves": "[schema]"},
    }
    if blocks[""]["mode"] != "prospective":
        score = blocks["baseline plain"]["score"] + delta_min
        blocks["target"] = {"artifact": 'file("target.json")', "score": score}
    if evidence:
        _add_feedback(draw, blocks)
    return Drawn(grade, blocks)


def _add_feedback(draw: Any, blocks: dict[str, dict[str, Any]]) -> None:
    """What the evidence grade adds: Gate 3, its thresholds, errors and policies."""
    band = Fraction(draw(st.integers(10, 24)), 100)
    alpha = Fraction(draw(st.integers(10, 100)), 10_000)
    blocks["thresholds"] |= {"delta_evidence": Fraction(2 * band), "delta_sham": band}
    blocks["errors 0.05"] |= {"evidence": alpha, "sham": alpha, "neutral": Fraction(1, 200)}
    blocks["gate feedback"] = {
        "checkpoint": draw(st.sampled_from(['after("first experiment")', 'after("web snapshot")'])),
        "scope": "lineage_prefix",
        "utility": draw(st.sampled_from(["recovers", "mean_score"])),
        "pairs": "auto",
        "null_pairs": "auto",
        "null_tasks": '"tasks whose answer is among the starting files"',
    }
    for who in ("truthful", "neutral", "reference_null"):
        share = Fraction(draw(st.integers(1, 20)), 100)
        blocks[f"policy {who}"] = {
            "sends": f'"the message of {who}"',
            "preserves": f"[timing, schema, length within {float(share)}]",
        }


def written(registration: Drawn, dice: random.Random | None = None) -> str:
    """The source in the one plain layout, or with `dice` in one of the many that say the same."""
    lines = ["dcp 1", 'use "dcp.kernel/2"', f"registration sample : {registration.grade} {{"]
    for head, fields in _mixed(list(registration.blocks.items()), dice):
        body = [f"{name} = {_spelt(value, dice)}" for name, value in _mixed(list(fields.items()), dice)]
        if head.startswith("task"):
            body.append('valid {\n"the artifact has the registered form"\n}')
        if head:
            body = [f"{_greek(head, dice)} {{", *body, "}"]
        lines += [_noise(_greek(line, dice), dice) for line in body]
    return "\n".join([*lines, "}"]) + "\n"


def _mixed(rows: list[Any], dice: random.Random | None) -> list[Any]:
    if dice is not None:
        dice.shuffle(rows)
    return rows


def _greek(line: str, dice: random.Random | None) -> str:
    names = {"delta_min": "δ_min", "epsilon": "ε", "rho": "ρ", "delta_sham": "δ_sham"}
    name, equals, value = line.partition(" = ")
    return names.get(name, name) + equals + value if dice is not None and dice.random() < 0.5 else line


def _noise(line: str, dice: random.Random | None) -> str:
    if dice is None:
        return line
    before = dice.choice(["", "  ", "\n", "# a comment\n", "      "])
    return before + line + dice.choice(["", " ", "  # said aside"])


def _spelt(value: Any, dice: random.Random | None) -> str:
    match value:
        case Fraction():
            return _number(value, dice)
        case Quantity(number, unit):
            return _quantity(number, unit, dice)
        case int():
            return f"{value:_}" if dice is not None and dice.random() < 0.5 else str(value)
        case Text():
            return (
                '"'
                + value.replace("\\", "\\\\").replace('"', '\\"').replace("\n", "\\n").replace("\t", "\\t")
                + '"'
            )
        case _:
            return str(value)


def _number(value: Fraction, dice: random.Random | None) -> str:
    plain = _decimal(value)
    ways = [f"{value.numerator} / {value.denominator}"]
    if plain:
        percent = f"{_decimal(value * 100)}%"
        ways = [plain, percent, plain + ("0" if "." in plain else ".0"), *ways]
    return ways[0] if dice is None else dice.choice(ways)


def _decimal(value: Fraction) -> str:
    """The decimal of a number with at most six places, empty for others."""
    return f"{float(value):.6f}".rstrip("0").rstrip(".") if 10**6 % value.denominator == 0 else ""


def _quantity(number: Fraction, unit: str, dice: random.Random | None) -> str:
    units = {u: _decimal(number / f) for u, f in _FACTORS.get(unit, {unit: 1}).items()}
    name = unit if dice is None else dice.choice([u for u, text in units.items() if text])
    return f"{units[name]} {name}"


def compiled(source: str) -> Compilation:
    """The compilation of a source among files that are all there."""
    return Compilation(SourceFile("sample.dcp", source), AnyFiles())


def frozen_bytes(compilation: Compilation) -> bytes:
    """The bytes that a sound compilation freezes to."""
    assert compilation.is_sound, [f"{d.code} {d.message}" for d in compilation.diagnostics if d.is_error]
    assert compilation.analysis is not None
    return canonical_bytes(frozen_registration(compilation.analysis, compilation.waivers))


def freeze(source: str) -> Registration:
    """The frozen registration of a sound source."""
    return read_registration(frozen_bytes(compiled(source)))
