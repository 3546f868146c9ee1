"""The page holds the registration, byte for byte; the document is a view of the JSON alone."""

from __future__ import annotations

import json
import subprocess
import sys

import pytest
from registrations import EVIDENCE, Made, frozen, made_from, replaced

from dcp_lang.canonical import canonical_bytes, digest
from dcp_lang.emit.document import NoRegistrationError, document_files, extract_registration


def test_the_page_gives_back_the_exact_bytes(made: Made) -> None:
    assert extract_registration(made.html.encode()) == made.registration


def test_text_that_looks_like_the_end_of_the_script_survives() -> None:
    title = "</script><script type='application/json' id='registration'>{} \\u003c & \\u2028"
    text = replaced(
        EVIDENCE, {'"Partial indexes chosen from measured work"': json.dumps(title).replace("\\\\u", "\\\\u")}
    )
    value = frozen(text)
    data = canonical_bytes(value)
    page = document_files(value, digest(data))["preregistration.html"]
    assert value["fields"]["title"]["value"] == title
    assert extract_registration(page) == data


@pytest.mark.parametrize(
    "page",
    [
        b"",
        b"<html></html>",
        b'<script type="application/json" id="registration">{"a":1}',
        b'<script type="application/json" id="registration">{"a":}</script>',
        b'<script type="application/json" id="registration">{"a":1,"a":2}</script>',
        b'<script type="application/json" id="registration">{"a":1.5}</script>',
    ],
)
def test_pages_without_a_registration_are_refused(page: bytes) -> None:
    with pytest.raises(NoRegistrationError):
        extract_registration(page)


def test_an_altered_page_gives_another_digest(made: Made) -> None:
    altered = made.html.replace(
        '"thresholds.rho":{"origin":"declared","value":"0.05"}',
        '"thresholds.rho":{"origin":"declared","value":"0.04"}',
    )
    assert altered != made.html
    assert digest(extract_registration(altered.encode())) != digest(made.registration)


def test_the_json_alone_gives_the_same_document(made: Made) -> None:
    """Keys in the order of the file, not of the compiler."""
    files = document_files(json.loads(made.registration), digest(made.registration))
    assert files["preregistration.md"].decode() == made.markdown
    assert files["preregistration.html"].decode() == made.html


_AGAIN = """
import json, sys
from dcp_lang.canonical import digest
from dcp_lang.emit.document import document_files
data = sys.stdin.buffer.read()
for name, text in document_files(json.loads(data), digest(data)).items():
    print(name, digest(text))
"""


def test_another_process_gives_the_same_bytes() -> None:
    made = made_from(EVIDENCE)
    environment = {"PYTHONHASHSEED": "7", "PYTHONPATH": ":".join(sys.path)}
    command = [sys.executable, "-c", _AGAIN]
    run = subprocess.run(command, input=made.registration, capture_output=True, check=True, env=environment)
    assert dict(line.split() for line in run.stdout.decode().splitlines()) == {
        "preregistration.md": digest(made.markdown.encode()),
        "preregistration.html": digest(made.html.encode()),
    }
