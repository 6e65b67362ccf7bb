"""The table as a web app: it can be installed, opens without a network, and is never old after an upgrade."""

from __future__ import annotations

import json
import shutil
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from importlib.resources import files
from pathlib import Path
from threading import Thread

import pytest
from playwright.sync_api import Browser, Page

from alhambra_gateway.pages.play import LIBRARY, PAGE, TYPES, WORKER_HEADERS, PlayFiles, library_folder
from tests.gateway.http import Client

from .person import PATIENCE_MS

PLAY = Path(str(files("alhambra_gateway").joinpath("play")))
CACHES = "async () => (await caches.keys()).sort()"
KEPT = """async () => (await Promise.all((await caches.keys()).map(async name =>
    (await (await caches.open(name)).keys()).map(request => new URL(request.url).pathname)))).flat()"""
REGISTER = """async () => {
    await navigator.serviceWorker.register("/play/worker.js", {scope: "/play"});
    await navigator.serviceWorker.ready;
}"""


class Site:
    """A server with the files of one version after the other, and nothing else."""

    def __init__(self) -> None:
        self.served = PlayFiles(PLAY, library_folder())
        site = self

        class Handler(BaseHTTPRequestHandler):
            def do_GET(self) -> None:
                site.answer(self)

            def log_message(self, format: str, *arguments: object) -> None:  # noqa: A002
                pass

        self.server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self.thread = Thread(target=self.server.serve_forever, daemon=True)
        self.thread.start()
        self.address = f"http://127.0.0.1:{self.server.server_address[1]}"

    def answer(self, handler: BaseHTTPRequestHandler) -> None:
        path = handler.path.partition("?")[0]
        folder, _, name = path.rpartition("/")
        if folder.endswith(f"/{LIBRARY}"):
            name = f"{LIBRARY}/{name}"
        headers = {"Cache-Control": "no-cache"}
        if path == PAGE:
            body, kind = self.served.page(), "text/html; charset=utf-8"
        elif path == f"{PAGE}/worker.js":
            body, kind, headers = self.served.worker(), TYPES["js"], WORKER_HEADERS
        elif path.startswith(PAGE) and name in self.served.names:
            body, kind = self.served.read(name), TYPES[name.rpartition(".")[2]]
        else:
            handler.send_error(404)
            return
        handler.send_response(200)
        for key, value in {**headers, "Content-Type": kind, "Content-Length": str(len(body))}.items():
            handler.send_header(key, value)
        handler.end_headers()
        handler.wfile.write(body)

    def stop(self) -> None:
        self.server.shutdown()
        self.server.server_close()
        self.thread.join()


@pytest.fixture
def site() -> Iterator[Site]:
    found = Site()
    yield found
    if found.thread.is_alive():
        found.stop()


@pytest.fixture
def page(browser: Browser) -> Iterator[Page]:
    context = browser.new_context(locale="en-GB")
    context.set_default_timeout(PATIENCE_MS)
    yield context.new_page()
    context.close()


def script_of(page: Page) -> str:
    return page.locator("script[type=module]").get_attribute("src") or ""


def test_an_upgrade_replaces_the_whole_cache_and_the_page_is_never_old(site: Site, page: Page, tmp_path: Path) -> None:
    page.goto(f"{site.address}{PAGE}")
    page.evaluate(REGISTER)
    first = site.served.version
    page.wait_for_function(f"async () => (await caches.keys()).includes('alhambra-play-{first}')")
    newer = tmp_path / "play"
    shutil.copytree(PLAY, newer)
    (newer / "words-en.json").write_text(
        (PLAY / "words-en.json").read_text("utf-8").replace('"Rules"', '"Newer rules"'), "utf-8"
    )
    site.served = PlayFiles(newer, library_folder())
    second = site.served.version
    assert second != first
    page.reload()
    assert second in script_of(page)
    page.wait_for_selector("text=Newer rules")
    page.evaluate(REGISTER)
    page.wait_for_function(f"async () => (await caches.keys()).join() === 'alhambra-play-{second}'")


def test_the_page_opens_without_a_network_and_says_so(site: Site, page: Page) -> None:
    page.goto(f"{site.address}{PAGE}")
    page.evaluate(REGISTER)
    page.wait_for_function(f"async () => (await caches.keys()).includes('alhambra-play-{site.served.version}')")
    kept = page.evaluate(KEPT)
    assert PAGE in kept
    assert not [path for path in kept if not path.startswith(PAGE)]
    site.stop()
    page.reload()
    page.wait_for_selector("text=No connection")


def test_the_manifest_names_icons_that_are_there(client: Client) -> None:
    page = client.get(PAGE).body.decode()
    address = page.partition('rel="manifest" href="')[2].partition('"')[0]
    answer = client.get(address)
    assert answer.headers["content-type"] == "application/manifest+json"
    manifest = json.loads(answer.body)
    assert manifest["start_url"] == manifest["scope"] == PAGE
    for icon in manifest["icons"]:
        found = client.get(icon["src"])
        assert (found.status, found.headers["content-type"]) == (200, icon["type"])


def test_files_with_the_version_in_their_address_may_be_kept_and_others_are_asked_anew(client: Client) -> None:
    version = PlayFiles(PLAY, library_folder()).version
    assert "immutable" in client.get(f"{PAGE}/{version}/main.js").headers["cache-control"]
    for path in (PAGE, f"{PAGE}/worker.js", f"{PAGE}/main.js", f"{PAGE}/0123456789abcdef/main.js"):
        assert client.get(path).headers["cache-control"] == "no-cache", path
    assert client.get(f"{PAGE}/worker.js").headers["service-worker-allowed"] == PAGE
