"""TypeScript types of a JSON Schema, for consumers in that language: `dcpc schema NAME --typescript`.

Covers what the schemas here use; patterns and bounds have no counterpart in types and are left out.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any

_PRIMITIVES = {
    "string": "string",
    "integer": "number",
    "number": "number",
    "boolean": "boolean",
    "null": "null",
}


def typescript(name: str, schema: Mapping[str, Any]) -> str:
    """The declarations of a schema: its own type by its name, and one for every definition that it uses."""
    head = f'// {schema["title"]}, {schema["$id"]}. Exact numbers are texts such as "0.05" or "1/7".\n\n'
    types = {_type_name(key): part for key, part in schema.get("$defs", {}).items()}
    types[_type_name(name)] = schema
    return head + "\n".join(_declaration(key, part) for key, part in types.items())


def _type_name(name: str) -> str:
    return "".join(part.capitalize() for part in name.split("-"))


def _declaration(name: str, schema: Mapping[str, Any]) -> str:
    return f"{_comment(schema, '')}export type {name} = {_type(schema, '')};\n"


def _comment(schema: Mapping[str, Any], indent: str) -> str:
    about = str(schema.get("description", "")).replace("*/", "* /")
    return f"{indent}/** {about} */\n" if about else ""


def _type(schema: Mapping[str, Any], indent: str) -> str:
    if "$ref" in schema:
        return _type_name(schema["$ref"].rpartition("/")[2])
    if "const" in schema:
        return json.dumps(schema["const"])
    if "enum" in schema:
        return " | ".join(json.dumps(value) for value in schema["enum"])
    for union in ("oneOf", "anyOf"):
        if union in schema:
            return " | ".join(dict.fromkeys(_type(part, indent) for part in schema[union]))
    kind = schema.get("type", "object")
    if isinstance(kind, list):
        return " | ".join(dict.fromkeys(_PRIMITIVES[each] for each in kind))
    if kind == "array":
        return f"Array<{_type(schema['items'], indent)}>" if "items" in schema else "unknown[]"
    return _PRIMITIVES[kind] if kind in _PRIMITIVES else _object(schema, indent)


def _object(schema: Mapping[str, Any], indent: str) -> str:
    inner = indent + "  "
    required = set(schema.get("required", ()))
    rows = [
        f"{_comment(part, inner)}{inner}{_key(key)}{'' if key in required else '?'}: {_type(part, inner)};"
        for key, part in schema.get("properties", {}).items()
    ]
    for pattern, part in schema.get("patternProperties", {}).items():
        rows.append(f"{_comment(part, inner)}{inner}[key: {_template(pattern)}]: {_type(part, inner)};")
    rest = schema.get("additionalProperties", True)
    if rest is not False and not rows:
        return f"{{ [key: string]: {'unknown' if rest is True else _type(rest, inner)} }}"
    return "{\n" + "\n".join(rows) + f"\n{indent}}}"


def _key(name: str) -> str:
    return name if name.isidentifier() else json.dumps(name)


def _template(pattern: str) -> str:
    r"""`^(?:information\.given\.[A-Za-z_]…` as the template type `information.given.${string}`."""
    fixed = pattern.removeprefix("^(?:").partition("[")[0].replace("\\.", ".")
    return f"`{fixed}${{string}}`"
