"""A Markdown extension for the site: links to files that are no pages become text, and doctests become code."""

from __future__ import annotations

import re
from typing import Any
from xml.etree.ElementTree import Element

from markdown import Markdown
from markdown.extensions import Extension
from markdown.preprocessors import Preprocessor
from markdown.treeprocessors import Treeprocessor

_SOURCE = re.compile(r"^(\.\./)+(src|tests|examples|benchmarks)/|\.(py|toml)$")


class SourceLinks(Treeprocessor):
    """The pages are written for a clone of the repository, where such links work."""

    def run(self, root: Element) -> None:
        for link in root.iter("a"):
            if _SOURCE.search(link.get("href", "")):
                link.tag = "span"
                link.set("title", re.sub(r"^(\.\./)+", "", link.attrib.pop("href")))


class Doctests(Preprocessor):
    """Examples in docstrings: from a line with ``>>>`` to the next empty one."""

    def run(self, lines: list[str]) -> list[str]:
        found: list[str] = []
        fenced = example = False
        for line in [*lines, ""]:
            if line.lstrip().startswith("```"):
                fenced = not fenced
            if not fenced and not example and line.startswith(">>> "):
                found += ["", "```pycon"]
                example = True
            elif example and not line.strip():
                found.append("```")
                example = False
            found.append(line)
        return found


class SiteMarkdown(Extension):
    def extendMarkdown(self, md: Markdown) -> None:
        md.preprocessors.register(Doctests(md), "doctests", 40)  # before code blocks are found
        md.treeprocessors.register(SourceLinks(md), "source_links", 15)


def makeExtension(**options: Any) -> SiteMarkdown:
    return SiteMarkdown(**options)
