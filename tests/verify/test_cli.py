"""`dcpc verify`, end to end: a compiled example, a bundle under its projection, and the decision."""

from __future__ import annotations

import json
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from peer_audits import Shape, full_audit
from peer_bundles import write

from dcp_lang.canonical import digest
from dcp_lang.cli import run
from dcp_lang.seal import load_private_key
from dcp_lang.seal.roles import key_text

EXAMPLE = Path(__file__).resolve().parents[2] / "examples" / "sqlite_web" / "registration.dcp"

#: The paper's SQLite-Web audit: 0/96 challengers, 45/45 controls, 30 truthful recoveries to none, 60 nulls.
X = 0.8855470070562801
PAPER = Shape(
    (X,),
    (0.0,),
    ((0.0369,), (0.2491,), (0.4612,), (0.6734,)) * 24,
    (45, 45),
    (True,) * 30,
    (False,) * 30,
    ((1.0, 1.0),) * 60,
)


@pytest.fixture(scope="module")
def build(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("build") / "out"
    assert run(["compile", str(EXAMPLE), "-o", str(folder)]) == 0
    return folder


@pytest.fixture(scope="module")
def bundle(build: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The paper's evidence under the compiled registration, with contracts as a runner would put them in."""
    compiled = json.loads((build / "runner" / "compiled.json").read_bytes())
    late = {name: digest(name.encode()) for name in compiled["bind"]}
    late["neutral_sham_generator_hash"] = late["sham_operator_hash"]
    late["audit_slot_id"] = "slot-1"
    folder = tmp_path_factory.mktemp("bundle")
    write(folder, full_audit(PAPER, **compiled["fixed"], **late))
    return folder


def verified(capsys: pytest.CaptureFixture[str], *arguments: str) -> tuple[int, dict[str, Any]]:
    capsys.readouterr()
    code = run(["verify", *arguments, "--json"])
    record: dict[str, Any] = json.loads(capsys.readouterr().out)
    return code, record


def test_the_papers_audit_is_certified_under_its_registration(
    build: Path, bundle: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    code, record = verified(capsys, str(bundle), "--registration", str(build / "registration.json"))
    decision = record["decision"]
    assert (code, record["bound"], decision["replayed"]) == (0, True, True)
    assert (decision["core"], decision["evidence"]) == ("certified", "certified")
    assert decision["outcome"] == "evidence_certified" and record["kernel_agrees"] is True
    assert record["binding"]["registration"] == digest((build / "registration.json").read_bytes())
    assert {item["met"] for item in record["binding"]["obligations"]} == {True}
    quantities = record["quantities"]
    # The paper prints x, the line .8805, the bound .0468, recall .8889, [.6379, 1] and ±.0950.
    assert quantities["outcome"]["x"] == "0.8855470070562801"
    assert quantities["outcome"]["recovery_line"] == "0.8805470070562801"
    assert quantities["recovery"]["zero_hit_bound"] == "0.04683812"
    assert quantities["recovery"]["positive_controls"]["recall_lower_bound"] == "0.8889268"
    assert quantities["feedback"]["interval"] == ["0.63792745", "1"]
    assert quantities["calibration"]["interval"] == ["-0.09503386", "0.09503386"]
    assert quantities["neutral"]["zero_hit_bound"] == "0.16189391"
    assert quantities["temporal_scope"]["mode"] == "prospective" and quantities["cost"] is not None


def test_the_fields_that_the_run_fixed_are_held_to_its_contracts(
    build: Path, bundle: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    binds = json.loads((build / "runner" / "compiled.json").read_bytes())["bind"]
    sealed = json.loads((bundle / "payload" / "registration.json").read_bytes())
    contracts = {key: sealed[field] for field, key in binds.items()}
    whole, other, few = tmp_path / "contracts.json", tmp_path / "other.json", tmp_path / "few.json"
    whole.write_text(json.dumps({**contracts, "schema": "any"}))
    other.write_text(json.dumps({**contracts, "selection_rule_hash": "sha256:" + "0" * 64}))
    few.write_text(json.dumps({"interface_hash": contracts["interface_hash"]}))
    frozen = str(build / "registration.json")

    def under(*files: Path) -> tuple[int, dict[str, Any]]:
        options = [text for file in files for text in ("--contracts", str(file))]
        return verified(capsys, str(bundle), "--registration", frozen, *options)

    code, record = under(whole)
    assert (code, record["binding"]["mismatches"], record["binding"]["unmatched"]) == (0, [], [])
    code, record = under(few)
    assert code == 0 and record["binding"]["unmatched"] == sorted(binds.keys() - {"interface_hash"})
    code, record = under(other)
    named = [item["field"] for item in record["binding"]["mismatches"]]
    assert (code, named) == (1, ["gate3_checkpoint_selection_rule_hash"])
    assert run(["verify", str(bundle), "--registration", frozen, "--contracts", str(bundle)]) == 2
    foretold = build / "runner" / "expected-contracts.json"
    for second in (
        other,
        foretold,
    ):  # this bundle's contracts are invented, the build foretells the real ones
        options = ["--contracts", str(whole), "--contracts", str(second)]
        assert run(["verify", str(bundle), "--registration", frozen, *options]) == 2
        assert f"{second} contradicts {whole}: " in capsys.readouterr().err
    code, record = under(foretold)
    assert code == 1 and {"audit_slot_id", "interface_hash"} < set(record["binding"]["unmatched"])


def test_another_registration_does_not_bind(
    bundle: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    source = EXAMPLE.read_text().replace("ρ = 5%", "ρ = 4.9%")
    copy = tmp_path / "example"
    shutil.copytree(EXAMPLE.parent, copy)
    (copy / "registration.dcp").write_text(source)
    assert source != EXAMPLE.read_text()
    assert run(["compile", str(copy / "registration.dcp"), "-o", str(tmp_path / "b")]) == 0
    code, record = verified(capsys, str(bundle), "--registration", str(tmp_path / "b" / "registration.json"))
    assert (code, record["bound"], record["decision"]["replayed"]) == (1, False, True)
    assert {"rho", "notes"} <= {item["field"] for item in record["binding"]["mismatches"]}
    assert record["decision"]["core_class"] == "audit_incomplete"


@pytest.mark.parametrize(
    ("change", "text"),
    [
        (lambda data: data.replace(b'"grade":"evidence"', b'"grade":"core"', 1), "gives another file"),
        (lambda data: data + b"\n", "trailing"),
        (lambda data: b"{}", "no frozen registration"),
    ],
)
def test_a_tampered_registration_is_refused(
    build: Path, bundle: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str], change: Any, text: str
) -> None:
    path = tmp_path / "registration.json"
    path.write_bytes(change((build / "registration.json").read_bytes()))
    assert run(["verify", str(bundle), "--registration", str(path)]) == 1
    assert text in capsys.readouterr().err


def test_signatures_over_the_registration_are_checked(
    build: Path, bundle: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    registration = tmp_path / "registration.json"
    registration.write_bytes((build / "registration.json").read_bytes())
    keys = {role: tmp_path / role for role in ("claimant", "authority")}
    for path in keys.values():
        assert run(["keygen", str(path)]) == 0
    text = {role: key_text(load_private_key(path=path).public_key) for role, path in keys.items()}
    roles = tmp_path / "roles.json"
    roles.write_text(
        json.dumps({"format": "dcp-lang/roles-1", **{role: [key] for role, key in text.items()}})
    )
    claim, counter = str(tmp_path / "c.seal"), str(tmp_path / "a.seal")
    assert run(["sign", str(registration), "--key", str(keys["claimant"]), "--out", claim]) == 0
    arguments = [
        str(registration),
        claim,
        "--key",
        str(keys["authority"]),
        "--roles",
        str(roles),
        "--out",
        counter,
    ]
    assert run(["countersign", *arguments]) == 0
    given = [
        str(bundle),
        "--registration",
        str(registration),
        "--roles",
        str(roles),
        "--claimant-seal",
        claim,
    ]
    assert verified(capsys, *given)[1]["binding"]["sealed_by"] == "claimant"
    code, record = verified(capsys, *given, "--authority-seal", counter)
    assert (code, record["binding"]["sealed_by"]) == (0, "claimant and authority")
    assert run(["verify", *given, "--authority-seal", claim]) == 1
    assert "the seal does not hold" in capsys.readouterr().err
    assert run(["verify", str(bundle), "--claimant-seal", claim]) == 2


def test_documents_and_terminal_page(
    bundle: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run(["verify", str(bundle), "-o", str(tmp_path / "out"), "--peer"]) == 0
    page = capsys.readouterr().out
    assert "Evidence certified" in page and "replay verified, Core certified" in page
    assert sorted(path.name for path in (tmp_path / "out").iterdir()) == [
        "decision.html",
        "decision.json",
        "decision.md",
    ]


def test_exit_codes(bundle: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["verify", str(tmp_path / "missing")]) == 2
    assert run(["verify", str(tmp_path)]) == 1
    code, record = verified(capsys, str(tmp_path))
    assert (code, record["decision"]["replayed"], record["decision"]["core"]) == (1, False, None)


def test_nothing_heavy_is_imported(bundle: Path) -> None:
    heavy = {"numpy", "scipy", "dcp", "sympy", "lark", "jinja2", "jsonschema", "cryptography"}
    code = f"import sys; from dcp_lang.cli import run; run(['verify', {str(bundle)!r}]);"
    code += f"print(*{heavy} & sys.modules.keys())"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.splitlines()[-1] == ""
