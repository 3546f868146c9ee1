"""Profiles: an authority's rules and defaults, in the same language, pinned by the digest of their normal
form.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import lru_cache

from dcp_lang.canonical import digest
from dcp_lang.diagnostics.model import Diagnostic, Sink
from dcp_lang.language.fields import FIELDS
from dcp_lang.language.names import resolve_name
from dcp_lang.record import Record
from dcp_lang.sema.faults import Faults
from dcp_lang.source import SourceFile, Span
from dcp_lang.syntax import ast, parse

#: The audit kernel's floors and caps: always in force, since the kernel rejects what breaks them.
KERNEL = "dcp.kernel/2"
_KERNEL_USE = ast.Use(ast.Text(KERNEL, f'"{KERNEL}"', Span(0, 0)), Span(0, 0))

_WAIVERS = ("allowed", "forbidden")
_ONLY = "a profile holds `require`, `default` and `waivers` only"


class Profile(Record):
    """A profile in use: `sha256` is the digest of `text`, its normal form (a statement a line, no comments)."""

    name: str
    source: SourceFile
    file: ast.File
    block: ast.Block
    requires: tuple[ast.Require, ...]
    defaults: tuple[tuple[str, ast.Expr], ...]
    allows_waivers: bool

    @property
    def text(self) -> str:
        """The normal form, made anew: only what is compiled shows it."""
        return _normal(self.file, self.block)

    @property
    def sha256(self) -> str:
        """The digest of the normal form."""
        return digest(self.text.encode())


def load_profiles(
    uses: list[ast.Use], find: Callable[[ast.Use], SourceFile | None], known: list[str], faults: Faults
) -> tuple[Profile, ...]:
    """Every profile in force: the kernel's, then what a file uses, in order; unknown and repeated ones
    reported.
    """
    profiles: dict[str, Profile] = {}
    places: dict[str, ast.Use] = {}
    # What is used again is neither read again nor are its faults told again.
    found: dict[tuple[str, str], tuple[bool, Profile | None]] = {}
    for use in uses if any(_target(u) == KERNEL for u in uses) else [_KERNEL_USE, *uses]:
        target = (use.target.function.name if isinstance(use.target, ast.Call) else "", _target(use))
        if target not in found:
            source = find(use)
            found[target] = (source is not None, None if source is None else _read_once(source, faults.sink))
        is_there, profile = found[target]
        if not is_there:
            if isinstance(use.target, ast.Call):
                faults.profile_file(_target(use), use.target.span)
            else:
                faults.profile(_target(use), use.target.span, known)
        if profile is None:
            continue
        if profile.name in profiles:
            faults.duplicate(f"the profile `{profile.name}`", use.span, places[profile.name].span)
        profiles.setdefault(profile.name, profile)
        places.setdefault(profile.name, use)
    return tuple(profiles.values())


def _read_once(source: SourceFile, sink: Sink) -> Profile | None:
    """As `read_profile`; a thousand registrations read the kernel's rules, and an authority's, once."""
    profile, found = _read(source.name, source.text)
    for diagnostic in found:
        sink.add(diagnostic)
    return profile


@lru_cache(maxsize=8)
def _read(name: str, text: str) -> tuple[Profile | None, list[Diagnostic]]:
    sink = Sink()
    return read_profile(SourceFile(name, text), sink), sink.sorted()


def imposed_profiles(
    sources: tuple[SourceFile, ...], used: tuple[Profile, ...], sink: Sink
) -> tuple[Profile, ...]:
    """The profiles that an authority imposes, but for those that the registration uses of its own accord."""
    profiles = [_read_once(source, sink) for source in sources]
    names = {profile.name for profile in used}
    return tuple(p for p in profiles if p is not None and p.name not in names)


def read_profile(source: SourceFile, sink: Sink) -> Profile | None:
    """The profile that a file declares, or None after reporting."""
    file = parse(source, sink)
    faults = Faults(source, sink)
    block = _only_profile(file, faults)
    if block is None:
        return None
    fields = [s for s in block.body if isinstance(s, ast.Field)]
    return Profile(
        name=_name(block),
        source=source,
        file=file,
        block=block,
        requires=tuple(s for s in block.body if isinstance(s, ast.Require)),
        defaults=tuple(d for s in block.body if isinstance(s, ast.Default) for d in _default(s, faults)),
        allows_waivers=_allow_waivers(fields, faults),
    )


def _normal(file: ast.File, block: ast.Block) -> str:
    from dcp_lang.syntax.spelling import statement_text

    before = [statement_text(s, ascii=True) for s in file.statements if s is not block]
    head = statement_text(block._replace(body=()), ascii=True).removesuffix("{}") + "{"
    body = ["  " + statement_text(s, ascii=True) for s in block.body]
    return "\n".join([*before, head, *body, "}"]) + "\n"


def _only_profile(file: ast.File, faults: Faults) -> ast.Block | None:
    blocks = [s for s in file.statements if isinstance(s, ast.Block)]
    if len(blocks) != 1 or not _name(blocks[0]):
        message = 'this file holds no single `profile "name/version" { … }`'
        faults.misplaced(message, file.span, help='write `profile "authority/2026" { … }`')
        return None
    for statement in blocks[0].body:
        if not isinstance(statement, ast.Require | ast.Default | ast.Field):
            faults.misplaced(_ONLY, statement.span, help="move it into the registration")
    return blocks[0]


def _name(block: ast.Block) -> str:
    match block.head:
        case (ast.Word("profile"), ast.Text(name)):
            return name
        case _:
            return ""


def _target(use: ast.Use) -> str:
    match use.target:
        case ast.Text(name) | ast.Call(_, (ast.Argument(_, ast.Text(name)),)):
            return name
        case _:
            return "…"


def _default(statement: ast.Default, faults: Faults) -> list[tuple[str, ast.Expr]]:
    name = statement.path
    paths = resolve_name(name.dotted)
    if len(paths) == 1:
        return [(paths[0], statement.value)]
    if paths:
        faults.ambiguous(name.dotted, name.span, paths)
    else:
        faults.unknown("field", name.dotted, name.span, FIELDS)
    return []


def _allow_waivers(fields: list[ast.Field], faults: Faults) -> bool:
    """`waivers = forbidden` or `waivers = allowed`, the only field of a profile."""
    allowed = True
    for field in fields:
        match field:
            case ast.Field((ast.Word("waivers"),), ast.Name() as value) if value.dotted in _WAIVERS:
                allowed = value.dotted == "allowed"
            case ast.Field((ast.Word("waivers"),)):
                help = "write `waivers = forbidden`"
                faults.misplaced("`waivers` is `allowed` or `forbidden`", field.span, help=help)
            case _:
                faults.misplaced(_ONLY, field.span, help="write `default … = …` to give a value")
    return allowed
