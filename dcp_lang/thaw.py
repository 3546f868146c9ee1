"""A frozen registration compiled again from its own contents: the embedded source, profiles and file digests.

Nothing outside the JSON is read. Compiling gives the same bytes, or something in the file is not what the
compiler would have written.
"""

from __future__ import annotations

from fractions import Fraction
from typing import Any

from dcp_lang.canonical import canonical_bytes, digest
from dcp_lang.driver import Compilation
from dcp_lang.emit.harness import compiled
from dcp_lang.emit.kernel import kernel_registration
from dcp_lang.emit.registration import frozen_registration
from dcp_lang.frozen import FrozenFault, Registration, read_registration
from dcp_lang.language.fields import FIELDS
from dcp_lang.language.values import Material, value_text
from dcp_lang.sema.materials import MISSING, MaterialError
from dcp_lang.sema.model import TypedRegistration
from dcp_lang.sema.plan import CONTROLS, RECOVERY
from dcp_lang.source import SourceFile
from dcp_lang.syntax import ast
from dcp_lang.verify.binding import Frozen


class FrozenWorkspace:
    """The files of a frozen registration: their digests are known, their bytes are not."""

    def __init__(self, frozen: Registration) -> None:
        values = (field.value for field in frozen.fields.values())
        self._known = {v.path: v for v in values if isinstance(v, Material) and v.kind != "sealed"}

    def material(self, path: str, folder: bool) -> Material:
        """The recorded digest of a file or folder; raises `MaterialError` for a path that is not recorded."""
        found = self._known.get(path) or self._known.get(path + "/" if folder else path)
        if found is None:
            raise MaterialError(MISSING, f"the registration records no file `{path}`")
        return found

    def bytes(self, path: str) -> bytes:
        """Always raises `MaterialError`: a frozen registration holds no file's bytes."""
        raise MaterialError(MISSING, f"the registration holds only the digest of `{path}`")


class FrozenCompilation(Compilation):
    """The compilation of a frozen registration's normal form, with the profiles that it embeds."""

    def __init__(
        self, frozen: Registration, name: str = "registration.json", imposed: tuple[SourceFile, ...] = ()
    ) -> None:
        super().__init__(SourceFile(name, frozen.source), FrozenWorkspace(frozen), None, imposed)
        self._profiles = {p.name: p.source for p in frozen.profiles}

    def find_profile(self, use: ast.Use) -> SourceFile | None:
        """A profile that the registration embeds."""
        if isinstance(use.target, ast.Text) and use.target.value in self._profiles:
            return SourceFile(use.target.value, self._profiles[use.target.value])
        return None


def as_registration(frozen: dict[str, Any] | Registration) -> Registration:
    """The typed view of a frozen registration's JSON; raises `FrozenFault`."""
    return frozen if isinstance(frozen, Registration) else read_registration(canonical_bytes(frozen))


def recompile(frozen: Registration) -> dict[str, Any]:
    """The frozen registration that the embedded source gives; raises `FrozenFault` where it does not
    compile.
    """
    compilation = _sound(frozen)
    assert compilation.analysis is not None
    return frozen_registration(compilation.analysis, compilation.waivers)


def thaw(frozen: dict[str, Any] | Registration) -> TypedRegistration:
    """The registration that a frozen one says again, from the JSON alone; raises `FrozenFault`."""
    analysis = _sound(as_registration(frozen)).analysis
    assert analysis is not None
    return analysis.registration


def project(frozen: dict[str, Any] | Registration) -> dict[str, Any]:
    """The kernel projection (every field of dcp-audit 0.4.2's `Registration`) from the JSON alone;
    `FrozenFault`.
    """
    typed = as_registration(frozen)
    return kernel_registration(thaw(typed), typed.digest)


def expectation(frozen: dict[str, Any] | Registration) -> Frozen:
    """What the verifier holds a bundle to, from the JSON alone.

    Raises `FrozenFault`, also where the embedded source compiles to another file: then something in the file is not
    what the compiler wrote.
    """
    typed = as_registration(frozen)
    if digest(canonical_bytes(recompile(typed))) != typed.digest:
        raise FrozenFault("/source", "compiling the embedded source gives another file")
    reg = thaw(typed)
    build = compiled(reg, typed.digest, digest(typed.source.encode()))
    mode = reg.choice("mode")
    return Frozen(
        digest=typed.digest,
        expected=build["fixed"],
        late_fields=build["bind"],
        thresholds=thresholds(reg),
        obligations=typed.obligations,
        mode=mode.name,
        episodes=reg.count(RECOVERY),
        positive_controls=reg.count(CONTROLS),
        baseline=reg.number("baseline.score") if _is_declared_score(reg) else None,
        cost=_cost(reg),
        knowledge=mode.argument("knowledge").name if mode.arguments else None,
    )


def thresholds(reg: TypedRegistration) -> dict[str, Fraction]:
    """The exact numbers behind the kernel's doubles, by kernel field; `epsilon` stands in for κ."""
    rows = {s.kernel: reg.value(p) for p, s in FIELDS.items() if s.kernel not in ("", "kappa") and reg.has(p)}
    exact = {name: value for name, value in rows.items() if isinstance(value, Fraction)}
    family = Fraction(reg.choice("family").argument("alpha"))
    return exact | {"epsilon": reg.number("thresholds.epsilon"), "family_alpha_total": family}


def _is_declared_score(reg: TypedRegistration) -> bool:
    return isinstance(reg.value("baseline.score"), Fraction)


def _cost(reg: TypedRegistration) -> str | None:
    return value_text(reg.value("budget.audit.cost")) if reg.has("budget.audit.cost") else None


def _sound(frozen: Registration) -> FrozenCompilation:
    compilation = FrozenCompilation(frozen)
    errors = [d for d in compilation.diagnostics if d.is_error]
    if errors:
        raise FrozenFault("/source", f"it does not compile: {errors[0].code}, {errors[0].message}")
    if not compilation.is_sound:
        raise FrozenFault("/source", "it does not compile: there is no registration in it")
    return compilation
