"""Write the vectors: `python tests/vectors/make.py`. What is in them is stated in README.md and, one by
one, here.
"""

from __future__ import annotations

import hashlib
import json
from pathlib import Path

HERE = Path(__file__).parent

EMPTY = "sha256:" + hashlib.sha256(b"{}").hexdigest()

#: name: (bytes, why)
ACCEPT: dict[str, tuple[bytes, str]] = {
    "object-empty": (b"{}", "the smallest object"),
    "array-empty": (b"[]", "the smallest array"),
    "key-empty": (b'{"":""}', "an empty text is a key"),
    "names": (b"[null,true,false]", "the three names"),
    "integer-zero": (b"0", "zero has no sign"),
    "integer-largest": (
        b"[9007199254740991,-9007199254740991]",
        "2^53 - 1 and its negative",
    ),
    "key-order": (
        b'{"":0,"A":1,"a":2,"a0":3,"aa":4,"b":{"1":5,"10":6,"2":7}}',
        "not by number",
    ),
    "key-proto": (b'{"__proto__":{"a":1},"constructor":2,"toString":3}', "no key is special"),
    "text-unicode": ('"é ρ 漢 😀 \u2028\ufeff\x7f"'.encode(), "characters that need no escape have none"),
    "text-decomposed": ('["caf\u00e9","cafe\u0301"]'.encode(), "texts are not normalised: these are two"),
    "text-escapes": (
        b'"\\b\\t\\n\\f\\r\\"\\\\/\\u0000\\u001f"',
        "two-character escapes where there are any, else lower-case hexadecimal",
    ),
    "depth-64": (b"[" * 64 + b"]" * 64, "the deepest document"),
    "depth-64-mixed": (b'{"a":[' * 32 + b"0" + b"]}" * 32, "objects and arrays count alike"),
    "number-decimal": (
        b'[{"number":"0.05"},{"number":"-0.5"},{"number":"3"},{"number":"0"}]',
        "finite decimals",
    ),
    "number-ratio": (
        b'[{"number":"1/7"},{"number":"-22/7"},{"number":"1/30"}]',
        "else ratios",
    ),
    "number-small": (b'{"number":"0.00001"}', "never an exponent"),
    "number-large": (b'{"number":"9007199254740993"}', "no integer is too large as a text"),
    "number-longest": (b'{"number":"' + b"9" * 4096 + b'"}', "4096 characters"),
    "digest": (b'{"digest":"' + EMPTY.encode() + b'"}', "a digest of something that is not there"),
    "digest-content": (b'{"content":{},"digest":"' + EMPTY.encode() + b'"}', "a digest of its content"),
}


def _number(text: str) -> bytes:
    return f'{{"number":"{text}"}}'.encode()


def _digest(text: str) -> bytes:
    return f'{{"digest":"{text}"}}'.encode()


def _content(content: str, digest: str = EMPTY) -> bytes:
    return f'{{"content":{content},"digest":"{digest}"}}'.encode()


#: kind: {name: (bytes, why)}
REJECT: dict[str, dict[str, tuple[bytes, str]]] = {
    "byte-order-mark": {
        "bom": (b"\xef\xbb\xbf{}", "a byte order mark is not part of JSON"),
    },
    "carriage-return": {
        "crlf": (b'{"a":1,\r\n"b":2}', "line endings changed on the way"),
        "crlf-end": (b"{}\r\n", "a line ending added on the way"),
        "cr-first": (b"\r{}", "at the very start"),
        "cr-in-text": (b'"a\rb"', "a bare carriage return, even inside a text"),
    },
    "duplicate-key": {
        "duplicate-key": (b'{"rho":"0.05","rho":"0.5"}', "readers keep the first or the last"),
        "duplicate-key-same-value": (b'{"rho":"0.05","rho":"0.05"}', "also if it makes no difference"),
        "duplicate-key-escaped": (b'{"a":1,"\\u0061":2}', "compared after unescaping"),
        "duplicate-key-empty": (b'{"":1,"":2}', "an empty key is a key"),
        "duplicate-key-deep": (b'[{"a":{"b":1,"c":[],"b":2}}]', "at any depth"),
        "duplicate-key-proto": (b'{"__proto__":1,"__proto__":2}', "a key that some readers drop"),
    },
    "float-in-frozen-file": {
        "float": (b"[0.05]", "exact numbers are texts"),
        "float-whole": (b"[1.0]", "one value, two spellings"),
        "float-exponent": (b"[1e2]", "an exponent makes a float of an integer"),
        "float-exponent-zero": (b"[0E0]", "even of zero"),
        "float-underflow": (b"[1e-400]", "which would be read as zero"),
        "float-minus-zero": (b"[-0.0]", "which some readers keep apart from zero"),
    },
    "integer-too-large": {
        "integer-2-53": (b"[9007199254740992]", "2^53: the neighbour rounds to it"),
        "integer-2-53-plus-1": (b"[9007199254740993]", "read as 2^53 by readers of doubles"),
        "integer-minus-2-53": (b"[-9007199254740992]", "the same below zero"),
        "integer-20-digits": (b"[100000000000000000000]", "rounded, or an error, by reader"),
        "integer-5000-digits": (b"[" + b"1" * 5000 + b"]", "some readers stop with an error of their own"),
    },
    "lone-surrogate": {
        "surrogate-high": (b'"\\ud800"', "the first half alone"),
        "surrogate-low": (b'"\\udc00"', "the second half alone"),
        "surrogates-exchanged": (b'"\\udc00\\ud800"', "the halves in the wrong order"),
        "surrogate-before-text": (b'"\\ud83dx"', "the first half before another character"),
        "surrogate-twice": (b'"\\ud83d\\ud83d\\ude00"', "one half too many"),
        "surrogate-in-key": (b'{"\\udfff":1}', "in a key"),
    },
    "non-ascii-key": {
        "key-greek": ('{"ρ":"0.05"}'.encode(), "keys are ASCII"),
        "key-accent": ('{"caf\u00e9":1}'.encode(), "two ways to write it, so neither"),
        "key-astral": ('{"😀":1}'.encode(), "sorted differently by code point and by code unit"),
    },
    "not-canonical": {
        "order": (b'{"b":1,"a":2}', "keys are sorted"),
        "order-case": (b'{"a":1,"B":2}', "by code unit: capitals first"),
        "order-numbers": (b'{"2":1,"10":2}', "as texts, not as numbers"),
        "space-after-colon": (b'{"a": 1}', "no spaces"),
        "space-after-comma": (b"[1, 2]", "no spaces"),
        "space-before": (b" {}", "no spaces"),
        "space-after": (b"{} ", "no spaces"),
        "tab": (b"[\t]", "no tabs"),
        "line-feed": (b"[\n]", "no lines"),
        "minus-zero": (b"[-0]", "zero has no sign"),
        "escape-needless": (b'"\\u0061"', "no escape where none is needed"),
        "escape-solidus": (b'"\\/"', "the solidus has none"),
        "escape-long": (b'"\\u000a"', "the short form where there is one"),
        "escape-upper-case": (b'"\\u001F"', "lower-case hexadecimal"),
        "escape-pair": (b'"\\ud83d\\ude00"', "no escape for characters beyond the first plane"),
        "escape-delete": (b'"\\u007f"', "U+007F needs none"),
        "escape-in-key": (b'{"\\u0061":1}', "in keys too"),
    },
    "not-finite": {
        "nan": (b"[NaN]", "not JSON, but written by many"),
        "infinity": (b"[Infinity]", "not JSON, but written by many"),
        "infinity-minus": (b"[-Infinity]", "not JSON, but written by many"),
        "number-1e400": (b'{"rho":1e400}', "JSON, but read as infinity"),
        "number-minus-1e400": (b'{"rho":-1e400}', "JSON, but read as minus infinity"),
        "number-1.8e308": (b"[1.8e308]", "just beyond the largest double"),
    },
    "not-utf8": {
        "latin-1": (b'"caf\xe9"', "another encoding"),
        "utf-16": ("\ufeff{}".encode("utf-16-le"), "another encoding"),
        "overlong": (b'"\xc0\xaf"', "a solidus in two bytes"),
        "surrogate-bytes": (b'"\xed\xa0\x80"', "a surrogate in three bytes"),
        "truncated": (b'"\xc3', "a character cut in two"),
        "beyond-unicode": (b'"\xf4\x90\x80\x80"', "U+110000"),
    },
    "syntax": {
        "empty": (b"", "nothing"),
        "open": (b'{"a":1', "cut off"),
        "closed-twice": (b"{}}", "text after the end"),
        "two-documents": (b"1 2", "text after the end"),
        "trailing-comma": (b"[1,]", "a comma before the end"),
        "trailing-comma-object": (b'{"a":1,}', "a comma before the end"),
        "leading-comma": (b"[,1]", "a comma before the start"),
        "key-bare": (b"{a:1}", "a key without quotes"),
        "key-number": (b"{1:1}", "a key that is a number"),
        "quotes-single": (b"['a']", "other quotes"),
        "comment": (b"[/**/]", "a comment"),
        "leading-zero": (b"[01]", "a number in the old octal style"),
        "plus": (b"[+1]", "a sign that JSON has not"),
        "point-first": (b"[.5]", "no digit before the point"),
        "point-last": (b"[5.]", "no digit after the point"),
        "minus-alone": (b"[-]", "no digits"),
        "hexadecimal": (b"[0x10]", "another base"),
        "digits-arabic": ("[٣]".encode(), "digits of another script"),
        "name-upper-case": (b"[True]", "another language"),
        "name-unknown": (b"[undefined]", "another language"),
        "text-open": (b'"abc', "no closing quotes"),
        "text-line-feed": (b'"a\nb"', "a bare control character"),
        "text-nul": (b'"\x00"', "a bare control character"),
        "escape-unknown": (b'"\\x41"', "an escape that JSON has not"),
        "escape-short": (b'"\\u12"', "too few digits"),
        "space-no-break": (b"[\xc2\xa01]", "a space that JSON has not"),
        "space-vertical-tab": (b"[\v1]", "a space that JSON has not"),
        "space-form-feed": (b"[\f1]", "a space that JSON has not"),
        "nul-after": (b"{}\x00", "text after the end"),
        "brackets-crossed": (b'[{"a":1]}', "closed in the wrong order"),
    },
    "too-deep": {
        "depth-65": (b"[" * 65 + b"]" * 65, "one level more than the deepest"),
        "depth-65-mixed": (b'{"a":[' * 32 + b"[]" + b"]}" * 32, "one level more than the deepest"),
        "depth-bomb-arrays": (b"[" * 20_000, "a reader that recurses first dies"),
        "depth-bomb-objects": (b'{"a":' * 20_000, "a reader that recurses first dies"),
    },
    "trailing-newline": {
        "newline": (b"{}\n", "what most editors add"),
        "newline-after-text": (b'"a"\n', "what most editors add"),
    },
    "number-spelling": {
        "number-trailing-zero": (_number("0.050"), "is 0.05"),
        "number-point-zero": (_number("1.0"), "is 1"),
        "number-minus-zero": (_number("-0"), "is 0"),
        "number-leading-zero": (_number("007"), "is 7"),
        "number-point-first": (_number(".5"), "is 0.5"),
        "number-point-last": (_number("5."), "is 5"),
        "number-half": (_number("1/2"), "is 0.5"),
        "number-not-reduced": (_number("2/14"), "is 1/7"),
        "number-over-one": (_number("3/1"), "is 3"),
        "number-over-zero": (_number("1/0"), "is not a number"),
        "number-minus-below": (_number("1/-7"), "is -1/7"),
        "number-exponent": (_number("1e-5"), "is 0.00001"),
        "number-plus": (_number("+1"), "is 1"),
        "number-space": (_number(" 1"), "is 1"),
        "number-newline": (_number("1\\n"), "is 1, and passes `$` in many regular expressions"),
        "number-underscore": (_number("200_000"), "is 200000"),
        "number-percent": (_number("5%"), "is 0.05"),
        "number-comma": (_number("0,05"), "is 0.05"),
        "number-digits-arabic": (_number("٣"), "is 3"),
        "number-nan": (_number("NaN"), "is not a number"),
        "number-empty": (_number(""), "is not a number"),
        "number-integer": (b'{"number":3}', "is a text"),
        "number-null": (b'{"number":null}', "is a text"),
        "number-too-long": (_number("9" * 4097), "4097 characters"),
    },
    "digest-spelling": {
        "digest-newline": (_digest(EMPTY + "\\n"), "passes `$` in many regular expressions"),
        "digest-upper-case": (_digest(EMPTY.upper()), "lower-case"),
        "digest-bare": (_digest(EMPTY[7:]), "the algorithm is named"),
        "digest-short": (_digest(EMPTY[:-1]), "63 digits"),
        "digest-long": (_digest(EMPTY + "0"), "65 digits"),
        "digest-other-algorithm": (_digest("sha512:" + EMPTY[7:]), "SHA-256 only"),
        "digest-digits-arabic": (_digest(EMPTY[:-1] + "٣"), "digits of another script"),
        "digest-null": (b'{"digest":null}', "is a text"),
    },
    "digest-mismatch": {
        "digest-of-other-content": (_content('{"a":1}'), "the digest is the one of {}"),
        "digest-of-content-with-newline": (
            _content("{}", "sha256:" + hashlib.sha256(b"{}\n").hexdigest()),
            "the digest of the content and a newline",
        ),
        "digest-one-digit": (
            _content("{}", EMPTY[:-1] + "0"),
            "one digit changed",
        ),
    },
}


def build() -> dict[str, bytes]:
    """All files by name, the index included."""
    files = {f"accept/{name}.json": data for name, (data, _) in ACCEPT.items()}
    accept = [
        {"file": f"accept/{name}.json", "digest": "sha256:" + hashlib.sha256(data).hexdigest(), "why": why}
        for name, (data, why) in ACCEPT.items()
    ]
    reject = []
    for kind, cases in REJECT.items():
        for name, (data, why) in cases.items():
            files[f"reject/{name}.json"] = data
            reject.append({"file": f"reject/{name}.json", "kind": kind, "why": why})
    index = {"format": "dcp-lang/vectors-1", "accept": accept, "reject": reject}
    files["index.json"] = json.dumps(index, indent=1, ensure_ascii=False).encode() + b"\n"
    return files


def write(folder: Path) -> None:
    """Replace the vectors in `folder`."""
    for old in folder.glob("*/*.json"):
        old.unlink()
    for name, data in build().items():
        path = folder / name
        path.parent.mkdir(exist_ok=True)
        path.write_bytes(data)


if __name__ == "__main__":
    write(HERE)
