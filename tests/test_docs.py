"""The documentation names only what exists: files, headings, commands and their options."""

from __future__ import annotations

import doctest
import re
import shlex
from pathlib import Path

import pytest
import typer

from forgeron.cli.main import app

ROOT = Path(__file__).parent.parent
PAGES = sorted([*ROOT.glob("*.md"), *ROOT.glob("docs/**/*.md")])
_BLOCK = re.compile(r"^```.*?^```$", re.MULTILINE | re.DOTALL)
COMMANDS = typer.main.get_command(app).commands


def name_of(page: Path) -> str:
    return str(page.relative_to(ROOT))


def anchors(page: Path) -> set[str]:
    """The headings of a page as GitHub names them in links."""
    headings = re.findall(r"^#+ (.*)$", _BLOCK.sub("", page.read_text(encoding="utf-8")), re.MULTILINE)
    return {re.sub(r"[^\w\- ]", "", heading.lower()).replace(" ", "-") for heading in headings}


def command_lines(text: str) -> list[str]:
    """What stands in a page as a command: a line of a block that begins with forgeron, or such a text in backticks."""
    in_blocks = re.findall(r"^(?: {4}|\$ )?(?:\.venv/bin/)?(forgeron .*)$", text, re.MULTILINE)
    return [*in_blocks, *re.findall(r"`(forgeron [^`]*)`", _BLOCK.sub("", text))]


def words(line: str) -> list[str]:
    """The words after `forgeron`, without the remark at the end of the line."""
    return shlex.split(re.split(r"\s{2,}|\s#\s", line)[0], comments=True)[1:]


@pytest.mark.parametrize("page", PAGES, ids=name_of)
def test_every_link_leads_to_a_file_and_a_heading(page: Path) -> None:
    for target in re.findall(r"\]\(([^)\s]+)\)", _BLOCK.sub("", page.read_text(encoding="utf-8"))):
        if "://" in target:
            continue
        file, _, heading = target.partition("#")
        found = page.parent / file if file else page
        assert found.exists(), target
        assert not heading or heading in anchors(found), target


def misused(line: str) -> str | None:
    """The word of a command line that Forgeron does not know, a command or an option of it; None if all are known."""
    name, *arguments = words(line)
    if name in ("--help", "--version"):
        return None
    if name not in COMMANDS:
        return name
    own = arguments[: arguments.index("--")] if "--" in arguments else arguments
    known = {"--help", *(option for parameter in COMMANDS[name].params for option in parameter.opts)}
    return next((word for word in own if re.match(r"--?[a-z]", word) and word not in known), None)


@pytest.mark.parametrize("page", PAGES, ids=name_of)
def test_every_command_and_option_exists(page: Path) -> None:
    for line in command_lines(page.read_text(encoding="utf-8")):
        assert misused(line) is None, line


def test_a_command_with_an_option_that_does_not_exist_is_noticed() -> None:
    (line,) = command_lines("Try `forgeron play yinsh --opponent minimax` now.")
    assert misused(line) == "--opponent"
    assert misused("forgeron paly yolah") == "paly"
    assert misused("forgeron check yolah -- java --fast MyBot") is None


def test_the_code_of_the_story_runs(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("FORGERON_QUIET", "1")
    failed, run = doctest.testfile(str(ROOT / "docs" / "story.md"), module_relative=False)
    assert (failed, run > 20) == (0, True)


def test_every_page_is_in_the_menu_of_the_site() -> None:
    menu = (ROOT / "mkdocs.yml").read_text(encoding="utf-8").partition("\nnav:")[2]
    pages = {str(page.relative_to(ROOT / "docs")) for page in ROOT.glob("docs/**/*.md")}
    assert {page for page in pages if f" {page}\n" not in menu} == set()
