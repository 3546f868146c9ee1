"""What a finding shows as an example passes: every field's example is a value of its type."""

from __future__ import annotations

import pytest
from bases import Files

from dcp_lang.diagnostics.model import Sink
from dcp_lang.language.fields import FIELDS, FieldSpec
from dcp_lang.sema.examples import field_example
from dcp_lang.sema.faults import Faults
from dcp_lang.sema.reader import Reader
from dcp_lang.source import SourceFile
from dcp_lang.syntax import ast, parse

#: A digest cannot be made up; its example says so.
SPECS = [s for s in FIELDS.values() if " hex digits…" not in field_example(s)]


@pytest.mark.parametrize("spec", SPECS, ids=lambda s: s.path)
def test_the_example_of_a_field_is_read_without_findings(spec: FieldSpec) -> None:
    sink = Sink()
    source = SourceFile("example", field_example(spec))
    (field,) = parse(source, sink).statements
    assert isinstance(field, ast.Field)
    reader = Reader(lambda name: None, Files(), Faults(source, sink))
    assert reader.value(field.value, spec.type, "it") is not None
    assert sink.sorted() == []
