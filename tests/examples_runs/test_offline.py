"""The offline runner: who is registered, and how an outcome is named."""

import pytest

from dcp_lang.integrations.load import load_file

from .table import EXAMPLES

offline = load_file(EXAMPLES / "offline.py")


@pytest.mark.parametrize("case", ["catalyst", "device", "knapsack", "affine"])
def test_only_the_model_and_the_claim_id_change_for_a_scripted_agent(case):
    before = (EXAMPLES / case / "registration.dcp").read_text()
    after = offline.for_scripted_agent(before, "player")
    model, text = _split(after)
    original_model, original = _split(before)
    assert 'reported = ["scripted-player"]' in model and "claude" not in model and "deepseek" not in model
    ((old, new),) = [pair for pair in zip(original, text, strict=True) if pair[0] != pair[1]]
    assert old.startswith('  id = "') and new == old.removesuffix('"') + '-offline"'
    assert original_model != model


def _split(text):
    """The model block, and the lines around it."""
    head, rest = text.split("  model {", 1)
    model, tail = rest.split("\n  }", 1)
    return model, [*head.splitlines(), *tail.splitlines()]


def test_a_registration_without_a_model_block_is_refused():
    with pytest.raises(AssertionError, match="one model block"):
        offline.for_scripted_agent('registration x : core {\n  id = "x"\n}\n', "player")


OUTCOMES = [
    ("certified", "certified", "", "", "Evidence"),
    ("certified", "inconclusive", "", "", "Core"),
    ("refuted", "not_tested", "core: no-feedback recovery: 1 hit", "", "recovered, Core refuted"),
    ("refuted", "not_tested", "core: Valid(A*) = false", "", "Core refuted"),
    ("inconclusive", "not_tested", "", "statistical_uncertainty", "statistical uncertainty"),
    ("inconclusive", "not_tested", "", "audit_incomplete", "audit incomplete"),
]


@pytest.mark.parametrize(("core", "evidence", "reason", "kind", "words"), OUTCOMES)
def test_outcomes_have_the_papers_names(core, evidence, reason, kind, words):
    verdict = {"core": core, "evidence": evidence, "reason": reason, "core_inconclusive_class": kind}
    assert offline.outcome(verdict) == words
