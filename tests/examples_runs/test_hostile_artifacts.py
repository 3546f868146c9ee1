"""Whatever an agent commits, the private verifier decides: a crash would leave the whole audit unresolved."""

import pytest

HOSTILE = [b"", b"\xff\xfe\xff", b"[" * 100_000, b"NaN", b"null", b'{"a": 1e999}', b"1" * 5_000]


@pytest.mark.parametrize("case", ["catalyst", "device", "knapsack", "affine"])
@pytest.mark.parametrize("data", HOSTILE, ids=range(len(HOSTILE)))
def test_hostile_bytes_are_an_invalid_artifact(request, tmp_path, case, data):
    example = request.getfixturevalue(case)
    (tmp_path / example.task.artifact).write_bytes(data)
    assert not example.score(tmp_path).valid
