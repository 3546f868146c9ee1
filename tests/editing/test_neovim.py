"""Neovim with the files of `editors/vim`: it starts the server, colours, indents and formats."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

VIM = Path(__file__).resolve().parents[2] / "editors" / "vim"
TEXT = """dcp 1
registration a : core {
  title = "😀", mode = prospektive
  baseline zero { artifact = file("b.json"), score = 0 }
  require 0 <= score(zero)
}
"""
_SCRIPT = """
local function wait(ready) return vim.wait(20000, ready, 20) end
local found = {}
wait(function() return #vim.lsp.get_active_clients() > 0 end)
wait(function() return #vim.diagnostic.get(0) > 0 end)
for _, d in ipairs(vim.diagnostic.get(0)) do
  table.insert(found, { d.code or (d.user_data and d.user_data.lsp.code), d.lnum, d.col, d.message })
end
vim.api.nvim_win_set_cursor(0, { 5, 22 })
local params = vim.lsp.util.make_position_params()
local hover = vim.lsp.buf_request_sync(0, 'textDocument/hover', params, 10000)
vim.lsp.buf.rename('naught')
wait(function() return vim.fn.getline(5):find('naught') ~= nil end)
local renamed = { vim.fn.getline(4), vim.fn.getline(5) }
vim.lsp.buf.formatting_sync(nil, 10000)
local function kind(line, column)
  return vim.fn.synIDattr(vim.fn.synID(line, column, 1), 'name')
end
local said = {}
for _, reply in pairs(hover) do table.insert(said, reply.result and reply.result.contents.value or '') end
local answer = {
  found = found, hover = said, renamed = renamed, lines = vim.fn.getline(1, '$'),
  kinds = { kind(1, 1), kind(3, 3), kind(3, 12), kind(2, 1) }, filetype = vim.bo.filetype,
  omnifunc = vim.bo.omnifunc,
}
vim.fn.writefile({ vim.fn.json_encode(answer) }, vim.env.DCP_ANSWER)
vim.cmd('qa!')
"""


def _run(tmp_path: Path, script: str, text: str = TEXT) -> Any:
    command = shutil.which("nvim")
    if command is None:
        pytest.skip("no Neovim: install neovim")
    path, answer = tmp_path / "a.dcp", tmp_path / "answer.json"
    path.write_text(text, encoding="utf-8")
    (tmp_path / "b.json").write_text("{}", encoding="utf-8")
    (tmp_path / "script.lua").write_text(script, encoding="utf-8")
    server = json.dumps([sys.executable, "-m", "dcp_lang", "lsp"])
    start = ["--clean", "--headless", "--cmd", f"set rtp^={VIM}", "--cmd", f"let g:dcpc_command = {server}"]
    start += ["--cmd", "filetype plugin indent on", "--cmd", "syntax on"]
    done = subprocess.run(
        [command, *start, str(path), "-c", f"luafile {tmp_path / 'script.lua'}"],
        env={**os.environ, "DCP_ANSWER": str(answer), "XDG_STATE_HOME": str(tmp_path)},
        capture_output=True,
        timeout=120,
        check=False,
    )
    assert answer.exists() and done.stderr == b"", done.stderr.decode()
    return json.loads(answer.read_text(encoding="utf-8"))


def test_neovim_shows_findings_and_hovers_renames_formats_and_colours(tmp_path: Path) -> None:
    answer = _run(tmp_path, _SCRIPT)
    assert answer["filetype"] == "dcp" and answer["omnifunc"] == "v:lua.vim.lsp.omnifunc"
    unknown = next(row for row in answer["found"] if "prospektive" in row[3])
    # Neovim counts bytes: the emoji has four, before it stand `  title = "`, after it `", mode = `.
    assert unknown[1:3] == [2, len('  title = "😀", mode = '.encode())]
    assert any("baseline.name" in text for text in answer["hover"])
    assert "baseline naught {" in answer["renamed"][0] and "score(naught)" in answer["renamed"][1]
    assert answer["lines"][2:4] == ['  title = "😀"', "  mode = prospektive"]
    assert answer["kinds"] == ["dcpKeyword", "", "dcpString", "dcpBlock"]


def test_vim_indents_as_the_formatter_does(tmp_path: Path) -> None:
    script = """
    vim.cmd('silent normal! gg=G')
    vim.fn.writefile({ vim.fn.json_encode(vim.fn.getline(1, '$')) }, vim.env.DCP_ANSWER)
    vim.cmd('qa!')
    """
    laid_out = (VIM.parents[1] / "examples" / "device" / "registration.dcp").read_text(encoding="utf-8")
    wanted = laid_out.rstrip("\n").split("\n")
    flat = "\n".join(line.strip() for line in wanted) + "\n"
    got = _run(tmp_path, script, flat)
    # Lines inside a text of several lines are the author's own.
    inside = False
    for line, want in zip(got, wanted, strict=True):
        assert inside or line == want
        inside ^= want.count('"""') % 2 == 1


def test_vim_colours_every_word_of_the_grammar(tmp_path: Path) -> None:
    script = """
    local kinds = {}
    for line = 1, vim.fn.line('$') do
      table.insert(kinds, vim.fn.synIDattr(vim.fn.synID(line, 1, 1), 'name'))
    end
    vim.fn.writefile({ vim.fn.json_encode(kinds) }, vim.env.DCP_ANSWER)
    vim.cmd('qa!')
    """
    wanted = dict.fromkeys(("and", "or", "not", "in", "contains", "on", "within"), "dcpOperatorWord")
    wanted |= {"require": "dcpKeyword", "when": "dcpKeyword", "thresholds": "dcpBlock", "5%": "dcpNumber"}
    # Part of a longer word, with Greek letters too, is no word of the grammar.
    wanted |= {"inε": "", "contains_1": "", "δ_in": ""}
    assert dict(zip(wanted, _run(tmp_path, script, "\n".join(wanted)), strict=True)) == wanted
