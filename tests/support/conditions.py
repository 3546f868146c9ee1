"""Conditions made of comparisons, for Hypothesis."""

from __future__ import annotations

from hypothesis import strategies as st

from dcp_lang.sema.terms import Op, Term


def joined(comparisons: st.SearchStrategy[Op]) -> st.SearchStrategy[Term]:
    """Up to four comparisons under `and`, `or` and `not`."""
    return st.recursive(
        comparisons,
        lambda parts: (
            st.builds(lambda op, a, b: Op(op, (a, b)), st.sampled_from(["and", "or"]), parts, parts)
            | parts.map(lambda a: Op("not", (a,)))
        ),
        max_leaves=4,
    )
