"""Conditions of the source as terms: every name resolved, every known value filled in, kinds and units
checked.
"""

from __future__ import annotations

from functools import lru_cache

from dcp_lang.language.fields import FIELDS
from dcp_lang.language.names import resolve_name
from dcp_lang.language.units import find_unit, unit_words
from dcp_lang.sema.evaluate import disagreement
from dcp_lang.sema.faults import Faults
from dcp_lang.sema.model import MissingFieldError, TypedRegistration
from dcp_lang.sema.quantities import (
    COMPUTED,
    TOTALS,
    argument_term,
    baseline_score,
    field_term,
    find_argument,
    symbols,
    target_score,
)
from dcp_lang.sema.terms import (
    ARITHMETIC,
    COMPARISONS,
    LIST,
    LOGIC,
    MEMBERSHIPS,
    NUMBER,
    ORDERINGS,
    TRUTH,
    WORD,
    Items,
    Num,
    Op,
    Ref,
    Sym,
    Term,
    all_of,
    kind_of,
    number,
    unit_of,
    unknowns,
)
from dcp_lang.sema.truth import value_range
from dcp_lang.syntax import ast

_JOINING = frozenset((*ARITHMETIC, *LOGIC))
#: Operators whose sides are in the same unit.
_OF_ONE_UNIT = frozenset(("+", "-", *COMPARISONS))


class Lowering:
    """Turns the conditions of one source into terms; None after reporting."""

    def __init__(self, reg: TypedRegistration, faults: Faults) -> None:
        self.reg = reg
        self.faults = faults
        #: What the names say that were met: a long sum names the same few.
        self._named: dict[str, Term] = {}

    def condition(self, expr: ast.Expr) -> Term | None:
        """The term of an expression that must be a condition."""
        term = self.term(expr)
        if term is not None and kind_of(term) != TRUTH:
            help = "write a comparison, such as `ρ <= 5%`"
            self.faults.operands(f"a condition is needed here, not {kind_of(term)}", expr.span, help)
            return None
        return term

    def term(self, expr: ast.Expr) -> Term | None:
        """The term of an expression."""
        match expr:
            case ast.Name():
                return self._name(expr)
            case ast.Binary(operator, left, right) if operator in _JOINING:
                return self._operation(operator, [left, right], expr)
            case ast.Number(value):
                return number(value)
            case ast.Quantity():
                return self._quantity(expr)
            case ast.Text(value):
                return Sym(value)
            case ast.Call():
                return self._call(expr)
            case ast.ListExpr():
                return self._list(expr)
            case ast.Unary(operator, operand):
                return self._operation(operator, [operand], expr)
            case ast.Comparison():
                return self._chain(expr)
            case ast.Broken():
                return None
            case _:
                self.faults.no_value(
                    "this has no place in a condition", expr.span, "compare fields and numbers"
                )
                return None

    # Names

    def _quantity(self, expr: ast.Quantity) -> Term | None:
        unit = find_unit(expr.unit.text)
        if unit is None:
            self.faults.unknown("unit", expr.unit.text, expr.unit.span, unit_words())
            return None
        return Num(expr.number.value * unit.factor, unit.base)

    def _name(self, expr: ast.Name) -> Term | None:
        name = expr.dotted
        term = self._named.get(name) or self._meant(name, expr)
        if term is not None:
            self._named[name] = term
        return term

    def _meant(self, name: str, expr: ast.Name) -> Term | None:
        if name == "x":
            return target_score(self.reg)
        if name == "grade":
            return Ref("grade", Sym(self.reg.grade))
        if name in TOTALS:
            return Ref(name, self.reg.plan.total(name))
        candidates = self._candidates(name)
        if len(candidates) > 1:
            self.faults.ambiguous(name, expr.span, candidates)
            return None
        if candidates and self.reg.has(candidates[0]):
            return field_term(self.reg, candidates[0], name)
        return self._argument(name) or self._word(name, expr, candidates)

    def _candidates(self, name: str) -> list[str]:
        """The paths that a name may mean: a computed value, a field, an item under the author's own label."""
        if name in COMPUTED:
            return [COMPUTED[name]]
        return [name] if self.reg.has(name) else resolve_name(name)

    def _argument(self, name: str) -> Ref | None:
        """An argument of a choice that was made: `family.alpha`, `policy.neutral.preserves.length.within`."""
        argument = find_argument(name)
        if argument is None or not (self.reg.has(argument.path) or self.reg.expects(argument.path)):
            return None
        value = argument_term(self.reg, argument)
        return None if value is None else Ref(name, value)

    def _word(self, name: str, expr: ast.Name, candidates: list[str]) -> Term | None:
        """A word that names no value here: an alternative of a choice, or nothing."""
        if any(map(self.reg.expects, candidates)):
            raise MissingFieldError(name)
        if name in symbols():
            return Sym(name)
        if candidates or find_argument(name):
            help = "guard it: `require … when grade == evidence`"
            self.faults.no_value(f"`{name}` has no value in this registration", expr.span, help)
            return None
        self.faults.unknown("name", name, expr.span, _known())
        return None

    def _call(self, expr: ast.Call) -> Term | None:
        argument = expr.arguments[0].value if len(expr.arguments) == 1 else None
        if expr.function.name != "score" or not isinstance(argument, ast.Name):
            self.faults.unknown("function", expr.function.text, expr.function.span, ["score"])
            return None
        baseline = self.reg.text("baseline.name")
        if argument.dotted != baseline:
            self.faults.unknown("baseline", argument.dotted, argument.span, [baseline])
            return None
        return baseline_score(self.reg)

    def _list(self, expr: ast.ListExpr) -> Term | None:
        terms = [Sym(i.dotted) if isinstance(i, ast.Name) else self.term(i) for i in expr.items]
        names = tuple(t.name for t in terms if isinstance(t, Sym))
        if len(names) == len(terms):
            return Items(names)
        if None not in terms:
            self.faults.operands(
                "a list in a condition holds words or texts", expr.span, "such as `[timing, schema]`"
            )
        return None

    # Operations

    def _operation(self, operator: str, operands: list[ast.Expr], expr: ast.Expr) -> Term | None:
        terms = [self.term(o) for o in operands]
        known = tuple(t for t in terms if t is not None)
        if len(known) < len(terms):
            return None
        term = Op(operator, known)
        need = NUMBER if operator in ARITHMETIC else TRUTH
        return term if self._agree(term, need, expr) else None

    def _chain(self, expr: ast.Comparison) -> Term | None:
        """`a < b <= c` as `a < b and b <= c`."""
        links: list[Term] = []
        left = self.term(expr.first)
        for operator, right_expr in expr.rest:
            right, bound = self._beside(left, right_expr)
            if left is None or right is None:
                return None
            link = Op(operator, (left, right))
            if not self._comparable(link, right_expr):
                return None
            links += [link] if bound is None else [link, bound]
            left = right
        return all_of(links)

    def _beside(self, left: Term | None, right: ast.Expr) -> tuple[Term | None, Term | None]:
        """The right side of a comparison, and for `contains length within 10%` the bound on the argument.

        Beside a choice or a list, a word is the name of an alternative, also where a field is called the
        same.
        """
        if isinstance(right, ast.Binary) and right.operator == "within" and isinstance(right.left, ast.Name):
            item, most = right.left.dotted, self.term(right.right)
            have = self._argument(f"{left.name}.{item}.within") if isinstance(left, Ref) else None
            bound = None if have is None or most is None else Op("<=", (have, most))
            return (None if most is None else Sym(item)), bound
        beside = kind_of(left) if left is not None else ""
        if isinstance(right, ast.Name) and (beside == LIST or (beside == WORD and right.dotted in symbols())):
            return Sym(right.dotted), None
        return self.term(right), None

    def _comparable(self, link: Op, at: ast.Expr) -> bool:
        a, b = map(kind_of, link.args)
        if link.op in ORDERINGS:
            return self._agree(link, NUMBER, at)
        if link.op in MEMBERSHIPS:
            fits = (a, b) == ((WORD, LIST) if link.op == "in" else (LIST, WORD))
            have = f"{a} and {b}"
        else:
            fits, have = a == b, f"{a} and {b}"
        if not fits:
            self.faults.operands(f"`{link.op}` cannot compare {have}", at.span, _EXAMPLES[link.op])
            return False
        return a != NUMBER or self._agree(link, NUMBER, at)

    def _agree(self, term: Op, need: str, at: ast.Expr) -> bool:
        """Whether all operands are of the kind that the operator needs, in units that it can join."""
        other = next((kind_of(a) for a in term.args if kind_of(a) != need), None)
        if other is not None:
            self.faults.operands(
                f"`{term.op}` needs {need} on each side, not {other}", at.span, _EXAMPLES[term.op]
            )
            return False
        units = [unit_of(a) for a in term.args] if need == NUMBER else []
        if term.op in _OF_ONE_UNIT and len(set(units)) > 1:
            self.faults.units(
                disagreement(term.op, units[0], units[1]), at.span, "express both in the same unit"
            )
            return False
        if (term.op == "*" and all(units)) or (term.op == "/" and units[1] and units[0] != units[1]):
            self.faults.units(
                f"`{term.op}` of {units[0] or 'a plain number'} and {units[1]} has no meaning here", at.span
            )
            return False
        if term.op == "/" and not unknowns(term.args[1]) and value_range(term.args[1])[0] == 0:
            self.faults.no_value("division by zero", at.span, "divide by a number that is not 0")
            return False
        return True


@lru_cache(maxsize=1)
def _known() -> tuple[str, ...]:
    """Every name that a condition may use."""
    return (*(s.name for s in FIELDS.values() if s.name != "*"), "x", "grade", *TOTALS, *COMPUTED)


_EXAMPLES = (
    dict.fromkeys(ARITHMETIC, "such as `δ_min / 100`")
    | dict.fromkeys(ORDERINGS, "such as `ρ <= 5%`")
    | dict.fromkeys(LOGIC, "such as `ρ <= 5% and ε < δ_min`")
    | {
        "==": "such as `grade == evidence`",
        "!=": "such as `subject != human_agent`",
        "in": "such as `grade in [core, evidence]`",
        "contains": "such as `policy.neutral.preserves contains length`",
    }
)
