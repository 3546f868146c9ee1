"""Line ends: the language reads CRLF as LF, and whoever writes a file anew leaves it the line ends that it has."""

from __future__ import annotations


def in_line_ends_of(text: str, original: str) -> str:
    """`text` with CRLF line ends where every line of `original` ends so, else as it is."""
    ends = original.count("\n")
    if not ends or original.count("\r\n") < ends:
        return text
    return text.replace("\r\n", "\n").replace("\n", "\r\n")
