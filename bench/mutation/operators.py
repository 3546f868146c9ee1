"""Typed mutations: each yields mutants with a verdict, by construction or from the oracle.

A mutant carries what the same mistake would be in the kernel's JSON and in the frozen JSON, where it can be made there
at all: `kernel` and `fields` give a new value by key, or `REMOVED`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from fractions import Fraction
from random import Random
from typing import Any

from dcp_lang.language.fields import AUTO, DEFAULT, FIELDS, OPTIONAL, find_field
from dcp_lang.language.values import json_value
from mutation.good import Good
from mutation.oracle import COUNTS, RANGES, broken

REMOVED = object()


@dataclass(frozen=True)
class Mutant:
    """A changed registration: which operator changed what, and whether it is faulty."""

    good: Good
    operator: str
    what: str
    text: str
    is_faulty: bool
    kernel: dict[str, Any] = field(default_factory=dict)
    fields: dict[str, Any] = field(default_factory=dict)


def mutants(good: Good, random: Random, each: int) -> Iterator[Mutant]:
    """Every operator's mutants of one registration, `each` random values for a number."""
    yield from _numbers(good, random, each)
    for operator in OPERATORS:
        yield from operator(good, random)


# Numbers across their boundaries ------------------------------------------------------------------------------

_LANDMARKS = [
    "0",
    "0.000000000001",
    "0.000000001",
    "0.01",
    "0.05",
    "0.050000000001",
    "0.17",
    "0.2",
    "0.34",
    "0.5",
]
_LANDMARKS += ["0.799999999999", "0.8", "0.999999999999", "1", "1.000000000001", "5", "-0.01"]
_NEAR = ["0.5", "0.9", "0.99", "0.999999", "1", "1.000001", "1.01", "1.1", "2", "10"]


def _numbers(good: Good, random: Random, each: int) -> Iterator[Mutant]:
    for path in good.values:
        old = good.facts.get(path)
        if not isinstance(old, Fraction) or path not in RANGES | COUNTS:
            continue
        if path in COUNTS:
            values = {old + d for d in (-2, -1, 0, 1, 2)} | {
                Fraction(random.randint(0, 300)) for _ in range(each)
            }
            values |= {old + Fraction(1, 2), Fraction(-1), Fraction(0), Fraction(1)}
        else:
            values = {Fraction(v) for v in _LANDMARKS} | {old * Fraction(f) for f in _NEAR}
            values |= {Fraction(random.randint(0, 10**6), 10**6) for _ in range(each)}
        yield from (_number(good, path, value) for value in sorted(values) if _is_short(value))


def _is_short(value: Fraction) -> bool:
    return 10**12 % value.denominator == 0


def _number(good: Good, path: str, value: Fraction) -> Mutant:
    facts = good.facts | {path: value, "text": good.text}
    operator = "count" if path in COUNTS else "threshold"
    text = good.with_value(path, decimal(value))
    return Mutant(
        good, operator, f"{path} = {decimal(value)}", text, bool(broken(facts)), *_patches(good, path, value)
    )


def decimal(value: Fraction) -> str:
    """A number of at most twelve decimals, as a source spells it."""
    scaled = abs(value.numerator) * 10**12 // value.denominator
    digits = f"{scaled // 10**12}.{scaled % 10**12:012d}".rstrip("0").rstrip(".")
    return f"-{digits}" if value < 0 else digits


def _patches(good: Good, path: str, value: Any) -> tuple[dict[str, Any], dict[str, Any]]:
    """The same change in the kernel's JSON and in the frozen JSON."""
    spec, is_count = find_field(path), path in COUNTS
    number = isinstance(value, Fraction)
    frozen = json_value(int(value) if is_count and number and value.denominator == 1 else value)
    fields = {path: frozen if frozen is not None else value}
    plain: Any = value
    if number:
        plain = int(value) if is_count and value.denominator == 1 else float(value)
    if path == "thresholds.epsilon" and number:
        return {"kappa": float(value / good.facts["thresholds.delta_min"])}, fields
    if path == "thresholds.delta_min" and number and value:
        return {"delta_min": plain, "kappa": float(good.facts["thresholds.epsilon"] / value)}, fields
    key = spec.kernel if spec else ""
    return ({key: plain} if key and not key.endswith("_hash") else {}), fields


# Values of another kind ---------------------------------------------------------------------------------------


def _types(good: Good, random: Random) -> Iterator[Mutant]:
    """A value of another type, or a number with the wrong unit or none."""
    for path, old in good.facts.items():
        if path not in good.values:
            continue
        wrong = ['"many"', "[1, 2]", "nothing"] if isinstance(old, Fraction) else ["3", "[3]"]
        if path.startswith("budget.") and isinstance(old, Fraction):
            unit = {"cost": "min", "time": "USD", "memory": "s"}.get(path.rpartition(".")[2])
            wrong += [f"10 {unit}", "10"] if unit else ["10 GiB"]
        for value in wrong:
            if isinstance(old, tuple) and value == "[3]":
                value = '["a", "a"]'
            plain = value.strip('"')
            patches = _patches(good, path, plain)
            yield Mutant(
                good, "type or unit", f"{path} = {value}", good.with_value(path, value), True, *patches
            )


# Names --------------------------------------------------------------------------------------------------------


def _names(good: Good, random: Random) -> Iterator[Mutant]:
    """A field, block, choice or unit that does not exist."""
    for path, head in good.heads.items():
        spec = find_field(path)
        if spec is None or spec.name == "*" or spec.path.endswith((".name", ".total", "task.valid")):
            continue
        word = good.text[slice(*head)]
        text = good.replaced(head, _misspelt(word, random))
        kernel = {spec.kernel + "x": 1, spec.kernel: REMOVED} if spec.kernel else {}
        yield Mutant(good, "name", f"{path} misspelt", text, True, kernel, {path + "x": 1, path: REMOVED})
        value = good.value_text(path)
        if value.isidentifier() and spec.type.__class__.__name__ == "ChoiceType":
            text, patches = good.with_value(path, value + "x"), _patches(good, path, value + "x")
            yield Mutant(good, "name", f"{path} = {value}x", text, True, *patches)
    for block, span in good.blocks.items():
        start = span._replace(end=span.start + len(block.split()[0]))
        yield Mutant(
            good, "name", f"block {block} misspelt", good.replaced(start, block.split()[0] + "s"), True
        )
    yield Mutant(good, "name", "require of nothing", _with(good, "require rhoo <= 5%"), True)


def _misspelt(word: str, random: Random) -> str:
    at = random.randrange(len(word))
    return word[:at] + "q" + word[at + 1 :]


def _with(good: Good, *lines: str) -> str:
    """The source with more statements at the end of the registration."""
    end = good.text.rindex("}")
    return good.text[:end] + "\n" + "\n".join(lines) + "\n" + good.text[end:]


# Repetition and absence ---------------------------------------------------------------------------------------


def _repeated(good: Good, random: Random) -> Iterator[Mutant]:
    for path, span in good.fields.items():
        if path != "task.valid" and not path.endswith((".name", ".total")):
            statement = good.text[slice(*span)]
            yield Mutant(good, "repetition", path, good.replaced(span, f"{statement}\n{statement}"), True)
    for block, span in good.blocks.items():
        statement = good.text[slice(*span)]
        yield Mutant(
            good, "repetition", f"block {block}", good.replaced(span, f"{statement}\n{statement}"), True
        )


def _absent(good: Good, random: Random) -> Iterator[Mutant]:
    """A field or block left out: faulty when nothing stands in for it."""
    for path, span in good.fields.items():
        spec = find_field(path)
        if spec is None or spec.name == "*" or path.endswith((".name", ".total")):
            continue
        needed = spec.presence not in (AUTO, DEFAULT, OPTIONAL)
        facts = {k: v for k, v in good.facts.items() if k != path} | {"text": good.text}
        if spec.presence == DEFAULT:
            facts[path] = _default(spec.default)
        if spec.presence == OPTIONAL and path in _MATTERS:
            continue
        kernel = {spec.kernel: REMOVED} if spec.kernel else {}
        text = (
            good.replaced(span, "")
            if path != "task.valid"
            else good.text.replace("valid {", "valid { }\n#", 1)
        )
        if path != "task.valid":
            is_faulty = needed or bool(broken(facts))
            yield Mutant(good, "absence", path, text, is_faulty, kernel, {path: REMOVED})
    for block, span in good.blocks.items():
        if block not in ("registration", "expect", "budget audit", "notes", "parties", "replacements"):
            fields = {p: REMOVED for p in good.frozen["fields"] if p.replace(".", " ").startswith(block)}
            kernel = {s.kernel: REMOVED for p, s in FIELDS.items() if p in fields and s.kernel}
            yield Mutant(
                good, "absence", f"block {block}", good.replaced(span, ""), block != "target", kernel, fields
            )


#: Optional fields whose absence other operators judge.
_MATTERS = ("information.consumed", "target.score", "gate.feedback.development")


def _default(value: Any) -> Any:
    number = getattr(value, "number", value)
    return Fraction(number) if isinstance(number, int | Fraction) else value


# Meaning ------------------------------------------------------------------------------------------------------


def _roles(good: Good, random: Random) -> Iterator[Mutant]:
    """Roles that are swapped or share one material."""
    for a, b in (("neutral", "truthful"), ("reference_null", "neutral"), ("reference_null", "truthful")):
        if f"policy.{a}.sends" in good.values:
            text = good.with_value(f"policy.{a}.sends", good.value_text(f"policy.{b}.sends"))
            fields = {f"policy.{a}.sends": good.facts[f"policy.{b}.sends"]}
            yield Mutant(good, "roles", f"{a} sends what {b} sends", text, True, {}, fields)
    for a, b in (("task.evaluator", "task.adapter"), ("baseline.artifact", "task.adapter")):
        text = good.with_value(a, good.value_text(b))
        fields = {a: good.frozen["fields"][b]["value"]}
        yield Mutant(good, "roles", f"{a} is {b}", text, True, {}, fields)
    for policy in ("neutral", "reference_null"):
        path = f"policy.{policy}.preserves"
        for kept in ("[timing, schema]", "[schema, length]", "[timing]", "[]"):
            if path in good.values:
                text, fields = (
                    good.with_value(path, kept),
                    {path: [{"choice": w} for w in kept[1:-1].split(", ") if w]},
                )
                yield Mutant(good, "roles", f"{path} = {kept}", text, True, {}, fields)


def _leaks(good: Good, random: Random) -> Iterator[Mutant]:
    """Information in two places, or withheld where it must be shown."""
    labels = [p for p in good.values if p.startswith("information.lineage.")]
    block = good.blocks["information"]
    for path in labels:
        label = path.rpartition(".")[2]
        item = f'known {label} = "what the agent finds"\n'
        text = good.text[: block.end - 1] + item + good.text[block.end - 1 :]
        fields = {f"information.known.{label}": "what the agent finds"}
        yield Mutant(good, "leak", f"{label} is known too", text, True, {}, fields)
        said = good.value_text(path)
        given = "given told = " + said[said.index("(") + 1 : said.rindex(")")] + "\n"
        text = good.text[: block.end - 1] + given + good.text[block.end - 1 :]
        yield Mutant(good, "leak", f"{label} is given too", text, True)
    hints = 'lineage hints = guidance("hints after each plan")\n'
    text = good.text[: block.end - 1] + hints + good.text[block.end - 1 :]
    yield Mutant(good, "leak", "guidance after results", text, True)
    claim = "web_contribution = claimed\n"
    text = good.text[: block.end - 1] + claim + good.text[block.end - 1 :]
    fields = {"information.web_contribution": {"choice": "claimed"}}
    yield Mutant(good, "leak", "a Web claim without its intervention", text, True, {}, fields)
    if any(p.startswith("information.web.") for p in good.values):
        text, patches = (
            good.with_value("gate.recovery.web", "none"),
            {"gate.recovery.web": {"choice": "none"}},
        )
        yield Mutant(good, "leak", "Web bytes withheld", text, True, {}, patches)
    if "information.consumed" in good.values:
        text = good.with_value("information.consumed", '"none"')
        yield Mutant(good, "leak", "no action consumes", text, True, {}, {"information.consumed": "none"})
    without = good.text
    for path in sorted(labels, key=lambda p: -good.fields[p].start):
        without = without[: good.fields[path].start] + without[good.fields[path].end :]
    yield Mutant(good, "leak", "no lineage", without, True, {}, dict.fromkeys(labels, REMOVED))


def _modes(good: Good, random: Random) -> Iterator[Mutant]:
    """The mode, the grade and the target against each other."""
    if good.value_text("mode") == "prospective":
        retrospective = good.with_value("mode", "retrospective(knowledge = present_day)")
        yield Mutant(good, "mode", "retrospective without a target", retrospective, True)
        yield Mutant(good, "mode", "prospective with a target", _with(good, "target { score = 1 }"), True)
    if "gate.feedback.scope" in good.values and "start" not in good.value_text("gate.feedback.checkpoint"):
        text = good.with_value("gate.feedback.checkpoint", "start")
        faulty = good.value_text("gate.feedback.scope") == "lineage_prefix"
        yield Mutant(good, "mode", "a checkpoint at the start", text, faulty)
    other = "core" if good.facts["grade"] == "evidence" else "evidence"
    text = good.text.replace(f": {good.facts['grade']} {{", f": {other} {{", 1)
    yield Mutant(good, "mode", f"grade {other}", text, True, {"grade_requested": other})


def _files(good: Good, random: Random) -> Iterator[Mutant]:
    """Files that are not there, paths that leave the folder, digests of nothing."""
    for path in [p for p in good.values if good.value_text(p).startswith("file(")]:
        for name in ("missing.py", "../task.py", "/etc/passwd"):
            yield Mutant(good, "file", f"{path} = {name}", good.with_value(path, f'file("{name}")'), True)
    empty = "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"
    for digest in (empty, "0" * 64, "ab" * 32, "A" * 64, "1234"):
        text = good.with_value("task.evaluator", f'sealed("sha256:{digest}")')
        fields = {"task.evaluator": {"sealed": f"sha256:{digest}"}}
        yield Mutant(good, "file", f"evaluator sha256:{digest[:8]}…", text, True, {}, fields)


def _prose(good: Good, random: Random) -> Iterator[Mutant]:
    """Placeholders."""
    for path in ("selection.rule", "selection.stop", "claim", "gate.recovery.draws", "model.id"):
        for word in ("TODO", "", "unspecified", "..."):
            fields, key = {path: word}, FIELDS[path].kernel
            kernel = {key: word} if key and not key.endswith("_hash") else {}
            yield Mutant(
                good,
                "placeholder",
                f'{path} = "{word}"',
                good.with_value(path, f'"{word}"'),
                True,
                kernel,
                fields,
            )


def _runner(good: Good, random: Random) -> Iterator[Mutant]:
    """What the runner's loader refuses, or can never certify."""
    interface = good.value_text("model.interface")
    if interface.startswith("claude_code"):
        for text in (
            "claude_code(execution = docker)",
            "claude_code(execution = host)",
            "claude_code(execution = vm)",
        ):
            yield Mutant(good, "runner", text, good.with_value("model.interface", text), True)
        for amount, faulty in (("10 EUR", True), ("0.000001 USD", good.facts["budget.session.turns"] > 1)):
            yield Mutant(
                good, "runner", f"cost = {amount}", good.with_value("budget.session.cost", amount), faulty
            )
        seconds = good.facts["budget.session.turns"]
        for time in (seconds, seconds - Fraction(1, 1000)):
            text = good.with_value("budget.session.time", f"{decimal(time)} s")
            faulty = bool(broken(good.facts | {"budget.session.time": time, "text": good.text}))
            yield Mutant(good, "runner", f"time = {decimal(time)} s", text, faulty)
    for path in [
        p for p in good.values if p.startswith("information.web.") and "hosts" in good.value_text(p)
    ]:
        for value in ('hosts(["https://sqlite.org"])', 'hosts(["sqlite.org:80"])', "hosts([])"):
            yield Mutant(good, "runner", f"{path} = {value}", good.with_value(path, value), True)
        for raw, delivered in ((100, 101), (101, 101)):
            value = f'hosts(["sqlite.org"], raw = {raw} B, delivered = {delivered} B)'
            yield Mutant(good, "runner", value, good.with_value(path, value), delivered > raw)
    for memory in (511, 512):
        if "budget.session.memory" in good.values:
            text = good.with_value("budget.session.memory", f"{memory} MiB")
            yield Mutant(good, "runner", f"memory = {memory} MiB", text, memory < 512)


def _requires(good: Good, random: Random) -> Iterator[Mutant]:
    """Conditions of the author's own, true and false, on known values and on the unknown."""
    n = good.facts["thresholds.rho"]
    for condition, holds in (
        (f"ρ <= {decimal(n)}", True),
        (f"ρ < {decimal(n)}", False),
        ("0 <= ε < δ_min", True),
        ("δ_min <= ε", False),
        ("x >= 0", True),
        ("x > 1", False),
        ("x >= 0.75", True),
        ("grade == core and grade == evidence", False),
        ("x * x < 0", False),
        ("x - x == 0", True),
        ("sessions >= 1 or 1 < 0", True),
        ("policy.challenger.sends == 3", False),
        ("budget.session.time <= 30 USD", False),
    ):
        known = "target.score" in good.facts and condition.startswith("x >= 0.75")
        if not known:
            yield Mutant(good, "condition", condition, _with(good, f"require {condition}"), not holds)


# Harmless changes ---------------------------------------------------------------------------------------------


def _harmless(good: Good, random: Random) -> Iterator[Mutant]:
    """Changes of layout, spelling and prose that no rule may mind."""
    edits: dict[str, str] = {
        "comment": good.text.replace("{\n", "{  # opens\n"),
        "blank lines": good.text.replace("\n", "\n\n"),
        "ASCII names": good.text.replace("δ_", "delta_").replace("ε ", "epsilon ").replace("ρ ", "rho "),
        "reversed fields": _reversed(good, "thresholds"),
        "reversed alphas": _reversed(good, "errors"),
        "title": good.with_value("title", '"Another title"'),
        "claim": good.with_value("claim", '"Another claim, in other words"'),
        "id": good.with_value("id", '"another-id.v2"'),
        "salt": _with(good, 'salt = "00112233445566778899aabbccddeeff"'),
        "notes": _with(good, 'notes { pilots = "three development runs" }'),
        "expect": _with(good, "expect { neutral = 1% }") if "expect" not in good.blocks else good.text,
    }
    for name, text in edits.items():
        yield Mutant(good, "harmless", name, text, False)
    for path in ("thresholds.rho", "errors.total"):
        value = good.facts[path]
        for spelling in (f"{decimal(value * 100)}%", decimal(value), f"{decimal(value)}000"):
            yield Mutant(good, "harmless", f"{path} = {spelling}", good.with_value(path, spelling), False)


def _reversed(good: Good, block: str) -> str:
    span = good.blocks[block]
    body = good.text[slice(*span)]
    head, _, rest = body.partition("{")
    lines = [
        line for line in rest.rstrip("}").replace(",", "\n").split("\n") if line.strip() and "#" not in line
    ]
    return good.replaced(span, head + "{\n" + "\n".join(reversed(lines)) + "\n}")


OPERATORS: tuple[Callable[[Good, Random], Iterator[Mutant]], ...] = (
    _types,
    _names,
    _repeated,
    _absent,
    _roles,
    _leaks,
    _modes,
    _files,
    _prose,
    _runner,
    _requires,
    _harmless,
)
