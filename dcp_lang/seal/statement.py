"""What is signed: in-toto Statements v1
(https://github.com/in-toto/attestation/blob/main/spec/v1/statement.md).

A statement is a pure function of the bytes it is about, as RFC 8785 bytes. The verifier derives it anew and
compares, so no field of it can say anything that was not checked.
"""

from __future__ import annotations

from dcp_lang.canonical import StrictJsonError, canonical_bytes, digest, load_strict
from dcp_lang.seal.errors import SealError

STATEMENT_TYPE = "https://in-toto.io/Statement/v1"
CLAIM_TYPE = "urn:x-dcp-lang:registration-claim:v1"
COUNTERSIGNATURE_TYPE = "urn:x-dcp-lang:registration-countersignature:v1"

REGISTRATION = "registration.json"
CLAIMANT_SEAL = "claimant-seal"


def claim(registration: bytes) -> bytes:
    """The claimant's statement: "I registered these bytes". SealError unless they are a frozen file."""
    return _statement(CLAIM_TYPE, "claimant", {REGISTRATION: _frozen(registration)})


def countersignature(registration: bytes, claimant_seal: bytes) -> bytes:
    """The authority's statement, over the registration and the claimant's whole seal."""
    subjects = {REGISTRATION: _frozen(registration), CLAIMANT_SEAL: claimant_seal}
    return _statement(COUNTERSIGNATURE_TYPE, "authority", subjects)


def _statement(predicate_type: str, role: str, subjects: dict[str, bytes]) -> bytes:
    return canonical_bytes(
        {
            "_type": STATEMENT_TYPE,
            "subject": [_subject(name, data) for name, data in subjects.items()],
            "predicateType": predicate_type,
            "predicate": {"role": role},
        }
    )


def _subject(name: str, data: bytes) -> dict[str, object]:
    return {"name": name, "digest": {"sha256": digest(data).removeprefix("sha256:")}}


def _frozen(registration: bytes) -> bytes:
    try:
        load_strict(registration)
    except StrictJsonError as error:
        raise SealError(f"the registration is not a frozen file: {error}") from None
    return registration


def explain_difference(found: bytes, expected: bytes) -> str:
    """Why a signed statement is not the one expected, by the first part that differs, as a clause."""
    try:
        theirs, ours = load_strict(found), load_strict(expected)
        if theirs["predicateType"] != ours["predicateType"]:
            return f"it is signed as {theirs['predicateType']!r}, not as {ours['predicateType']!r}"
        for their, our in zip(theirs["subject"], ours["subject"], strict=True):
            if their != our:
                return _other_subject(their, our)
    except (StrictJsonError, LookupError, TypeError, ValueError):
        pass
    return "its statement is not in the form of this version"


def _other_subject(their: dict[str, dict[str, str]], our: dict[str, dict[str, str]]) -> str:
    return (
        f"it is about another {our['name']}: sha256:{their['digest']['sha256']} was signed,"
        f" this one is sha256:{our['digest']['sha256']}"
    )
