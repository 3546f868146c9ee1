"""The page in a real browser: type, see the finding, press the fix, see n change."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

from browser import axe_source
from page import browser_page, project, served

ROOT = Path(__file__).resolve().parents[2]
BUNDLE = ROOT / "dcp_lang" / "serve" / "static" / "editor.js"


def test_type_see_the_finding_press_the_fix_and_see_n_change(tmp_path: Path) -> None:
    folder = project(tmp_path)
    path = folder / "registration.dcp"
    text = path.read_text(encoding="utf-8").replace("episodes = 96", "episodes = auto")
    path.write_text(text.replace("    ρ = 5%\n", "    ρ = 6%\n"), encoding="utf-8")
    with served(folder) as server, browser_page(server.address) as page:
        used = page.locator("#plan tbody tr:first-child td.used")
        used.wait_for()
        assert used.inner_text() == "75"
        # Type a slip, see it named.
        # By its text, on a page that shows it: arrow keys aim by pixels, which hints that arrive meanwhile move.
        page.set_viewport_size({"width": 1300, "height": 2500})
        page.locator(".cm-line", has_text="ρ = 6%").click()
        page.keyboard.press("Home")
        page.keyboard.press("Shift+End")
        page.keyboard.type("rhoo = 5%")
        finding = page.locator("#list li.error", has_text="rhoo").first
        finding.wait_for()
        assert "error" in page.locator("#status").inner_text()
        # Press its fix, see the number move.
        finding.get_by_role("button", name=re.compile("write")).click()
        page.locator("#plan:not(.stale) td.used", has_text="90").wait_for()
        assert used.inner_text() == "90"
        assert page.locator(".hint", has_text="= 90").count() == 1
        assert "error" not in page.locator("#status").inner_text()
        page.locator("#save").click()
        page.locator("#save[disabled]").wait_for()
    assert "\n    rho = 5%\n" in path.read_text(encoding="utf-8")


def test_a_file_that_is_gone_is_told_and_another_is_never_saved_in_its_place(tmp_path: Path) -> None:
    folder = project(tmp_path)
    (folder / "b.dcp").write_bytes(b"dcp 1\r\n# b\r\n")
    with served(folder) as server, browser_page(server.address) as page:
        status, chosen = page.locator("#status"), page.locator("#files")
        chosen.select_option("b.dcp")
        page.locator(".cm-line", has_text="# b").wait_for()
        (folder / "registration.dcp").unlink()
        chosen.select_option("registration.dcp")
        page.get_by_text("there is no `registration.dcp` here").wait_for()
        assert chosen.input_value() == "b.dcp" and "error" in str(status.get_attribute("class"))
        page.locator(".cm-line", has_text="# b").click()
        page.keyboard.press("End")
        page.keyboard.type("c")
        page.locator("#save").click()
        page.locator("#save[disabled]").wait_for()
    assert not (folder / "registration.dcp").exists()
    assert (folder / "b.dcp").read_bytes() == b"dcp 1\r\n# bc\r\n"


def test_findings_on_their_way_do_not_hide_what_failed_meanwhile(tmp_path: Path) -> None:
    folder = project(tmp_path)
    held: list[Any] = []
    (folder / "b.dcp").write_bytes(b"dcp 1\r\n# b\r\n")
    with served(folder) as server, browser_page(server.address) as page:
        page.locator("#status.ok, #status.warning, #status.error").wait_for()
        page.route("**/check", lambda route: held.append(route))
        page.locator("#files").select_option("b.dcp")
        page.locator(".cm-line", has_text="# b").wait_for()
        (folder / "registration.dcp").unlink()
        page.locator("#files").select_option("registration.dcp")
        page.get_by_text("there is no `registration.dcp` here").wait_for()
        held[0].continue_()
        page.locator("#list li.error").first.wait_for()
        assert page.locator("#status").inner_text() == "there is no `registration.dcp` here"


def test_of_very_many_findings_the_first_are_listed_and_all_are_marked(tmp_path: Path) -> None:
    lines = "".join(f"  fild_{i} = {i}\n" for i in range(300))
    (tmp_path / "a.dcp").write_text(f"dcp 1\nregistration a : core {{\n{lines}}}\n", encoding="utf-8")
    with served(tmp_path) as server, browser_page(server.address) as page:
        rest = page.locator("#list li", has_text="more, marked in the source")
        rest.wait_for()
        listed, errors = page.locator("#list li.error").count(), page.locator("#status").inner_text()
        assert listed == 200 and errors == f"{200 + int(rest.inner_text().split()[1])} errors"


def test_the_document_stands_beside_the_source(tmp_path: Path) -> None:
    with served(project(tmp_path)) as server, browser_page(server.address) as page:
        page.get_by_role("tab", name="Document").click()
        title = page.frame_locator("#frame").get_by_role("heading", name="Feedback-found partial indexes")
        title.wait_for()
        assert title.count() == 1


def test_the_page_asks_no_other_host_and_is_accessible(tmp_path: Path) -> None:
    with served(project(tmp_path)) as server, browser_page("about:blank", bypass_csp=True) as page:
        hosts: set[str] = set()
        page.on("request", lambda request: hosts.add(request.url.split("/")[2]))
        faults: list[str] = []
        page.on("pageerror", lambda error: faults.append(str(error)))
        for scheme, width in (("light", 1300), ("dark", 1300), ("light", 390)):
            page.emulate_media(color_scheme=scheme)
            page.set_viewport_size({"width": width, "height": 850})
            page.goto(server.address)
            page.locator("#plan td.used").first.wait_for()
            assert page.evaluate("document.documentElement.scrollWidth") <= width
            page.evaluate(axe_source())
            found = page.evaluate("axe.run(document, {runOnly: ['wcag2a', 'wcag2aa']})")
            nodes = [(v["id"], n["html"][:150]) for v in found["violations"] for n in v["nodes"]]
            # The editor's scrolling part needs no focus of its own: the text inside it takes the keys.
            assert [(rule, html) for rule, html in nodes if "cm-scroller" not in html] == []
        assert faults == [] and hosts == {server.address.split("/")[2]}


def test_the_bundle_carries_the_licences_of_what_is_in_it() -> None:
    head = BUNDLE.read_text(encoding="utf-8").partition("*/")[0]
    for package in ("@codemirror/state", "@codemirror/view", "@codemirror/autocomplete", "@lezer/common"):
        assert re.search(rf"^{re.escape(package)} \d+\.\d+\.\d+$", head, re.MULTILINE), package
    assert head.count("Permission is hereby granted") >= 8
