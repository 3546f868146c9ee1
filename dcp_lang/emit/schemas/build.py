"""The schemas of what stands beside a registration in a build: contracts, `compiled.json`,
`dcp-harness.json`.
"""

from __future__ import annotations

from dcp_lang.emit import contracts
from dcp_lang.emit.harness import PEERS
from dcp_lang.emit.harness import SCHEMA as COMPILED
from dcp_lang.emit.schemas.registration import fields_schema
from dcp_lang.emit.schemas.types import DEFS, Schema, record, reference, rows
from dcp_lang.language.fields import ATTESTATIONS

_POSITIVE = {"type": "number", "exclusiveMinimum": 0}
_TRUTH = {"type": "boolean"}


def contract_schema() -> Schema:
    """A contract: the part of the registration that one or more kernel hash fields commit to."""
    fields = fields_schema()
    values = {path: field["properties"]["value"] for path, field in fields["properties"].items()}
    labelled = {p: field["properties"]["value"] for p, field in fields["patternProperties"].items()}
    members = {
        "schema": {"const": contracts.SCHEMA},
        "contract": reference("text"),
        "claim": reference("text"),
        "authority": reference("text"),
        "terms": {
            "description": "The values that the contract is about, by path.",
            "type": "object",
            "properties": values,
            "patternProperties": labelled,
            "additionalProperties": False,
        },
    }
    return {"title": "dcp-lang contract", **record(members, optional=("authority",)), "$defs": DEFS}


def compiled_schema() -> Schema:
    """`compiled.json`: what the compiler fixed for one audit. Kernel fields are doubles, as the peer
    wants them.
    """
    free = {"type": "object"}
    members = {
        "schema": {"const": COMPILED},
        "peers": record({name: reference("text") for name in PEERS}, about="Versions compiled for."),
        "registration_sha256": reference("digest"),
        "source_sha256": reference("digest"),
        "fixed": free | {"description": "Kernel fields known before the run."},
        "bind": {"type": "object", "additionalProperties": reference("text")},
        "config": {"$ref": "#/$defs/harness"},
        "adapter": record({"path": reference("text"), "sha256": reference("digest")}),
        "materials": {"type": "object", "additionalProperties": _MATERIAL},
        "checkpoint": _CHECKPOINT,
        "policies": {"type": "object", "additionalProperties": free},
        "attestations": _attestations(),
    }
    return {"title": "dcp-lang compiled", **record(members), "$defs": DEFS | {"harness": _HARNESS}}


def harness_schema() -> Schema:
    """`dcp-harness.json`: the configuration of dcp-harness 0.1.1, every key written out."""
    return {"title": "dcp-harness configuration", **_HARNESS, "$defs": DEFS}


def _attestations() -> Schema:
    members = dict.fromkeys(ATTESTATIONS, _TRUTH)
    extra = {"sham_development_manifest_hash": reference("text"), "attribution_subject": reference("text")}
    return record(members | extra, optional=("sham_development_manifest_hash",))


_MATERIAL = record(
    {"path": reference("text"), "policy": reference("text"), "sha256": reference("digest")},
    optional=("path", "policy"),
    about="An audit material by its registered digest.",
)
_CHECKPOINT = record({name: reference("text") for name in ("rule", "event", "scope")}, optional=("event",))
_AGENT = record(
    {
        "backend": reference("text"),
        "execution": {"enum": ["docker", "host"]},
        "model": reference("text"),
        "accepted_model_ids": rows(reference("text"), least=1),
        "claude_binary": reference("text"),
        "container_image": reference("text"),
        "dotenv": reference("text"),
        "effort": {"enum": ["low", "medium", "high", "max"]},
        "max_budget_usd": _POSITIVE | {"description": "Money for each turn, in US dollars."},
        "timeout_seconds": _POSITIVE | {"description": "Time for each turn."},
        "max_turns": reference("count"),
        "memory_mb": reference("count"),
        "cpus": _POSITIVE,
    }
)
_WEB = record(
    {
        "enabled": _TRUTH,
        "allowed_hosts": rows(reference("text")),
        "allow_subdomains": _TRUTH,
        "max_requests": reference("count"),
        "max_redirects": reference("count"),
        "max_raw_bytes": reference("count"),
        "max_delivered_bytes": reference("count"),
        "timeout_seconds": reference("count"),
    }
)
_AUDIT = record(
    {
        "grade": {"enum": ["core", "evidence"]},
        "checkpoint_scope": {"enum": ["lineage_prefix", "lineage_empty"]},
    }
    | {
        name: reference("count")
        for name in (
            "challenger_episodes",
            "positive_control_episodes",
            "feedback_pairs",
            "sham_pairs",
            "max_feedback_pair_replacements",
            "max_sham_pair_replacements",
        )
    }
)
_HARNESS = record(
    {
        "schema": {"const": "dcp_harness_config_v1"},
        "claim_id": reference("text"),
        "source_workspace": reference("text"),
        "task_adapter": reference("text"),
        "task_options": record({"compiled": reference("text")}),
        "agent": _AGENT,
        "web": _WEB,
        "audit": _AUDIT,
    },
    about="The configuration of dcp-harness 0.1.1; its schema is the peer's own.",
)
