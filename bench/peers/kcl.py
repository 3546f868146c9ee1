"""KCL, in this process: every file is an instance of a schema with a check block."""

from __future__ import annotations

import sys
from pathlib import Path

import kcl_lib.api as kcl
from common import main

_API = kcl.API()
_SCHEMA = sys.argv.pop(1)


def is_sound(path: Path) -> bool:
    """A check that does not hold is an error of the evaluation."""
    result = _API.exec_program(kcl.ExecProgramArgs(k_filename_list=[_SCHEMA, str(path)]))
    return not result.err_message


main(is_sound)
