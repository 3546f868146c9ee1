"""dcp-lang: registrations of the Discovery Certification Protocol as code.

The names below are loaded when they are first used; importing the package alone costs nothing.
"""

from __future__ import annotations

#: As `typing.TYPE_CHECKING`, without loading `typing`.
TYPE_CHECKING = False

if TYPE_CHECKING:
    from typing import Any

    from dcp_lang.canonical import digest, number_text
    from dcp_lang.driver import check_text
    from dcp_lang.emit.diff import compare
    from dcp_lang.emit.schemas import schema
    from dcp_lang.frozen import FrozenFault, Registration, load_registration, read_registration
    from dcp_lang.language.values import Amount, Choice, Material
    from dcp_lang.recheck import verify_registration
    from dcp_lang.thaw import project

__version__ = "0.1.0"

_HOMES = {
    "Amount": "dcp_lang.language.values",
    "Choice": "dcp_lang.language.values",
    "FrozenFault": "dcp_lang.frozen",
    "Material": "dcp_lang.language.values",
    "Registration": "dcp_lang.frozen",
    "check_text": "dcp_lang.driver",
    "compare": "dcp_lang.emit.diff",
    "digest": "dcp_lang.canonical",
    "load_registration": "dcp_lang.frozen",
    "number_text": "dcp_lang.canonical",
    "project": "dcp_lang.thaw",
    "read_registration": "dcp_lang.frozen",
    "schema": "dcp_lang.emit.schemas",
    "verify_registration": "dcp_lang.recheck",
}
__all__ = [
    "Amount",
    "Choice",
    "FrozenFault",
    "Material",
    "Registration",
    "__version__",
    "check_text",
    "compare",
    "digest",
    "load_registration",
    "number_text",
    "project",
    "read_registration",
    "schema",
    "verify_registration",
]


def __getattr__(name: str) -> Any:
    if name not in _HOMES:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    from importlib import import_module

    return getattr(import_module(_HOMES[name]), name)
