"""Challengers draw equivalent presentations of one hidden task: another order, the same content, fixed by the key."""

import json

import pytest


@pytest.mark.parametrize(
    ("case", "name"),
    [("catalyst", "controls.json"), ("device", "controls.json"), ("knapsack", "instance.json")],
)
def test_presentations_differ_in_order_only(request, tmp_path, case, name):
    example = request.getfixturevalue(case)
    original = (example.folder / "workspace" / name).read_text()
    drawn = []
    for seed in (1, 2, 1):
        folder = tmp_path / f"presentation-{len(drawn)}"
        folder.mkdir()
        (folder / name).write_text(original)
        example.task.prepare(example.episode(folder, seed))
        drawn.append(json.loads((folder / name).read_text()))
    assert drawn[0] != drawn[1] and drawn[0] == drawn[2]
    assert _unordered(drawn[0]) == _unordered(drawn[1]) == _unordered(json.loads(original))


def _unordered(value):
    """The value with its list of controls or items sorted."""
    if isinstance(value, dict):
        return {**value, "items": _unordered(value["items"])}
    return sorted(value, key=json.dumps)
