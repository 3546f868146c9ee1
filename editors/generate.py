"""Writes what editors colour by: the words of the grammar and of the field table.

`python editors/generate.py` rewrites the files in place, `--check` says whether one is out of date.
"""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import Any

from dcp_lang.editing.skeleton import block_lines, registration_lines
from dcp_lang.language.fields import SECTION_TABLE
from dcp_lang.syntax.tables import SPELLINGS

HERE = Path(__file__).parent
WORD = "[A-Za-z_δεραμ][A-Za-z0-9_δεραμ]*"
#: Not keywords of the grammar, but heads that every file has.
HEADS = ("registration", "profile")
OPERATORS = ("and", "or", "not", "in", "contains", "on", "within")
_ALTERNATIVES = r"\|".join(OPERATORS)


def keywords() -> list[str]:
    """The words that the grammar spells out, and the edition's."""
    return sorted({"dcp", *(s for s in SPELLINGS if s.isalpha())} - set(OPERATORS))


def blocks() -> list[str]:
    """The first words of all blocks."""
    return sorted({path.split(".")[0] for path in SECTION_TABLE if path} | {"valid", *HEADS})


def textmate() -> dict[str, Any]:
    """The TextMate grammar: keywords from the Lark grammar, block words from the field table."""
    words, heads = "|".join(keywords()), "|".join(blocks())
    escape = {"match": r'\\["\\nt]', "name": "constant.character.escape.dcp"}
    rules = [
        {"match": "#.*$", "name": "comment.line.number-sign.dcp"},
        {
            "begin": '"""',
            "end": '"""',
            "name": "string.quoted.triple.dcp",
            "patterns": [escape],
        },
        {"begin": '"', "end": '"|$', "name": "string.quoted.double.dcp", "patterns": [escape]},
        {
            "match": rf"\b([0-9][0-9_]*(?:\.[0-9_]+)?%?)(?:[ \t]+(?!(?:{words}|{'|'.join(OPERATORS)})\b)({WORD}))?",
            "captures": {
                "1": {"name": "constant.numeric.dcp"},
                "2": {"name": "keyword.other.unit.dcp"},
            },
        },
        {
            "match": rf"^\s*({heads})\b(?:\s+({WORD}))?(?:\s*(:)\s*({WORD}))?(?=[^=\n\"]*\{{|\s+[0-9._]+%\s*=)",
            "captures": {
                "1": {"name": "storage.type.block.dcp"},
                "2": {"name": "entity.name.section.dcp"},
                "3": {"name": "punctuation.separator.dcp"},
                "4": {"name": "storage.modifier.dcp"},
            },
        },
        {"match": rf"(?<![\w.])(?:{words})(?!\w|\s*=[^=])", "name": "keyword.control.dcp"},
        {"match": rf"\b(?:{'|'.join(OPERATORS)})\b(?!\s*=[^=])", "name": "keyword.operator.word.dcp"},
        {"match": r"\b[EWI][0-9]{3}\b", "name": "constant.other.code.dcp"},
        {"match": rf"{WORD}(?=\s*\()", "name": "entity.name.function.dcp"},
        {"match": rf"{WORD}(?=\s+{WORD}\s*=[^=])", "name": "storage.modifier.dcp"},
        {"match": rf"{WORD}(?=\s*=[^=])", "name": "variable.other.property.dcp"},
        {"match": WORD, "name": "variable.other.dcp"},
        {"match": r"==|!=|<=|>=|[=<>+\-*/]", "name": "keyword.operator.dcp"},
        {"match": r"[{}()\[\]]", "name": "punctuation.bracket.dcp"},
        {"match": "[,.:]", "name": "punctuation.separator.dcp"},
    ]
    return {"name": "DCP registration", "scopeName": "source.dcp", "fileTypes": ["dcp"], "patterns": rules}


def snippets() -> dict[str, Any]:
    """A snippet for each block and for a whole registration of each grade."""
    found = {
        f"registration {grade}": _snippet(f"registration-{grade}", ["dcp 1", "", *registration_lines(grade)])
        for grade in ("core", "evidence")
    }
    for path, section in SECTION_TABLE.items():
        if path:
            found[path.replace(".", " ")] = _snippet(
                path.replace(".", "-"), block_lines(section, "evidence"), section.doc
            )
    return found


def _snippet(prefix: str, lines: list[str], doc: str = "") -> dict[str, Any]:
    body = [line.replace("\\", "\\\\").replace("$", "\\$").replace("}", "\\}") for line in lines]
    return {"prefix": prefix, "body": body, "description": doc}


def vim() -> str:
    """The words of the Vim syntax."""
    return "\n".join(
        [
            '" Written by editors/generate.py; do not edit.',
            f"syntax keyword dcpKeyword {' '.join(keywords())}",
            # To `syntax keyword` some words are arguments, `contains` among them.
            rf"syntax match dcpOperatorWord /\<\%({_ALTERNATIVES}\)\>/",
            f"syntax keyword dcpBlock {' '.join(blocks())}",
            "",
        ]
    )


def files() -> dict[Path, str]:
    """Every generated file with its text."""
    return {
        HERE / "vscode" / "syntaxes" / "dcp.tmLanguage.json": _json(textmate()),
        HERE / "vscode" / "snippets.json": _json(snippets()),
        HERE / "vim" / "syntax" / "dcp_words.vim": vim(),
    }


def _json(value: Any) -> str:
    return json.dumps(value, indent=2, ensure_ascii=False) + "\n"


def main(arguments: list[str]) -> int:
    """Write the files, or say which are out of date."""
    old = {p: t for p, t in files().items() if not p.exists() or p.read_text(encoding="utf-8") != t}
    if "--check" in arguments:
        for path in old:
            print(f"out of date: {path.relative_to(HERE)}")
        return 1 if old else 0
    for path, text in old.items():
        path.write_text(text, encoding="utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
