"""One fixture per example audit."""

import pytest

from .table import Case


@pytest.fixture
def catalyst(tmp_path):
    return Case("catalyst", "chemist", tmp_path)


@pytest.fixture
def device(tmp_path):
    return Case("device", "engineer", tmp_path)


@pytest.fixture
def knapsack(tmp_path):
    return Case("knapsack", "packer", tmp_path)


@pytest.fixture
def affine(tmp_path):
    return Case("affine", "surveyor", tmp_path)
