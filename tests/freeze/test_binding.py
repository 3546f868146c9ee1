"""What the verifier holds a bundle to comes from the frozen JSON alone."""

from __future__ import annotations

import json
from fractions import Fraction
from pathlib import Path

import pytest

from dcp_lang.cli import run
from dcp_lang.driver import Compilation
from dcp_lang.emit.build import build_files
from dcp_lang.frozen import FrozenFault, read_registration
from dcp_lang.thaw import expectation, project
from dcp_lang.verify.binding import bind


def test_the_projection_is_the_kernel_registration_of_the_build(
    compiled_examples: dict[str, Compilation], frozen_examples: dict[str, bytes]
) -> None:
    for name, data in frozen_examples.items():
        compilation = compiled_examples[name]
        assert compilation.analysis is not None
        files = build_files(compilation.analysis, compilation.waivers, compilation.workspace.bytes)  # type: ignore[attr-defined]
        assert project(json.loads(data)) == json.loads(files["kernel-registration.json"])


def test_a_bundle_of_the_compiled_runner_binds(web: bytes) -> None:
    """The fields that the compiler fixed, and any value for those that only the run can know."""
    frozen = expectation(read_registration(web))
    bundle = {**frozen.expected, **dict.fromkeys(frozen.late_fields, "sha256:" + "0" * 64)}
    assert bind(bundle, frozen.expected, frozen.late_fields) == ()
    assert len(bundle) == len(project(json.loads(web))) == 76
    for field, value in (("rho", 0.049), ("m_max", 163), ("claim_id", "another"), ("notes", {})):
        mismatches = bind({**bundle, field: value}, frozen.expected, frozen.late_fields)
        assert [m.field for m in mismatches] == [field]


def test_thresholds_are_exact(web: bytes) -> None:
    frozen = expectation(read_registration(web))
    assert frozen.thresholds["alpha_recovery"] == Fraction(1, 100)
    assert frozen.thresholds["epsilon"] == Fraction(1, 200)
    assert (frozen.episodes, frozen.positive_controls) == (96, 45)
    assert frozen.mode == "prospective" and frozen.knowledge is None
    assert len(frozen.obligations) == 2


def test_a_source_that_does_not_compile_binds_nothing(web: bytes) -> None:
    value = json.loads(web)
    value["source"] = value["source"].replace("rho = 0.05", "rho = 0.06")
    with pytest.raises(FrozenFault, match="/source"):
        project(value)


def test_the_command_refuses_what_is_no_registration(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "bundle").mkdir()
    path = tmp_path / "registration.json"
    path.write_text("{}")
    assert run(["verify", str(tmp_path / "bundle"), "--registration", str(path)]) != 0
    assert "is no frozen registration" in capsys.readouterr().err
