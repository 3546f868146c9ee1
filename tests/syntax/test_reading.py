"""Bytes to text: what is no text, and the caps at the very byte."""

from __future__ import annotations

import subprocess
import sys

import pytest
from syntax_reading import read

from dcp_lang.diagnostics.model import Sink
from dcp_lang.syntax import MAX_BYTES, parse, read_source
from dcp_lang.syntax.findings import MAX_FAULTS
from dcp_lang.syntax.layout import MAX_TOKENS
from dcp_lang.syntax.mend import MAX_MENDED


def codes_of(data: bytes) -> list[str]:
    """What reading and parsing find."""
    sink = Sink()
    source = read_source("test.dcp", data, sink)
    if source is not None:
        parse(source, sink)
    return [d.code for d in sink.sorted()]


@pytest.mark.parametrize(
    ("data", "codes"),
    [
        (b"a = 1\n", []),
        (b"a = 1\r\nb = 2\r\n", []),
        ("δ = 1".encode(), []),
        (b"", ["E006"]),
        (b"\r\n \n", ["E006"]),
        (b"\xef\xbb\xbfa = 1", ["E004"]),
        (b"a = 1\rb = 2\r", ["E005"]),
        (b"\x7fELF\x00\x01", ["E002"]),
        (b"\x00" * 100, ["E002"]),
        (b"\x89PNG\r\n\x1a\n\x00\xff", ["E002"]),
        ("a = 1".encode("utf-16"), ["E003"]),
        ("a = 'é'".encode("latin-1"), ["E003"]),
        (b"a = 1 # \xed\xa0\x80", ["E003"]),
        (b"[" * 5_000_000, ["E001"]),
    ],
)
def test_bytes(data: bytes, codes: list[str]) -> None:
    assert codes_of(data) == codes


def test_the_size_cap_at_the_byte() -> None:
    line = b"a = 1 # \xce\xb5"
    fits = line + b"." * (MAX_BYTES - len(line))
    assert len(fits) == 262_144
    assert codes_of(fits) == []
    assert codes_of(fits + b".") == ["E001"]
    assert read(fits.decode()).codes == []
    assert read("a = 1 #" + "." * MAX_BYTES).codes == ["E001"]


def test_a_byte_that_is_not_utf_8_is_named_with_its_place() -> None:
    sink = Sink()
    assert read_source("test.dcp", "δ = 'é'".encode()[:-2] + b"\xe9'", sink) is None
    (fault,) = sink.sorted()
    assert fault.message == "byte 0xc3 at position 6 is not UTF-8"
    assert fault.source.position(fault.span.start) == (1, 6)


@pytest.mark.parametrize(
    ("text", "codes"),
    [
        ("[" * 32 + "1" + "]" * 32, []),
        ("[" * 33 + "1" + "]" * 33, ["E044"]),
        ("(" * 33 + "1" + ")" * 33, ["E044"]),
        ("-" * 128 + "1", []),
        ("-" * 129 + "1", ["E044"]),
        ("+".join("1" * 129), []),
        ("+".join("1" * 130), ["E044"]),
        ("[" + "-1, " * 1000 + "]", []),
        ("f(" + "1 + " * 100 + "g(" + "1 + " * 28 + "1))", []),
        ("f(" + "1 + " * 100 + "g(" + "1 + " * 29 + "1))", ["E044"]),
        ("[" * 33 + "]" * 33 + "\nb = = 1", ["E044", "E050"]),
    ],
)
def test_depth_caps(text: str, codes: list[str]) -> None:
    assert read(f"a = {text}").codes == codes


def test_blocks_nest_as_deep_as_brackets() -> None:
    assert read("a {\n" * 32 + "}\n" * 32).codes == []
    assert read("a {\n" * 33 + "}\n" * 33).codes == ["E044"]


def test_a_sound_text_loads_nothing_for_faults() -> None:
    code = (
        "import sys; from dcp_lang.syntax import parse; from dcp_lang.source import SourceFile;"
        "from dcp_lang.diagnostics.model import Sink;"
        "parse(SourceFile('a', 'δ_min = 0.5 # “…” −'), Sink()); print(*sys.modules)"
    )
    loaded = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, check=True
    ).stdout.split()
    assert "dcp_lang.syntax.parser" in loaded
    heavy = {
        "dcp_lang.syntax.recovery",
        "dcp_lang.syntax.faults",
        "unicodedata",
        "lark",
        "dataclasses",
        "inspect",
    }
    assert not heavy & set(loaded)


def test_places_are_mended_up_to_the_cap() -> None:
    assert read("a = [" + "с, " * MAX_MENDED + "]").codes == ["E010"]
    assert read("a = [" + "с, " * (MAX_MENDED + 1) + "]").codes == ["E010", "E007"]


def test_faults_are_reported_up_to_the_cap() -> None:
    at_cap = read("a = =\n" * MAX_FAULTS)
    assert at_cap.codes == ["E050"] * MAX_FAULTS
    assert len(at_cap.file.statements) == MAX_FAULTS
    above = read("a = =\n" * (MAX_FAULTS + 1))
    assert sorted(above.codes) == ["E007", *["E050"] * MAX_FAULTS]


def test_the_cap_on_words_and_signs_at_the_token() -> None:
    """`a = [1, 1]` counts 6: the name, the sign, two numbers, a comma, and the brackets once."""
    fits = "a = [" + "1," * (MAX_TOKENS // 2 - 2) + "1]"
    assert read(fits).codes == []
    beyond = read(fits + " b")
    assert beyond.codes == ["E001"]
    assert (
        beyond.found[0].message
        == f"the source has {MAX_TOKENS + 1} words and signs, at most {MAX_TOKENS} are read"
    )
    assert beyond.file.statements == ()


def test_the_cap_on_words_and_signs_holds_for_a_text_that_is_read_in_pieces() -> None:
    """Lines as the formatter indents them, each long enough to be read alone."""
    line = "  a = [" + "1, " * 29 + "1]\n"
    # The head and the last brace count 9, a line 63: a name, a sign, 59 within the brackets, these, the end.
    times = (MAX_TOKENS - 9) // 63 - 1
    rest = MAX_TOKENS - 9 - 63 * times
    # So does the last one, of one word or two: they make up the difference.
    words = 2 - rest % 2
    last = "  " + "b " * words + "= [" + "1, " * ((rest - words - 4) // 2) + "1]\n"
    for extra, codes in (("", []), (" b", ["E001"])):
        found = read(f"dcp 1\nregistration r : core {{\n{line * times}{last.replace(' =', extra + ' =')}}}")
        assert found.codes == codes


def test_a_cap_that_is_exceeded_is_said_beside_the_faults_of_characters() -> None:
    assert read("a = с\n" + "1," * MAX_TOKENS).codes == ["E001", "E010"]
