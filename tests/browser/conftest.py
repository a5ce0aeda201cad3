"""A real server and a real browser. Without Chromium these tests are skipped."""

from __future__ import annotations

import os
import re
import shutil
import signal
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

playwright = pytest.importorskip("playwright.sync_api", reason="browser tests need playwright: pip install playwright")
CHROMIUM = next(filter(None, map(shutil.which, ("chromium", "chromium-browser", "google-chrome"))), None)
if CHROMIUM is None:
    pytest.skip("browser tests need Chromium: apt install chromium", allow_module_level=True)

#: How long a test waits for the page: far more than it needs, for a machine that is busy with other things.
PATIENCE_MS = 60_000
playwright.expect.set_options(timeout=PATIENCE_MS)

CONNECT_FOUR = str(Path(__file__).parent.parent.parent / "examples" / "game_connect_four.py")


class Server:
    """`forgeron serve` in a process of its own; it can be killed and started again at the same port."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.port = 0
        self.process: subprocess.Popen[str] | None = None
        self.start()

    def start(self) -> None:
        command = [sys.executable, "-m", "forgeron", "serve", CONNECT_FOUR, "--no-browser", "--port", str(self.port)]
        # Workers run plain Python, so that no test waits for a compiler.
        env = {**os.environ, "FORGERON_JIT": "0"}
        self.process = subprocess.Popen(
            [*command, "--data", str(self.folder)], stdout=subprocess.PIPE, text=True, env=env
        )
        assert self.process.stdout is not None
        said = self.process.stdout.readline()
        found = re.search(r"http://localhost:(\d+)/", said)
        assert found, said
        self.port = int(found[1])

    @property
    def url(self) -> str:
        return f"http://localhost:{self.port}/"

    def kill(self) -> None:
        assert self.process is not None
        self.process.send_signal(signal.SIGKILL)
        self.process.wait()
        assert self.process.stdout is not None
        self.process.stdout.close()


@pytest.fixture(scope="session")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    running = Server(tmp_path_factory.mktemp("page"))
    yield running
    running.kill()


@pytest.fixture
def connect_four() -> str:
    """The game that the server was given besides those that come with Forgeron."""
    return CONNECT_FOUR


@pytest.fixture(scope="module")
def browser() -> Iterator[object]:
    """A browser for one file of tests: Playwright keeps an event loop in this thread, where others could run none."""
    with playwright.sync_playwright() as started:
        opened = started.chromium.launch(executable_path=CHROMIUM, args=["--no-sandbox"])
        yield opened
        opened.close()


@pytest.fixture
def new_page(browser, server: Server) -> Iterator[Callable]:
    """Opens the page as another person would; at the end no page may have written to its console."""
    contexts = []
    noise: list[str] = []

    def make(path: str = "", width: int = 1280, height: int = 860, **more):
        context = browser.new_context(viewport={"width": width, "height": height}, reduced_motion="reduce", **more)
        contexts.append(context)
        context.set_default_timeout(PATIENCE_MS)
        page = context.new_page()
        page.on("console", lambda message: noise.append(message.text))
        page.on("pageerror", lambda error: noise.append(str(error)))
        page.goto(server.url + path)
        page.noise = noise
        return page

    yield make
    for context in contexts:
        context.close()
    assert noise == []
