"""The local page's server: what it answers, and everything that it refuses."""

from __future__ import annotations

import http.client
import json
import socket
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from page import project, served

from dcp_lang.driver import check_text
from dcp_lang.serve.answers import characters, units
from dcp_lang.serve.files import Files
from dcp_lang.serve.server import HOST, MAX_REQUEST, Server
from dcp_lang.workspace import DiskWorkspace

NAME = "registration.dcp"


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    folder = project(tmp_path_factory.mktemp("serve"))
    (folder.parent / "outside.dcp").write_text("dcp 1\n", encoding="utf-8")
    (folder / "link.dcp").symlink_to(folder.parent / "outside.dcp")
    (folder / ".hidden.dcp").write_text("dcp 1\n", encoding="utf-8")
    with served(folder) as found:
        yield found


def _own(server: Server, **changes: str | None) -> dict[str, str]:
    """The headers of the server's own page, some of them changed or left out."""
    own = {"Origin": server.address.rstrip("/"), "X-Dcpc": "1", "Content-Type": "application/json"}
    return {k.replace("_", "-"): v for k, v in (own | changes).items() if v is not None}


def _send(server: Server, method: str, path: str, body: bytes, headers: dict[str, str]) -> tuple[int, bytes]:
    connection = http.client.HTTPConnection(HOST, server.server_port, timeout=20)
    connection.request(method, path, body, headers)
    reply = connection.getresponse()
    data = reply.read()
    connection.close()
    return reply.status, data


def _ask(server: Server, kind: str, **request: Any) -> tuple[int, Any]:
    status, data = _send(server, "POST", f"/api/{kind}", json.dumps(request).encode(), _own(server))
    return status, json.loads(data) if status == 200 else data.decode()


def _text(server: Server) -> str:
    return str(_ask(server, "open", name=NAME)[1]["text"])


def test_it_listens_on_this_machine_only(server: Server) -> None:
    assert server.socket.getsockname()[0] == "127.0.0.1" and server.socket.family == socket.AF_INET


def test_only_the_registrations_of_the_folder_are_served(server: Server) -> None:
    assert _ask(server, "files")[1]["files"] == [NAME]
    for name in ("../outside.dcp", "link.dcp", ".hidden.dcp", "task.py", "/etc/passwd", "", "x/../" + NAME):
        for kind in ("open", "save", "check"):
            assert _ask(server, kind, name=name, text="dcp 1\n")[0] == 404, (kind, name)
    for path in ("/../pyproject.toml", "/task.py", "/registration.dcp", "/static/page.html", "/api/open"):
        assert _send(server, "GET", path, b"", {})[0] == 404
    assert (server.files.root.parent / "outside.dcp").read_text(encoding="utf-8") == "dcp 1\n"


def test_a_single_file_is_served_alone(tmp_path: Path) -> None:
    (tmp_path / "a.dcp").write_text("dcp 1\n", encoding="utf-8")
    (tmp_path / "b.dcp").write_text("dcp 1\n", encoding="utf-8")
    files = Files(tmp_path / "a.dcp")
    assert files.names() == ["a.dcp"]
    with pytest.raises(KeyError):
        files.read("b.dcp")


@pytest.mark.parametrize(
    "changes",
    [
        {"Host": "evil.example"},
        {"Host": "evil.example:80"},
        {"Origin": "http://evil.example"},
        {"Origin": "null"},
        {"Origin": None},
        {"X_Dcpc": None, "X-Dcpc": None},
        {"Sec_Fetch_Site": "cross-site"},
    ],
)
def test_other_pages_are_refused(server: Server, changes: dict[str, str | None]) -> None:
    body = json.dumps({"name": NAME, "text": "gone"}).encode()
    before = _text(server)
    assert _send(server, "POST", "/api/save", body, _own(server, **changes))[0] == 403
    assert _text(server) == before


def test_the_page_itself_is_refused_under_another_name(server: Server) -> None:
    assert _send(server, "GET", "/", b"", {"Host": "evil.example"})[0] == 403
    assert _send(server, "GET", "/", b"", {"Host": f"localhost:{server.server_port}"})[0] == 200


def test_a_request_that_is_too_large_is_refused_unread(server: Server) -> None:
    headers = _own(server, Content_Length=str(MAX_REQUEST + 1))
    assert _send(server, "POST", "/api/check", b"", headers)[0] == 413
    body = json.dumps({"name": NAME, "text": "# " + "δ" * (256 * 1024 - 2)}).encode()
    assert len(body) <= MAX_REQUEST and _send(server, "POST", "/api/check", body, _own(server))[0] == 200


@pytest.mark.parametrize(
    ("body", "status"), [(b"{", 400), (b"[]", 400), (b"[" * 90_000, 400), (b'{"name": 1}', 400), (b"{}", 404)]
)
def test_a_malformed_request_is_refused(server: Server, body: bytes, status: int) -> None:
    assert _send(server, "POST", "/api/check", body, _own(server))[0] == status


def test_the_page_may_load_nothing_from_elsewhere(server: Server) -> None:
    connection = http.client.HTTPConnection(HOST, server.server_port, timeout=20)
    connection.request("GET", "/")
    policy = connection.getresponse().headers["Content-Security-Policy"]
    connection.close()
    assert (
        "default-src 'none'" in policy
        and "script-src 'self';" in policy
        and "frame-ancestors 'none'" in policy
    )


def test_findings_are_those_of_the_command_line(server: Server) -> None:
    text = _text(server).replace("ε = δ_min / 100", "ε = 0.6").replace("title =", "titel =")
    found = _ask(server, "check", name=NAME, text=text)[1]
    expected = check_text(NAME, text, DiskWorkspace(str(server.files.root)))
    assert [(f["code"], f["message"]) for f in found["findings"]] == [(d.code, d.message) for d in expected]
    assert not found["sound"]
    unknown = next(f for f in found["findings"] if f["code"] == "E101")
    assert unknown["fixes"][0]["edits"] == [{"from": unknown["from"], "to": unknown["to"], "insert": "title"}]


def test_the_plan_and_the_document_follow_the_text(server: Server) -> None:
    text = _text(server).replace("episodes = 96", "episodes = auto")
    plan = _ask(server, "plan", name=NAME, text=text)[1]
    assert plan["plan"]["recovery"]["episodes"]["used"] == 90 and plan["curve"].startswith("<svg")
    wider = _ask(server, "plan", name=NAME, text=text.replace("ρ = 5%", "ρ = 6%"))[1]
    # ln(0.01) / ln(0.94) = 74.4
    assert wider["plan"]["recovery"]["episodes"]["used"] == 75
    page = _ask(server, "document", name=NAME, text=text)[1]
    assert page["sha256"] in page["html"]
    assert _ask(server, "document", name=NAME, text=text.replace("title", "titel"))[1] == {}


def test_layout_completion_and_hover_are_the_editors(server: Server) -> None:
    text = "dcp 1\nregistration a : core {\n mode=prospective # 😀\n  \n}\n"
    edits = _ask(server, "format", name=NAME, text=text)[1]["edits"]
    assert [e["insert"] for e in edits] and edits[0]["from"] > 0
    at = units(text, text.index("\n}"))
    offers = _ask(server, "complete", name=NAME, text=text, at=at)[1]
    assert offers["from"] == at and "thresholds" in [o["label"] for o in offers["options"]]
    said = _ask(server, "hover", name=NAME, text=text, at=text.index("mode"))[1]
    assert "precedes the target run" in said["text"]
    assert _ask(server, "hover", name=NAME, text=text, at=-1)[0] == 400


def test_what_is_saved_is_what_is_opened(tmp_path: Path) -> None:
    (tmp_path / "a.dcp").write_text("dcp 1\n", encoding="utf-8")
    with served(tmp_path) as server:
        assert _ask(server, "save", name="a.dcp", text="dcp 1\n# δ\n") == (200, {})
        assert _ask(server, "open", name="a.dcp") == (200, {"text": "dcp 1\n# δ\n"})


def test_a_file_keeps_its_crlf_line_ends_though_the_page_has_none(tmp_path: Path) -> None:
    (tmp_path / "a.dcp").write_bytes(b"dcp 1\r\n# a\r\n")
    with served(tmp_path) as server:
        assert _ask(server, "save", name="a.dcp", text="dcp 1\n# b\n") == (200, {})
    assert (tmp_path / "a.dcp").read_bytes() == b"dcp 1\r\n# b\r\n"


def test_what_is_open_outlives_its_file(tmp_path: Path) -> None:
    path = tmp_path / "a.dcp"
    path.write_text("dcp 1\n", encoding="utf-8")
    with served(tmp_path) as server:
        assert _ask(server, "open", name="a.dcp")[0] == 200
        path.unlink()
        assert _ask(server, "open", name="a.dcp") == (404, "there is no `a.dcp` here\n")
        assert _ask(server, "check", name="a.dcp", text="dcp 1\n")[0] == 200
        assert _ask(server, "files")[1]["files"] == []
        assert _ask(server, "save", name="a.dcp", text="dcp 1\n# a\n")[0] == 200
        assert path.read_text(encoding="utf-8") == "dcp 1\n# a\n"
        path.unlink()
        path.symlink_to(tmp_path / "b.dcp")
        assert _ask(server, "save", name="a.dcp", text="")[0] == 404
        assert not (tmp_path / "b.dcp").exists()


def test_a_folder_that_has_become_a_link_is_not_followed(tmp_path: Path) -> None:
    (tmp_path / "out").mkdir()
    (tmp_path / "root" / "in").mkdir(parents=True)
    for folder in ("out", "root/in"):
        (tmp_path / folder / "a.dcp").write_text("dcp 1\n", encoding="utf-8")
    with served(tmp_path / "root") as server:
        assert _ask(server, "open", name="in/a.dcp")[0] == 200
        (tmp_path / "root" / "in").rename(tmp_path / "root" / "was")
        (tmp_path / "root" / "in").symlink_to(tmp_path / "out")
        for kind in ("open", "save"):
            assert _ask(server, kind, name="in/a.dcp", text="gone")[0] == 404
    assert (tmp_path / "out" / "a.dcp").read_text(encoding="utf-8") == "dcp 1\n"


@pytest.mark.parametrize(
    ("text", "offset", "at"), [("😀b", 1, 2), ("δb", 1, 1), ("a😀", 2, 3), ("😀😀b", 2, 4)]
)
def test_offsets_of_the_page_count_code_units(text: str, offset: int, at: int) -> None:
    assert units(text, offset) == at and characters(text, at) == offset


def test_half_of_a_character_is_its_start_and_behind_the_text_is_its_end() -> None:
    assert [characters("a😀b", at) for at in (0, 1, 2, 3, 4, 99)] == [0, 1, 1, 2, 3, 3]
