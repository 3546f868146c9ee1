"""The second reader on registrations: the same digest from parsed values, and every certificate rechecked.

A few hundred generated registrations; DCP_REGISTRATIONS=10000 asks for as many.
"""

from __future__ import annotations

import json
import os
import random
import shutil
from collections.abc import Iterator
from pathlib import Path

import pytest
from generated import Drawn, compiled, drawn, frozen_bytes, written
from hypothesis import HealthCheck, Phase, given, settings
from second_reader import Node

from dcp_lang.canonical import canonical_bytes, digest
from dcp_lang.driver import Compilation
from dcp_lang.frozen import read_registration
from dcp_lang.frozen.certificates import certificate_faults
from dcp_lang.source import SourceFile
from dcp_lang.workspace import DiskWorkspace

pytestmark = pytest.mark.skipif(shutil.which("node") is None, reason="Node is not installed")
EXAMPLES = Path(__file__).parents[2] / "examples"
VECTOR = Path(__file__).parents[1] / "vectors/registration.dcp"
#: Frozen while the machine waits: 0.1 s each.
GENERATED = int(os.environ.get("DCP_REGISTRATIONS", "40"))


@pytest.fixture(scope="module")
def node() -> Iterator[Node]:
    reader = Node()
    yield reader
    assert reader.close() == 0


def example(name: str) -> bytes | None:
    """The frozen bytes of an example, None when it does not compile."""
    source = (EXAMPLES / name / "registration.dcp").read_text(encoding="utf-8")
    compilation = Compilation(SourceFile("registration.dcp", source), DiskWorkspace(str(EXAMPLES / name)))
    return frozen_bytes(compilation) if compilation.is_sound else None


@pytest.mark.parametrize("name", sorted(p.parent.name for p in EXAMPLES.glob("*/registration.dcp")))
def test_examples(node: Node, name: str) -> None:
    data = example(name)
    if data is None:
        pytest.skip("the example does not compile")
    assert node.read("registration", data) == {"ok": {"digest": digest(data), "faults": []}}


@settings(
    max_examples=GENERATED, deadline=None, suppress_health_check=list(HealthCheck), phases=[Phase.generate]
)
@given(drawn())
def test_generated(node: Node, registration: Drawn) -> None:
    data = frozen_bytes(compiled(written(registration)))
    assert node.read("registration", data) == {"ok": {"digest": digest(data), "faults": []}}


def _edited(value: dict[str, object], dice: random.Random) -> None:
    """Another number in a certificate, or in a field that one rests on."""
    sizes = value["plan"]["sizes"]  # type: ignore[index]
    size = sizes[dice.choice(sorted(sizes))]
    certificate = size["certificate"]
    part = dice.choice([*certificate["at_n"], *certificate["below"], certificate, size])
    numbers = [k for k in ("p", "bound", "n", "alpha", "threshold", "planned", "least", "used") if k in part]
    key = dice.choice(numbers)
    part[key] = part[key] + dice.choice([-1, 1]) if isinstance(part[key], int) else part[key] + "1"


@pytest.mark.parametrize("seed", range(40))
def test_the_two_readers_agree_on_edited_certificates(node: Node, seed: int) -> None:
    """Both find it, at the same size; what only moves a base to the safe side both let pass."""
    value = json.loads(frozen_bytes(compiled(VECTOR.read_text(encoding="utf-8"))))
    _edited(value, random.Random(seed))
    data = canonical_bytes(value)
    ours = {_of_size(f.pointer) for f in certificate_faults(read_registration(data))}
    assert set(node.read("registration", data)["ok"]["faults"]) == ours


def _of_size(pointer: str) -> str:
    return "/".join(pointer.split("/")[:4]) if pointer.startswith("/plan/sizes/") else pointer
