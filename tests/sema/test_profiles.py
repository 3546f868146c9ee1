"""Profiles: an authority's rules, defaults and its word on waivers, in the same language."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from bases import Files, base, compilation, findings
from literate import patched

from dcp_lang.diagnostics.model import Diagnostic, Sink
from dcp_lang.driver import Compilation
from dcp_lang.language.values import Material
from dcp_lang.resources import profile_names, profile_text
from dcp_lang.sema.profile import Profile, read_profile
from dcp_lang.source import SourceFile
from dcp_lang.syntax import MAX_BYTES
from dcp_lang.workspace import DiskWorkspace

#: Ten rules that an authority might write, and the change to a sound registration that each of them refuses.
RULES = {
    'require ρ <= 4% else "at most a 4% recovery bound"': "- ρ          = 5%\n+ ρ          = 4.000000000001%",
    "require episodes >= 96 when grade == evidence": "- best_of           = 1\n+ best_of           = 1",
    'require policy.neutral.preserves contains length within 5% else "closer in length"': "",
    'require subject == autonomous_agent else "agents alone"': (
        "- subject = autonomous_agent\n+ subject = human_agent"
    ),
    "require family.audits == 1 and family.alpha <= 4%": "",
    "require model.interface.execution == docker and model.tools contains experiment": "",
    'require budget.session.cost <= 9.99 USD else "sessions below 10 USD"': "",
    'require cost <= 2_000 USD else "audits up to 2,000 USD"': "",
    "require n.null_pairs >= 1.75 * n.pairs": "",
    'require x >= 1.5 * score(b) + 1 else "a target far above the baseline"': "",
}


def authority(*lines: str) -> dict[str, str]:
    """The profile of an authority as a file."""
    body = "".join(f"  {line}\n" for line in lines)
    return {"authority.dcp": f'dcp 1\n\nprofile "authority/2026" {{\n{body}}}\n'}


def using(text: str) -> str:
    """A source that uses the authority's profile."""
    return text.replace("dcp 1\n", 'dcp 1\nuse file("authority.dcp")\n', 1)


def check(text: str, *lines: str) -> list[Diagnostic]:
    """The findings of a source under an authority's rules."""
    return findings(using(text), authority(*lines))


@pytest.mark.parametrize("rule", RULES)
def test_each_authority_rule_refuses_alone_and_names_itself(rule: str) -> None:
    text = patched(base("evidence"), RULES[rule])
    together = {d.message: d.notes for d in check(text, *RULES) if d.code == "E902"}
    (found,) = (d for d in check(text, rule) if d.code == "E902")
    assert found.message.startswith("authority/2026: ")
    assert found.notes[0].startswith("have ") and ", need " in found.notes[0]
    line = 4 + list(RULES).index(rule)
    assert together[found.message][1] == f"rule of the profile `authority/2026`, line {line}"


def test_ten_rules_are_met_together_by_a_registration_made_for_them() -> None:
    text = patched(
        base("evidence"),
        """\
- ρ          = 5%
+ ρ          = 4%
- recovery = 1%
+ recovery = 1.5%
- evidence = 1%
+ evidence = 0.75%
- sham     = 1%
+ sham     = 0.75%
- episodes          = 90
+ episodes          = 103
- candidates        = 134
+ candidates        = auto
- pairs      = 22
+ pairs      = auto
- null_pairs = 33
+ null_pairs = 45
- preserves = [timing, schema, length within 10%]
+ preserves = [timing, schema, length within 5%]
- family  = family("base-family", audits = 1, alpha = 5%)
+ family  = family("base-family", audits = 1, alpha = 4.5%)
- errors 5% {
+ errors 4.5% {
- main     = 0.5%
+ main     = 0.25%
- score    = 0.5%
+ score    = 0.25%
- tools     = [read, write, edit, web]
+ tools     = [read, write, edit, web, experiment]
- cost   = 10 USD
+ cost   = 5 USD
- score    = 0.25
+ score    = 0
""",
    )
    rules = [
        rule.replace("family.alpha <= 4%", "family.alpha <= 4.5%") for rule in RULES if "x >=" not in rule
    ]
    assert check(text, *rules) == []


def test_a_finding_points_at_what_the_author_wrote() -> None:
    (found,) = check(base("evidence"), 'require family.alpha <= 4% else "families of 4%"')
    assert found.source.text[slice(*found.span)].startswith("family  = family(")
    assert found.label == "have family.alpha = 0.05"
    assert found.notes[0] == "have family.alpha = 0.05, need family.alpha <= 0.04"


def test_defaults_are_marked_and_yield_to_what_is_declared() -> None:
    lines = "default errors.neutral = 0.25%", "default gate.feedback.valid_rate = 90%"
    text = patched(base("evidence"), "- neutral  = 0.5%\n- errors 5% {\n+ errors 4.75% {")
    found = compilation(using(text), authority(*lines))
    assert found.analysis is not None
    entries = found.analysis.registration.entries
    assert [d.code for d in found.diagnostics] == ["E103"] or entries["errors.neutral"].origin == "profile"
    assert entries["gate.feedback.valid_rate"].origin == "profile"
    declared = compilation(using(base("evidence")), authority(*lines)).analysis
    assert declared is not None and declared.registration.entries["errors.neutral"].origin == "declared"


def test_an_authority_may_forbid_waivers() -> None:
    text = patched(
        base("core"),
        "- lattice    = 1/7\n- policy challenger {\n"
        '+ allow W203 because "measured scores"\n+ policy challenger {',
    )
    assert findings(text) == []
    refused = check(text, "waivers = forbidden")
    assert [d.code for d in refused] == ["W203", "E903"]
    assert "authority/2026" in refused[1].message
    assert check(text, "waivers = allowed") == []


def test_waivers_are_recorded_with_their_reason() -> None:
    text = patched(
        base("core"),
        "- positive_controls = 24\n+ positive_controls = 2\n"
        '- policy challenger {\n+ allow E303 because "to show it"\n+ policy challenger {',
    )
    (waiver,) = compilation(text).waivers
    assert (waiver.code, waiver.name, waiver.reason) == ("E303", "too-few-positive-controls", "to show it")
    assert waiver.message.startswith("2 controls can never prove")


def test_faults_of_a_profile_are_found_in_its_own_source() -> None:
    lines = (
        "require rhoo <= 5%",
        "default errors.nil = 1%",
        "waivers = maybe",
        "title = 1",
        "gate recovery { }",
    )
    found = check(base("core"), *lines)
    assert [(d.source.name, d.code, d.source.position(d.span.start).line) for d in found] == [
        ("authority.dcp", "E101", 4),
        ("authority.dcp", "E101", 5),
        ("authority.dcp", "E109", 6),
        ("authority.dcp", "E109", 7),
        ("authority.dcp", "E109", 8),
    ]


def test_the_kernels_floors_hold_whether_named_or_not() -> None:
    text = patched(base("core"), "- ρ     = 5%\n+ ρ     = 6%")
    named = text.replace("dcp 1\n", 'dcp 1\nuse "dcp.kernel/2"\n', 1)
    assert [d.code for d in findings(text)] == [d.code for d in findings(named)] == ["E902"]


def test_a_profile_is_pinned_by_its_normal_form() -> None:
    def digest(text: str) -> str:
        analysis = compilation(using(base("core")), {"authority.dcp": text}).analysis
        assert analysis is not None
        return analysis.registration.resolved.profiles[1].sha256

    plain = authority("require ρ <= 5%")["authority.dcp"]
    spaced = plain.replace("  require", "# a comment\n\n      require").replace("ρ", "rho")
    other = plain.replace("5%", "4%")
    assert digest(plain) == digest(spaced) != digest(other)


def test_the_profile_of_the_guide_is_sound() -> None:
    guide = (Path(__file__).parents[2] / "docs" / "authority" / "profiles.md").read_text(encoding="utf-8")
    (profile,) = re.findall(r"^```dcp\n(.*?)^```$", guide, re.M | re.S)
    found = findings(using(base("evidence")), {"authority.dcp": profile})
    refused = [d.message for d in found if d.code == "E902"]
    assert len(refused) == len(found) == 3 and all("example-authority/2026" in m for m in refused)


@pytest.mark.parametrize("name", profile_names())
def test_shipped_profiles_are_sound_and_their_rules_apply(name: str) -> None:
    text = base("evidence").replace("dcp 1\n", f'dcp 1\nuse "{name}"\n', 1)
    assert {d.source.name for d in findings(text)} <= {"registration.dcp"}
    assert "require" in profile_text(name)


def test_the_digest_of_a_profile_is_that_of_what_it_says_not_of_its_layout() -> None:
    def profile(text: str) -> Profile:
        found = read_profile(SourceFile("authority.dcp", text), Sink())
        assert found is not None
        return found

    plain = profile('dcp 1\nprofile "a/1" {\n  require rho <= 4% else "low"\n  default epsilon = 0.1\n}\n')
    airy = 'dcp 1\n# why\n\n\nprofile "a/1" {\n\n  require   ρ<=4%  else "low" # so\n\n  default ε = 0.1 }'
    assert (profile(airy).text, profile(airy).sha256) == (plain.text, plain.sha256)
    assert profile(plain.text).text == plain.text  # a normal form is its own
    assert profile(plain.text.replace("4%", "5%")).sha256 != plain.sha256


@pytest.mark.parametrize(("more", "found"), [(0, []), (1, ["E901"])])
def test_a_profile_file_is_as_large_as_a_source_may_be(tmp_path: Path, more: int, found: list[str]) -> None:
    """To the last byte; a larger one is not read at all."""
    rules = b'dcp 1\nprofile "authority/1" {\n  require episodes >= 1\n}\n#'
    (tmp_path / "authority.dcp").write_bytes(rules + b"x" * (MAX_BYTES + more - len(rules)))
    text = base("core").replace("dcp 1\n", 'dcp 1\nuse file("authority.dcp")\n', 1)
    made = Compilation(SourceFile("r.dcp", text), Beside(tmp_path))
    assert [d.code for d in made.diagnostics if d.is_error] == found


class Beside(Files):
    """Every file is there; profiles are read from a folder."""

    def __init__(self, folder: Path) -> None:
        super().__init__()
        self.disk = DiskWorkspace(str(folder))

    def material(self, path: str, folder: bool) -> Material:
        is_profile = path == "authority.dcp"
        return self.disk.material(path, folder) if is_profile else super().material(path, folder)

    def bytes(self, path: str) -> bytes:
        return self.disk.bytes(path)


def test_what_is_used_again_is_read_once_and_its_faults_are_told_once() -> None:
    """Three uses of a file that is no profile: one finding of it, in its own source; missing ones at every use."""
    use = 'use file("no-profile.dcp")\n'
    reads: list[str] = []

    class Counting(dict[str, str]):
        def __getitem__(self, path: str) -> str:
            reads.append(path)
            return super().__getitem__(path)

    text = base("core").replace("dcp 1\n", "dcp 1\n" + 3 * use, 1)
    found = findings(text, Counting({"no-profile.dcp": "a = 1"}))
    assert [(d.code, d.source.name) for d in found] == [("E109", "no-profile.dcp")]
    assert reads == ["no-profile.dcp"]
    missing = base("core").replace("dcp 1\n", "dcp 1\n" + 3 * 'use "missing"\n', 1)
    assert [d.code for d in findings(missing)] == ["E901"] * 3


def test_a_finding_that_cannot_be_waived_is_shown_at_ten_places_to_each_waiver() -> None:
    """However many waivers name it and however often it is found."""
    fields = "".join(f"  zzz{i} = 1\n" for i in range(12))
    allows = 2 * '  allow E101 because "it is so"\n'
    text = base("core").replace("  policy challenger {", fields + allows + "  policy challenger {")
    found = findings(text)
    refused = [d for d in found if d.code == "E903"]
    assert [d.code for d in found].count("E101") == 12
    assert [len(d.labels) for d in refused] == [10, 10]
    assert [label.span for label in refused[0].labels] == [d.span for d in found if d.code == "E101"][:10]
