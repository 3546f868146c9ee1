"""Messages of JSON-RPC 2.0 over a pair of byte streams (Language Server Protocol 3.17, "Base Protocol")."""

from __future__ import annotations

import json
from typing import Any, BinaryIO

Json = dict[str, Any]

#: Most bytes of a message; a text of the language has at most 256 KiB, and JSON writes a byte with at most six.
MAX_BODY = 16 * 1024 * 1024


class StreamError(Exception):
    """What came is no message, and where the next one begins is not known."""


def read_body(stream: BinaryIO) -> bytes | None:
    """The bytes of the next message; None at the end of the stream.

    Raises `StreamError` for headers without a length, and for a message that is too long or ends too early.
    """
    length: int | None = None
    while line := stream.readline(1024):
        if not line.strip():
            break
        name, _, value = line.partition(b":")
        if name.strip().lower() == b"content-length" and value.strip().isdigit():
            length = int(value)
    else:
        return None
    if length is None or length > MAX_BODY:
        raise StreamError("a message without a length" if length is None else "a message that is too long")
    body = stream.read(length)
    if len(body) < length:
        raise StreamError("a message that ends too early")
    return body


def write_message(stream: BinaryIO, message: Json) -> None:
    """Send a message; in ASCII, as a text may hold halves of characters, which UTF-8 cannot spell."""
    body = json.dumps({"jsonrpc": "2.0", **message}, separators=(",", ":")).encode()
    stream.write(b"Content-Length: %d\r\n\r\n%b" % (len(body), body))
    stream.flush()
