"""Grammar, profiles and templates are found; profile names are looked up, not joined to paths."""

from __future__ import annotations

import os

import pytest

from dcp_lang import resources


def test_data_folders_exist() -> None:
    assert os.path.isdir(resources.data_dir("grammar"))
    assert os.path.isdir(resources.template_dir())
    assert os.path.isfile(os.path.join(resources.package_dir(), "py.typed"))


def test_grammar_is_found() -> None:
    assert "start" in resources.grammar_text()


def test_profiles_are_found_by_name(monkeypatch: pytest.MonkeyPatch, tmp_path: object) -> None:
    folder = os.path.join(str(tmp_path), "profiles")
    os.mkdir(folder)
    for file in ("dcp.kernel-2.dcp", "example-authority-2026.dcp", ".gitkeep"):
        with open(os.path.join(folder, file), "w", encoding="utf-8") as stream:
            stream.write(f"# δ {file}\n")
    monkeypatch.setattr(resources, "data_dir", lambda name: str(tmp_path))
    resources.profile_names.cache_clear()
    resources.profile_text.cache_clear()
    assert resources.profile_names() == ("dcp.kernel/2", "example-authority/2026")
    assert resources.profile_text("dcp.kernel/2") == "# δ dcp.kernel-2.dcp\n"
    resources.profile_names.cache_clear()
    resources.profile_text.cache_clear()


@pytest.mark.parametrize("name", ["none/1", "../dcp", "", "dcp.kernel-2", "/etc/passwd"])
def test_unknown_profiles_are_refused(name: str) -> None:
    with pytest.raises(KeyError):
        resources.profile_text(name)
