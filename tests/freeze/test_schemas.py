"""Schemas: sound, of everything that is written, and as strict as a schema can be."""

from __future__ import annotations

import json
import shutil
import subprocess
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from jsonschema import Draft202012Validator

from dcp_lang.cli import run
from dcp_lang.driver import Compilation
from dcp_lang.emit.build import build_files
from dcp_lang.emit.schemas import NAMES, schema, schema_faults
from dcp_lang.emit.schemas.typescript import typescript
from dcp_lang.frozen import FrozenFault, read_registration
from dcp_lang.frozen.load import ORIGINS
from dcp_lang.frozen.shapes import has_shape
from dcp_lang.language.fields import FIELDS
from dcp_lang.sema.reader import _SHAPES

TYPES = Path(__file__).parents[2] / "docs/registration.d.ts"


@pytest.mark.parametrize("name", NAMES)
def test_each_is_a_versioned_schema(name: str) -> None:
    Draft202012Validator.check_schema(schema(name))
    assert schema(name)["$schema"].endswith("2020-12/schema") and schema(name)["$id"]


def _objects(value: Any) -> list[dict[str, Any]]:
    parts = value.values() if isinstance(value, dict) else value if isinstance(value, list) else ()
    return [value] * isinstance(value, dict) + [found for part in parts for found in _objects(part)]


def test_no_object_of_a_registration_is_open() -> None:
    objects = [o for o in _objects(schema("registration")) if o.get("type") == "object" and "properties" in o]
    assert len(objects) > 150
    assert [o for o in objects if o.get("additionalProperties") is not False] == []


def test_every_field_is_there_with_its_sentence() -> None:
    fields = schema("registration")["properties"]["fields"]
    described = {**fields["properties"], **fields["patternProperties"]}
    assert len(described) == len(FIELDS)
    for path, spec in FIELDS.items():
        if spec.name != "*":
            assert spec.doc in described[path]["description"]
            assert described[path]["properties"]["origin"] == {"enum": list(ORIGINS)}


def test_what_is_written_is_valid(compiled_examples: dict[str, Compilation]) -> None:
    for name, compilation in compiled_examples.items():
        if not compilation.is_sound:
            continue
        assert compilation.analysis is not None
        content = compilation.workspace.bytes  # type: ignore[attr-defined]
        files = build_files(
            compilation.analysis, compilation.waivers, content, targets=("snakemake", "inspect")
        )
        kinds = {"registration.json": "registration", "runner/compiled.json": "compiled"}
        kinds |= {"runner/dcp-harness.json": "harness", "runner/inspect.json": "inspect"}
        kinds |= {f"runner/{kind}.json": kind for kind in ("targets", "expected-contracts")}
        kinds |= {path: "contract" for path in files if path.startswith("contracts/")}
        assert len(kinds) > 5
        for path, kind in kinds.items():
            assert [str(f) for f in schema_faults(kind, json.loads(files[path]))] == [], (name, path)


def test_findings_are_valid(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    sample = (Path(__file__).parent / "sample.dcp").read_text(encoding="utf-8")
    (tmp_path / "faulty.dcp").write_text(sample.replace("rho = 0.05", "rho = 5"), encoding="utf-8")
    assert run(["check", "--format", "json", str(tmp_path / "faulty.dcp")]) == 1
    assert list(schema_faults("diagnostics", json.loads(capsys.readouterr().out))) == []


def test_a_plan_is_valid(capsys: pytest.CaptureFixture[str]) -> None:
    source = Path(__file__).parents[2] / "examples/sqlite_web/registration.dcp"
    assert run(["plan", "--json", str(source)]) == 0
    plan = json.loads(capsys.readouterr().out)
    assert list(schema_faults("plan", plan)) == []
    plan["recovery"]["episodes"]["used"] = "96"
    assert [f.pointer for f in schema_faults("plan", plan)] == ["/recovery/episodes/used"]


def test_types_for_typescript(golden: Callable[[Path, str], None]) -> None:
    golden(TYPES, typescript("registration", schema("registration")))


@pytest.mark.skipif(shutil.which("tsc") is None, reason="the TypeScript compiler is not installed")
def test_the_types_take_a_registration_and_refuse_a_mutant(web: bytes, tmp_path: Path) -> None:
    (tmp_path / "types.d.ts").write_text(TYPES.read_text(encoding="utf-8"), encoding="utf-8")
    head = 'import type { Registration } from "./types";\nconst r: Registration = '
    for name, text, code in (
        ("sound", web.decode(), 0),
        ("mutant", web.decode().replace('"edition":1', '"edition":2'), 2),
    ):
        (tmp_path / f"{name}.ts").write_text(f"{head}{text};\nexport {{ r }};\n", encoding="utf-8")
        done = subprocess.run(
            ["tsc", "--noEmit", "--strict", f"{name}.ts"], cwd=tmp_path, capture_output=True
        )
        assert (done.returncode != 0) == (code != 0), done.stdout.decode()


Change = Callable[[dict[str, Any]], Any]
MUTANTS: dict[str, Change] = {
    "key missing": lambda v: v.pop("waivers"),
    "key unknown": lambda v: v.update(extra=""),
    "field missing": lambda v: v["fields"].pop("thresholds.rho"),
    "field unknown": lambda v: v["fields"].update(rho=v["fields"]["thresholds.rho"]),
    "label empty": lambda v: v["fields"].update({"information.given.": v["fields"]["title"]}),
    "field of evidence missing": lambda v: v["fields"].pop("thresholds.delta_sham"),
    "float": lambda v: v["fields"]["thresholds.rho"].update(value=0.05),
    "percent": lambda v: v["fields"]["thresholds.rho"].update(value="5%"),
    "trailing zero": lambda v: v["fields"]["thresholds.rho"].update(value="0.050"),
    "newline after number": lambda v: v["fields"]["thresholds.rho"].update(value="0.05\n"),
    "exponent": lambda v: v["fields"]["thresholds.rho"].update(value="5e-2"),
    "arabic digits": lambda v: v["fields"]["thresholds.rho"].update(value="٠.٠٥"),
    "origin": lambda v: v["fields"]["title"].update(origin="guessed"),
    "count as float": lambda v: v["fields"]["gate.recovery.episodes"].update(value=96.5),
    "count below": lambda v: v["fields"]["gate.recovery.episodes"].update(value=0),
    "count above": lambda v: v["fields"]["gate.recovery.episodes"].update(value=10**10),
    "choice": lambda v: v["fields"]["mode"]["value"].update(choice="later"),
    "argument": lambda v: v["fields"]["mode"]["value"].update(when="now"),
    "unit": lambda v: v["fields"]["budget.session.cost"]["value"].update(unit="usd"),
    "list twice": lambda v: v["fields"]["model.tools"]["value"].append("read"),
    "list empty": lambda v: v["fields"]["model.reported"].update(value=[]),
    "digest with newline": lambda v: v["slot"].update(receipt=v["slot"]["receipt"] + "\n"),
    "digest in capitals": lambda v: v["slot"].update(receipt=v["slot"]["receipt"].upper()),
    "status": lambda v: v["rules"][0].update(status="assumed"),
    "grade": lambda v: v.update(grade="gold"),
    "edition": lambda v: v.update(edition="1"),
}


@pytest.mark.parametrize("name", MUTANTS)
def test_loader_and_schema_refuse_the_same(name: str, web: bytes) -> None:
    value = json.loads(web)
    MUTANTS[name](value)
    assert list(schema_faults("registration", value)) != []
    # The loader knows no grade: what a grade needs is the compiler's matter, and the schema's.
    if name not in ("field missing", "field of evidence missing", "edition"):
        data = json.dumps(value, sort_keys=True, separators=(",", ":"), ensure_ascii=False).encode()
        with pytest.raises(FrozenFault):
            read_registration(data)


def test_core_needs_no_feedback(frozen_examples: dict[str, bytes]) -> None:
    value = json.loads(frozen_examples["knapsack"])
    assert value["grade"] == "core" and list(schema_faults("registration", value)) == []
    value["grade"] = "evidence"
    assert list(schema_faults("registration", value)) != []


@pytest.mark.parametrize("shape", _SHAPES)
def test_shapes_are_those_of_the_language(shape: str) -> None:
    samples = (
        "a",
        "A.b-c_9",
        "-a",
        "a b",
        " a",
        "a\n",
        "a\tb",
        "ä",
        "",
        "f" * 32,
        "sha256:" + "0" * 64,
        "9",
        "_x",
    )
    for text in samples:
        expected = _SHAPES[shape][0](text)
        assert has_shape(text, shape) == expected, text


def test_the_command(capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["schema"]) == 0
    assert capsys.readouterr().out.split() == list(NAMES)
    assert run(["schema", "contract"]) == 0
    assert json.loads(capsys.readouterr().out) == schema("contract")
    assert run(["schema", "nothing"]) == 2
