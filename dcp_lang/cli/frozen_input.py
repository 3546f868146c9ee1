"""What commands share that take a registration as a source or as a frozen file."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import click

from dcp_lang.cli.common import read_compilation, read_input, show

if TYPE_CHECKING:
    from dcp_lang.driver import Compilation
    from dcp_lang.frozen import Registration


def read_registration_or_source(path: str) -> Registration | None:
    """The frozen registration in a `.json` file, or of a source; None after showing why it does not
    compile.
    """
    return load(path) if path.endswith(".json") else freeze(read_compilation(path))


def load(path: str) -> Registration:
    """A frozen registration; a usage error says what is wrong with it."""
    from dcp_lang.frozen import FrozenFault, read_registration

    try:
        return read_registration(read_input(path))
    except FrozenFault as fault:
        raise click.ClickException(f"{path} is no frozen registration: {fault}") from fault


def frozen_bytes(path: Path) -> bytes:
    """The frozen bytes in a file: the JSON itself, or those that a preregistration page embeds."""
    from dcp_lang.emit.document import NoRegistrationError, extract_registration

    data = read_input(str(path))
    if data.startswith(b"{"):
        return data
    try:
        return extract_registration(data)
    except NoRegistrationError as error:
        raise click.ClickException(f"{path} is no frozen registration: {error}") from error


def freeze(compilation: Compilation) -> Registration | None:
    """What a source freezes to; None after showing why it does not compile."""
    from dcp_lang.canonical import canonical_bytes
    from dcp_lang.emit.registration import frozen_registration
    from dcp_lang.frozen import read_registration

    if not compilation.is_sound or compilation.analysis is None:
        show(compilation.diagnostics)
        return None
    return read_registration(canonical_bytes(frozen_registration(compilation.analysis, compilation.waivers)))
