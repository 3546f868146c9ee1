"""The schema of `registration.json`, from the field table, and of the plan that it holds."""

from __future__ import annotations

import re

from dcp_lang.emit.schemas.types import DEFS, Schema, record, reference, rows, value_schema, whole
from dcp_lang.frozen.load import GRADES, ORIGINS, SCHEMA, SIZE_EXTRAS, STATUSES
from dcp_lang.frozen.shapes import SHAPES
from dcp_lang.language.fields import EVIDENCE, FIELDS, REQUIRED, SECTION_TABLE, FieldSpec

_NOTHING = {"type": "null"}


def registration_schema() -> Schema:
    """Everything that a frozen registration holds."""
    about = "A frozen registration: RFC 8785 bytes, no floats, exact numbers as texts."
    return {
        "title": "dcp-lang registration",
        **record(_members(), about=about),
        "if": {"properties": {"grade": {"const": "evidence"}}},
        "then": {"properties": {"fields": {"required": required_fields("evidence")}}},
        "$defs": DEFS | {"expression": _EXPRESSION} | PLAN_DEFS,
    }


def _members() -> dict[str, Schema]:
    return {
        "schema": {"const": SCHEMA},
        "edition": {"description": "The edition of the language.", "const": 1},
        "compiler": record({"name": {"const": "dcp-lang"}, "version": reference("text")}),
        "name": {"description": "The label of the registration."} | reference("text"),
        "grade": {"description": "What is claimed.", "enum": list(GRADES)},
        "source": {"description": "The normal form of the source; compiling it gives this file."}
        | reference("text"),
        "profiles": rows(_PROFILE),
        "fields": fields_schema(),
        "plan": reference("plan"),
        "slot": _SLOT,
        "rules": rows(_RULE),
        "obligations": rows(_OBLIGATION),
        "waivers": rows(_WAIVER),
        "contracts": {
            "description": "The digest of every contract by name.",
            "type": "object",
            "additionalProperties": reference("digest"),
        },
    }


def fields_schema() -> Schema:
    """Every field by path, with its description."""
    plain = {path: _field(spec) for path, spec in FIELDS.items() if spec.name != "*"}
    labelled = {
        whole(re.escape(spec.section) + r"\." + SHAPES["label"]): _field(spec)
        for spec in FIELDS.values()
        if spec.name == "*"
    }
    return {
        "description": "Every value by the path of its field, defaults included.",
        "type": "object",
        "properties": plain,
        "patternProperties": labelled,
        "required": required_fields("core"),
        "additionalProperties": False,
    }


def required_fields(grade: str) -> list[str]:
    """The fields that a registration of a grade cannot be without."""
    sections = {REQUIRED, EVIDENCE} if grade == "evidence" else {REQUIRED}
    found = [
        spec.path
        for spec in FIELDS.values()
        if spec.presence in sections and SECTION_TABLE[_block(spec)].presence in sections
    ]
    return sorted(found)


def _block(spec: FieldSpec) -> str:
    return spec.section if spec.section in SECTION_TABLE else spec.section.rpartition(".")[0]


def _is_size(spec: FieldSpec) -> bool:
    return spec.may_be_auto and spec.section.startswith("gate.") and spec.name != "candidates"


def _field(spec: FieldSpec) -> Schema:
    notes = [spec.doc, f"Paper: {spec.paper}." if spec.paper else ""]
    notes.append(f"Kernel field: {spec.kernel}." if spec.kernel else "")
    return record(
        {"origin": {"enum": list(ORIGINS)}, "value": value_schema(spec.type)},
        about=" ".join(filter(None, notes)),
    )


def _texts(*names: str) -> dict[str, Schema]:
    return {name: reference("text") for name in names}


_PROFILE = record(_texts("name", "source") | {"sha256": reference("digest")}, about="Rules in force.")
_SLOT = record(
    {"id": reference("text"), "receipt": reference("digest"), "local": {"type": "boolean"}},
    about="The audit slot; local when no authority reserved it.",
)
_RULE = record(
    _texts("code", "name", "origin", "condition", "evidence") | {"status": {"enum": list(STATUSES)}},
    about="A condition, how it was decided, and what the status rests on.",
)
_WAIVER = record(_texts("code", "name", "message", "reason"), about="A finding that the author waived.")
_EXPRESSION: Schema = {
    "description": "A condition as a tree.",
    "oneOf": [
        record({"number": reference("number"), "unit": reference("text")}, optional=("unit",)),
        record({"name": reference("text")}),
        record({"symbol": reference("text")}),
        record({"items": rows(reference("text"))}),
        record({"op": reference("text"), "args": rows(reference("expression"))}),
    ],
}
_OBLIGATION = record(
    _texts("code", "origin", "condition", "residual", "gate")
    | {
        "status": {"enum": ["deferred", "entailed"]},
        "expression": reference("expression"),
        "known": {"type": "object", "additionalProperties": reference("text")},
        "margin": reference("number"),
    },
    optional=("residual", "gate", "margin"),
    about="What the verifier discharges once all artifacts are committed.",
)
_INEQUALITY = record(
    {
        "kind": {"enum": ["power", "lower-tail", "upper-tail", "half-width"]},
        "text": reference("text"),
        "n": reference("count"),
        "k": reference("count"),
        "p": reference("number"),
        "relation": {"enum": ["<=", ">"]},
        "bound": reference("number"),
    },
    optional=("k",),
    about="An inequality, true as written.",
)
_CERTIFICATE = record(
    _texts("rule", "side", "tail")
    | {
        "alpha": reference("number"),
        "threshold": reference("number"),
        "n": reference("count"),
        "at_n": rows(_INEQUALITY, least=1),
        "below": rows(_INEQUALITY),
        "planned": reference("count"),
        "bound": reference("number"),
        "kernel_agrees": {"type": ["boolean", "null"]},
        "used": {"type": ["integer", "null"]},
    },
    about="Why the least n passes and n - 1 does not; the limit that the planned n reaches.",
)
_SIZE = {
    **record(
        {
            "used": reference("count"),
            **{
                name: reference("plain")
                for name in sorted(SIZE_EXTRAS - {"certificate", "declared", "least"})
            },
            "declared": {"oneOf": [reference("count"), _NOTHING]},
            "least": {"oneOf": [reference("count"), _NOTHING]},
            "certificate": _CERTIFICATE,
        },
        optional=tuple(SIZE_EXTRAS),
        about="A sample size: declared, the least that its gate needs, used.",
    )
}
_AMOUNT = record({"amount": reference("number"), "unit": reference("text")})
_DERIVED: dict[str, Schema] = {
    "sessions": {"description": "Sessions of the controls."} | reference("count"),
    "cost": {"description": "What all of them are expected to cost."} | _AMOUNT,
    "time": {"description": "How long all of them are expected to take."} | _AMOUNT,
    "at_most": record(
        {"sessions": reference("count"), "cost": _AMOUNT, "time": _AMOUNT},
        about="What the audit can take: target's session and every replacement too, each session at its limit.",
    ),
    "reference_sessions": {"description": "Sessions of the paper's reference design."} | reference("count"),
    "stopping": record({"expected_episodes": reference("number")}, about="Stopping at the first witness."),
    "assurance": {"description": "The probability that the audit concludes as expected."}
    | reference("plain"),
}
_SOMETIMES = ("stopping", "assurance")
PLAN_DEFS: dict[str, Schema] = {
    "size": _SIZE,
    "plan": record(
        {
            "sizes": record(
                {spec.path: reference("size") for spec in FIELDS.values() if _is_size(spec)},
                optional=("gate.feedback.pairs", "gate.feedback.null_pairs"),
            ),
            **_DERIVED,
            "figures": {"description": "Figures of the document."} | reference("plain"),
        },
        optional=_SOMETIMES,
        about="Every sample size with its certificate, and what follows by arithmetic.",
    ),
}


def plan_schema() -> Schema:
    """What `dcpc plan --json` prints."""
    size = reference("size")
    members = {
        "recovery": record({"episodes": size, "positive_controls": size}),
        "feedback": record({"pairs": size, "null_pairs": size}),
        "errors": {"type": "object", "additionalProperties": reference("number")},
        **_DERIVED,
    }
    made = record(members, optional=("feedback", *_SOMETIMES))
    return {"title": "dcp-lang plan", **made, "$defs": DEFS | {"size": _SIZE}}
