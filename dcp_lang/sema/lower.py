"""Conditions of the source as terms: every name resolved, every known value filled in, units checked."""

from __future__ import annotations

from fractions import Fraction
from typing import TYPE_CHECKING

from dcp_lang.language.fields import FIELDS, resolve_name
from dcp_lang.language.types import ChoiceType, FieldType, ListType
from dcp_lang.language.units import find_unit, unit_words
from dcp_lang.language.values import Amount, Choice, Value
from dcp_lang.sema.faults import Faults
from dcp_lang.sema.terms import COMPARISONS, Items, Num, Op, Ref, Sym, Term, number
from dcp_lang.syntax import ast

if TYPE_CHECKING:
    from dcp_lang.sema.model import TypedRegistration

#: Values of the plan that a condition may name, with the path of the field that they stand for.
COMPUTED = {
    "n.recovery": "gate.recovery.episodes",
    "n.controls": "gate.recovery.positive_controls",
    "n.pairs": "gate.feedback.pairs",
    "n.null_pairs": "gate.feedback.null_pairs",
}


def _option_names(kind: FieldType) -> set[str]:
    match kind:
        case ChoiceType(options):
            return {o.name for o in options} | {n for o in options for p in o.parameters for n in _option_names(p.type)}
        case ListType(item):
            return _option_names(item)
        case _:
            return set()


def symbols() -> set[str]:
    """Every word that names a choice, the grades and the truth values included."""
    return {"core", "evidence", "true", "false"}.union(*(_option_names(f.type) for f in FIELDS.values()))


def value_term(value: Value) -> Num | Sym | Items | None:
    """A field's value as a term; None for materials, which conditions cannot compare."""
    match value:
        case Fraction() | int():
            return number(value)
        case Amount(amount, unit):
            return Num(amount, unit)
        case Choice(name):
            return Sym(name)
        case str():
            return Sym(value)
        case tuple() if not hasattr(value, "_fields"):
            return Items(tuple(v.name if isinstance(v, Choice) else str(v) for v in value))
        case _:
            return None


def target_score(reg: TypedRegistration) -> Ref:
    """x: known in a retrospective registration, else anywhere on the scale."""
    known = number(reg.number("target.score")) if reg.has("target.score") else None
    return Ref("x", known)


def baseline_score(reg: TypedRegistration) -> Ref:
    """score(b): declared, or sealed and then anywhere on the scale."""
    value = reg.value("baseline.score")
    return Ref("score(b)", number(value) if isinstance(value, Fraction) else None)


def field_term(reg: TypedRegistration, path: str, name: str = "") -> Ref:
    """A reference to a field of the registration, under its short name."""
    spec = FIELDS.get(path)
    short = name or (spec.name if spec and path.startswith("thresholds.") else path)
    return Ref(short, value_term(reg.value(path)))


class Lowering:
    """Turns the conditions of one registration into terms; None after reporting."""

    def __init__(self, reg: TypedRegistration, faults: Faults) -> None:
        self.reg = reg
        self.faults = faults

    def term(self, expr: ast.Expr) -> Term | None:
        """The term of an expression."""
        match expr:
            case ast.Number(value):
                return number(value)
            case ast.Quantity():
                return self._quantity(expr)
            case ast.Text(value):
                return Sym(value)
            case ast.Name():
                return self._name(expr)
            case ast.Call():
                return self._call(expr)
            case ast.ListExpr(items):
                return self._items(items)
            case ast.Unary(operator, operand):
                return self._operation(operator, operand)
            case ast.Binary(operator, left, right) if operator not in ("on", "within"):
                return self._binary(operator, left, right)
            case ast.Comparison():
                return self._chain(expr)
            case _:
                self.faults.not_constant("this has no place in a condition", expr.span)
                return None

    def _quantity(self, expr: ast.Quantity) -> Term | None:
        unit = find_unit(expr.unit.text)
        if unit is None:
            self.faults.unknown("unit", expr.unit.text, expr.unit.span, unit_words())
            return None
        return Num(expr.number.value * unit.factor, unit.base)

    def _name(self, expr: ast.Name) -> Term | None:
        name = expr.dotted
        if name == "x":
            return target_score(self.reg)
        if name == "grade":
            return Ref("grade", Sym(self.reg.grade))
        if name in ("sessions", "cost"):
            return Ref(name, self.reg.plan.total(name))
        paths = [COMPUTED[name]] if name in COMPUTED else resolve_name(name)
        present = [p for p in paths if self.reg.has(p)]
        if present:
            return self._field(present[0], name, expr)
        if name in symbols():
            return Sym(name)
        if paths:
            self.faults.not_constant(f"`{name}` has no value in this registration", expr.span, "guard it with `when`")
        else:
            known = [s.name for s in FIELDS.values()] + ["x", "grade", "sessions", "cost", *COMPUTED]
            self.faults.unknown("name", name, expr.span, known)
        return None

    def _field(self, path: str, name: str, expr: ast.Name) -> Term | None:
        value = value_term(self.reg.value(path))
        if value is None:
            if path == "baseline.score":
                return baseline_score(self.reg)
            self.faults.not_constant(f"`{name}` cannot be compared", expr.span)
            return None
        return Ref(name, value)

    def _call(self, expr: ast.Call) -> Term | None:
        argument = expr.arguments[0].value if len(expr.arguments) == 1 else None
        if expr.function.name == "score" and isinstance(argument, ast.Name):
            baseline = self.reg.text("baseline.name")
            if argument.dotted == baseline or argument.parts[0].text == baseline:
                return baseline_score(self.reg)
            self.faults.unknown("baseline", argument.dotted, argument.span, [baseline])
            return None
        self.faults.unknown("function", expr.function.text, expr.function.span, ["score"])
        return None

    def _items(self, items: tuple[ast.Expr, ...]) -> Term | None:
        terms = [self.term(i) for i in items]
        if not all(isinstance(t, Sym) for t in terms):
            return None
        return Items(tuple(t.name for t in terms if isinstance(t, Sym)))

    def _operation(self, operator: str, operand: ast.Expr) -> Term | None:
        term = self.term(operand)
        return None if term is None else Op(operator, (term,))

    def _binary(self, operator: str, left: ast.Expr, right: ast.Expr) -> Term | None:
        a, b = self.term(left), self.term(right)
        if a is None or b is None:
            return None
        if operator in "+-" and not self._same_unit(a, b, operator, left):
            return None
        return Op(operator, (a, b))

    def _chain(self, expr: ast.Comparison) -> Term | None:
        terms = [self.term(expr.first)]
        for _, right in expr.rest:
            terms.append(self._beside(terms[-1], right))
        if None in terms:
            return None
        links: list[Term] = []
        for (operator, right), a, b in zip(expr.rest, terms, terms[1:], strict=False):
            assert a is not None and b is not None
            if operator in COMPARISONS and not self._same_unit(a, b, operator, right):
                return None
            links.append(Op(operator, (a, b)))
        return links[0] if len(links) == 1 else Op("and", tuple(links))

    def _beside(self, left: Term | None, right: ast.Expr) -> Term | None:
        """The right side of a comparison: beside a choice, a word is the name of an alternative."""
        value = left.value if isinstance(left, Ref) else left
        if isinstance(value, (Sym, Items)) and isinstance(right, ast.Name) and right.dotted in symbols():
            return Sym(right.dotted)
        return self.term(right)

    def _same_unit(self, a: Term, b: Term, operator: str, at: ast.Expr) -> bool:
        left, right = unit_of(a), unit_of(b)
        if left is None or right is None or left == right:
            return True
        self.faults.units(f"`{operator}` needs one unit on both sides: have {left or 'a plain number'} and {right or 'a plain number'}", at.span)
        return False


def unit_of(term: Term) -> str | None:
    """The unit of a numeric term (`""` for a plain number), or None for what is not a number."""
    match term:
        case Num(_, unit):
            return unit
        case Ref(_, Num(_, unit)):
            return unit
        case Ref(_, None):
            return ""
        case Op("*", (a, b)):
            return unit_of(a) or unit_of(b)
        case Op("/", (a, b)):
            return "" if unit_of(a) == unit_of(b) else unit_of(a)
        case Op("+" | "-", args):
            return unit_of(args[0])
        case _:
            return None
