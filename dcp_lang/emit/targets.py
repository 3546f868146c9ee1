"""What each runner cannot do: one table, stated as diagnostics when a registration is compiled.

A rule of `sema` says what is wrong with a registration; nothing here does. The same registration may run on one target
and not on another, so these findings belong to the target: they never reach the frozen registration, cannot be
waived, and show when `dcpc compile` writes the files of that target. `runner/targets.json` says the same to machines.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from typing import Any, NamedTuple

from dcp_lang.diagnostics.model import Diagnostic
from dcp_lang.diagnostics.registry import Rule
from dcp_lang.emit.inspect_task import TOOLS as INSPECT_TOOLS
from dcp_lang.language.values import Choice, json_value, value_text
from dcp_lang.sema.model import TypedRegistration
from dcp_lang.sema.report import short_name

CANNOT = Rule(
    "W721", "target-cannot-honour", "warning", "a runner cannot do what the registration asks of it"
)
ALWAYS = Rule("I721", "target-limits", "info", "what a runner does its own way, whatever is registered")
RULES = (CANNOT, ALWAYS)

SCHEMA = "dcp-lang/targets/1"
INTERFACE = "model.interface"

#: The path of the field that asks for something, or "" where the registration does not ask for it.
Asks = Callable[[TypedRegistration], str]


class Limit(NamedTuple):
    """One thing that a target does otherwise; `does` follows the target's name in a sentence.

    Without `asks` it holds for every registration.
    """

    does: str
    asks: Asks | None = None


def _more_than_one(path: str) -> Asks:
    return lambda reg: path if reg.has(path) and reg.count(path) > 1 else ""


def _several_audits(reg: TypedRegistration) -> str:
    return "family" if reg.choice("family").argument("audits") > 1 else ""


def _challenger_has_more(reg: TypedRegistration) -> str:
    """A challenger may have more than a session of the target; runners have one limit for all sessions."""
    own = reg.under("budget.challenger")
    more = (name for name, value in own.items() if value != reg.value(f"budget.session.{name}"))
    return next((f"budget.challenger.{name}" for name in more), "")


def _web_sources_differ(reg: TypedRegistration) -> str:
    webs = {p: v for p, v in reg.entries.items() if p.startswith("information.web.")}
    hosts = {p: v.value for p, v in webs.items() if isinstance(v.value, Choice) and v.value.name == "hosts"}
    return list(hosts)[-1] if len({_limits(web) for web in hosts.values()}) > 1 else ""


def _limits(web: Choice) -> str:
    """What a Web source allows but for its hosts and its number of requests, which add up."""
    return str([(k, v) for k, v in web.arguments if k not in ("allowed", "at_most")])


def _other_currency(reg: TypedRegistration) -> str:
    path = "budget.session.cost"
    return "" if reg.amount(path).unit == "USD" else path


def _other_model_id(reg: TypedRegistration) -> str:
    return "" if reg.text("model.id") == reg.text("model.requested") else "model.id"


ONE_CANDIDATE = Limit("scores one candidate per episode", _more_than_one("gate.recovery.best_of"))
NO_SEEDS = Limit("passes no seed and no temperature to the model, so no session can be drawn again")
NO_EARLY_STOP = Limit("runs every registered episode: it does not stop at the first recovery")

_HARNESS = (
    ONE_CANDIDATE,
    Limit("attests the error budget of a family of one audit only", _several_audits),
    Limit("gives challengers the limits of the target's session", _challenger_has_more),
    Limit("has one Web gateway with one set of limits", _web_sources_differ),
    Limit("counts money in USD", _other_currency),
    Limit("records the id that is asked of the provider", _other_model_id),
    NO_SEEDS,
    NO_EARLY_STOP,
    Limit("limits money and time turn by turn: each turn gets its share of the session's budget"),
    Limit("answers a challenger's experiments with its own message that they are withheld"),
    Limit(
        "starts no session again: killed before its agent acted it is lost to infrastructure, else unresolved"
    ),
)


def _unknown_tool(reg: TypedRegistration) -> str:
    return "" if set(reg.items("model.tools")) <= set(INSPECT_TOOLS) else "model.tools"


def _is_claude_code(reg: TypedRegistration) -> str:
    return INTERFACE if reg.choice(INTERFACE).name == "claude_code" else ""


def _names_no_provider(reg: TypedRegistration) -> str:
    return "" if "/" in reg.text("model.requested") else "model.requested"


_INSPECT = (
    ONE_CANDIDATE,
    Limit("attests the error budget of a family of one audit only", _several_audits),
    Limit("has one Web gateway with one set of limits", _web_sources_differ),
    Limit(f"has the tools {', '.join(INSPECT_TOOLS)} only", _unknown_tool),
    Limit("asks models through Inspect's providers", _is_claude_code),
    Limit("asks for models by the names `provider/model`", _names_no_provider),
    Limit("counts money in USD", _other_currency),
    Limit(
        "gives every session a seed of its own; a provider that takes none ignores it, and there is no temperature"
    ),
    NO_EARLY_STOP,
    Limit("plays an episode as one conversation, a turn being one answer of the model"),
    Limit("holds time and money by Inspect's limits: the call that passes a limit on money is still paid"),
    Limit(
        "holds agents to one folder by their tools, in no container: memory and processors are not limited"
    ),
    Limit("answers a challenger's experiments with its own message that they are withheld"),
    Limit("replaces no pair: one that fails before its first action is excluded"),
    Limit("starts no session again, also where Inspect would retry: one that broke off stays unresolved"),
    Limit("chains the receipts of starts, not Inspect's logs, whose digests are noted when scoring opens"),
)

#: Target -> what it cannot honour. A new target is one row, and one emitter.
LIMITS: dict[str, tuple[Limit, ...]] = {
    "dcp-harness": (
        *_HARNESS,
        Limit("counts replaced pairs per slot by its own command; run_audit.py holds the registered total"),
    ),
    "inspect": _INSPECT,
    "snakemake": (
        *_HARNESS,
        Limit("needs one file system with file locks, at one place, for all machines"),
        Limit("runs both branches of a pair in one job, in their drawn order"),
        Limit("runs replacements of pairs one after another, in the job that ends a phase"),
    ),
}


def target_diagnostics(reg: TypedRegistration, targets: Iterable[str]) -> list[Diagnostic]:
    """The findings of the given targets: one per thing that is asked for in vain, one with all the rest."""
    return [found for target in targets for found in _of_target(reg, target)]


def _of_target(reg: TypedRegistration, target: str) -> Iterator[Diagnostic]:
    for limit, path in asked_in_vain(reg, target):
        yield CANNOT.found(
            reg.source,
            reg.span(path),
            f"{target} {limit.does}, but {short_name(path)} is {value_text(reg.value(path))}",
            label=f"not honoured by {target}",
            help="change the registration, or run it on a target that honours this",
        )
    yield ALWAYS.found(
        reg.source,
        reg.span(INTERFACE),
        f"what {target} does its own way, whatever is registered",
        label=f"compiled for {target}",
        notes=tuple(f"it {does}" for does in always(target)),
    )


def asked_in_vain(reg: TypedRegistration, target: str) -> list[tuple[Limit, str]]:
    """The limits of a target that the registration runs into, each with the field that asks."""
    rows = ((limit, limit.asks(reg) if limit.asks else "") for limit in LIMITS[target])
    return [(limit, path) for limit, path in rows if path]


def always(target: str) -> list[str]:
    """What a target does otherwise for every registration."""
    return [limit.does for limit in LIMITS[target] if limit.asks is None]


def targets_document(reg: TypedRegistration) -> dict[str, Any]:
    """`runner/targets.json`: the limits of every target, whichever ones files were written for."""
    return {"schema": SCHEMA, "targets": {target: _row(reg, target) for target in LIMITS}}


def _row(reg: TypedRegistration, target: str) -> dict[str, Any]:
    cannot = [
        {"field": path, "registered": json_value(reg.value(path)), "target": limit.does}
        for limit, path in asked_in_vain(reg, target)
    ]
    return {"cannot": cannot, "always": always(target)}
