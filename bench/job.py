"""The one job of the bench: a sound registration, and twelve that each break one constraint.

Every side reads the same 75 values: we as `.dcp`, the peers as the kernel's JSON or as a text of the values in their
own language. Each fault breaks one of the twelve constraints.
"""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any, NamedTuple

ROOT = Path(__file__).resolve().parents[1]
EXAMPLE = ROOT / "examples" / "sqlite_web"

Values = dict[str, Any]


class Fault(NamedTuple):
    """One broken constraint: what changes in the source, and the kernel's field that says the same with its value."""

    constraint: str
    edit: tuple[str, str]
    field: str
    value: Any


FAULTS = (
    Fault("0 < delta_min <= 1", ("δ_min = 0.5", "δ_min = 0"), "delta_min", 0),
    Fault("0 <= kappa < 1", ("ε = δ_min / 100", "ε = δ_min"), "kappa", 1),
    Fault("0 < rho <= 0.05", ("ρ = 5%", "ρ = 6%"), "rho", 0.06),
    Fault("the alphas add up to alpha_total at most", ("main = 0.5%", "main = 1%"), "alpha_main", 0.01),
    Fault("every audit's alpha fits the family's", ("audits = 1", "audits = 2"), "family_max_audits", 2),
    Fault("(1 - rho)^min_n_ind <= alpha_recovery", ("episodes = 96", "episodes = 80"), "min_n_ind", 80),
    Fault("0 < delta_sham <= delta_evidence / 2", ("δ_sham = 0.17", "δ_sham = 0.18"), "delta_sham", 0.18),
    Fault(
        "delta_evidence + delta_sham < 1", ("δ_evidence = 0.34", "δ_evidence = 0.9"), "delta_evidence", 0.9
    ),
    Fault("recall_min >= 0.8", ("recall_min = 0.8", "recall_min = 0.7"), "positive_control_recall_min", 0.7),
    Fault(
        "replaced pairs within a tenth", ("{ pairs = 3", "{ pairs = 4"), "max_feedback_pair_replacements", 4
    ),
    Fault(
        "replaced null pairs within a fifth",
        ("null_pairs = 6,", "null_pairs = 13,"),
        "max_sham_pair_replacements",
        13,
    ),
    Fault(
        "no blank in an identifier", ('id = "sqlite-index', 'id = "sqlite index'), "claim_id", "sqlite index"
    ),
)


def kernel_values() -> Values:
    """The example's registration as the kernel reads it, without the free notes."""
    import os
    from contextlib import redirect_stderr, redirect_stdout
    from tempfile import TemporaryDirectory

    from dcp_lang.cli import run

    with (
        TemporaryDirectory() as folder,
        open(os.devnull, "w") as quiet,
        redirect_stdout(quiet),
        redirect_stderr(quiet),
    ):
        assert run(["compile", str(EXAMPLE / "registration.dcp"), "-o", f"{folder}/out"]) == 0
        values: Values = json.loads(Path(folder, "out", "kernel-registration.json").read_text("utf-8"))
    del values["notes"]
    return values


def as_json(values: Values) -> str:
    """The kernel's own form."""
    return json.dumps(values, indent=1)


def as_jsonnet(values: Values) -> str:
    """The same values through the checks of `registration.libsonnet`."""
    return f"(import 'registration.libsonnet')({json.dumps(values, indent=1)})\n"


def as_pkl(values: Values) -> str:
    """A module that amends `Registration.pkl`."""
    lines = (f"{name} = {json.dumps(value)}\n" for name, value in values.items())
    return 'amends "../Registration.pkl"\n' + "".join(lines)


def as_kcl(values: Values) -> str:
    """An instance of the schema of `schema.k`, compiled together with it."""
    lines = "".join(f"    {name} = {_kcl(value)}\n" for name, value in values.items())
    return f"registration = Registration {{\n{lines}}}\n"


def _kcl(value: Any) -> str:
    return {"true": "True", "false": "False"}.get(json.dumps(value), json.dumps(value))


FORMS: dict[str, Callable[[Values], str]] = {
    "json": as_json,
    "jsonnet": as_jsonnet,
    "pkl": as_pkl,
    "k": as_kcl,
}


def write(folder: Path, form: str, values: Values, count: int) -> None:
    """`sound/` with `count` distinct registrations, `one/` with one, `faulty/` with the twelve.

    Distinct are, as between the audits of a family, the id, the least improvement, and in a source also the title
    and the price of a session: so every condition on the improvement has other numbers, and nearly everything in a
    source stands elsewhere.
    """
    write_one = _write_dcp if form == "dcp" else _write_values
    for number in range(count):
        write_one(folder / "sound", form, f"r{number:05}", values, None, number)
    write_one(folder / "one", form, "r", values, None, 0)
    for number, fault in enumerate(FAULTS):
        write_one(folder / "faulty", form, f"f{number:02}", values, fault, 0)


def _write_values(
    folder: Path, form: str, name: str, values: Values, fault: Fault | None, number: int
) -> None:
    changed = {**values, "claim_id": f"{values['claim_id']}-{number}"}
    changed["delta_min"] = float(_improvement(number))
    if fault:
        changed[fault.field] = fault.value
    _put(folder, f"{name}.{form}", FORMS[form](changed))


def _improvement(number: int) -> str:
    """δ_min of a registration: 0.5 of the first, then a little more each."""
    return f"{0.5 + number / 100_000:.5f}".rstrip("0")


def _write_dcp(folder: Path, form: str, name: str, values: Values, fault: Fault | None, number: int) -> None:
    """Sources lie among the files that they commit to, as one claimant's would."""
    changed = (EXAMPLE / "registration.dcp").read_text("utf-8")
    for before, after in (
        ('-claim"', f'-claim-{number}"'),
        ('event service"', f'event service, {number}"'),
        ("δ_min = 0.5\n", f"δ_min = {_improvement(number)}\n"),
        ("cost = 10 USD", f"cost = {10 + number / 1000:.3f} USD"),
    ):
        assert changed.count(before) == 1, before
        changed = changed.replace(before, after)
    if fault:
        assert changed.count(fault.edit[0]) == 1, fault
        changed = changed.replace(*fault.edit)
    _put(folder, f"{name}.{form}", changed)
    if not (folder / "workspace").exists():
        import shutil

        shutil.copytree(EXAMPLE / "workspace", folder / "workspace")
        for committed in ("task.py", "baseline.json"):
            shutil.copy(EXAMPLE / committed, folder)


def _put(folder: Path, name: str, text: str) -> None:
    folder.mkdir(parents=True, exist_ok=True)
    (folder / name).write_text(text, "utf-8")
