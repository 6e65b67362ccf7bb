"""The table contributes to the shuffle by itself: it commits when a seat is taken and reveals when all seats are."""

from __future__ import annotations

import json
import re
from hashlib import sha256
from secrets import token_bytes
from typing import Any

from playwright.sync_api import Route, expect

from alhambra import verify_export
from tests.gateway.http import Client

from .conftest import Arrive
from .person import PATIENCE_MS, Person

COMMAND = re.compile(r"alhambra verify --commitment ([0-9a-f]{64}) --entropy-commitments ([0-9a-f,]+) \S+")


def fairness(client: Client, game: str) -> Any:
    return client.get(f"/v1/games/{game}").json()["view"]["fairness"]


def known(person: Person) -> Any:
    """What the browser remembers of its game."""
    text: str = person.page.evaluate("localStorage.getItem('alhambra.games')")
    return json.loads(text)[person.game]


def host_with_friend(arrive: Arrive) -> tuple[Person, str]:
    """Somebody who waits for a friend, and the invitation."""
    host = arrive().enter()
    host.seats("me", "friend")
    host.start()
    host.says("Waiting for players")
    return host, known(host)["invitations"]["1"]


def open_invitation(person: Person, game: str, invitation: str) -> None:
    person.page.goto(f"{person.base}/play#game={game}&invitation={invitation}")
    person.page.fill("[data-key=name]", "Friend")


def test_two_tables_prove_to_both_players_that_nobody_chose_the_deal(arrive: Arrive, client: Client) -> None:
    host, invitation = host_with_friend(arrive)
    friend = arrive()
    open_invitation(friend, host.game, invitation)
    friend.page.click("button[type=submit]")
    for person in (host, friend):
        assert person.wait_for("asked", "running")
    shown = fairness(client, host.game)["entropyCommitments"]
    drawn = [known(person)["seats"][str(seat)]["entropy"] for seat, person in enumerate((host, friend))]
    assert shown == [sha256(bytes.fromhex(entropy)).hexdigest() for entropy in drawn]
    token = known(friend)["seats"]["1"]["token"]
    assert client.post(f"/v1/games/{host.game}:resign", {}, {"Authorization": f"Bearer {token}"}).status == 200
    document = client.get(f"/v1/games/{host.game}/replay").json()
    assert document["fairness"]["revealed"] == [0, 1]
    for person in (host, friend):
        person.wait_for("over")
        person.page.click("[data-key='tool record']")
        command = COMMAND.search(person.page.locator("dialog pre").inner_text())
        assert command is not None
        report = verify_export(document, command[1], command[2].split(","))
        assert report.ok
        assert any(finding.good and "not even a host who plays" in finding.text for finding in report.findings)


def test_a_game_against_the_server_is_dealt_at_once(arrive: Arrive, client: Client) -> None:
    host = arrive().enter()
    host.seats("me", "random")
    host.start()
    host.wait_for("asked")
    (mine, server) = fairness(client, host.game)["entropyCommitments"]
    assert mine == sha256(bytes.fromhex(known(host)["seats"]["0"]["entropy"])).hexdigest()
    assert server == ""


def test_the_table_shows_whose_contribution_is_missing(arrive: Arrive, client: Client) -> None:
    host, invitation = host_with_friend(arrive)
    entropy = token_bytes(32)
    claim = {"invitation": invitation, "entropyCommitment": sha256(entropy).hexdigest()}
    token = client.post(f"/v1/games/{host.game}:claimSeat", claim).json()["token"]
    expect(host.page.locator(".gathering li").nth(1)).to_contain_text("still to contribute", timeout=PATIENCE_MS)
    expect(host.page.locator(".gathering li").nth(0)).not_to_contain_text("still to contribute", timeout=PATIENCE_MS)
    host.says("Everyone has joined")
    assert host.state == "waiting"
    reveal = {"entropy": entropy.hex()}
    client.post(f"/v1/games/{host.game}:revealEntropy", reveal, {"Authorization": f"Bearer {token}"})
    assert host.wait_for("asked", "running")


def test_a_seat_whose_claim_was_not_answered_is_taken_again_with_the_same_contribution(
    arrive: Arrive, client: Client
) -> None:
    host, invitation = host_with_friend(arrive)
    friend = arrive()
    sent: list[str] = []

    def lose(route: Route) -> None:
        sent.append(json.loads(route.request.post_data or "")["entropyCommitment"])
        route.fetch()
        route.abort()

    friend.page.route("**:claimSeat", lose)
    open_invitation(friend, host.game, invitation)
    friend.page.click("button[type=submit]")
    host.says("still to contribute")
    friend.page.goto("about:blank")  # while answers are still lost
    friend.page.unroute_all(behavior="ignoreErrors")
    open_invitation(friend, host.game, invitation)
    friend.page.click("button[type=submit]")
    for person in (host, friend):
        assert person.wait_for("asked", "running")
    assert set(sent) == {fairness(client, host.game)["entropyCommitments"][1]}


def test_a_table_reveals_nothing_and_warns_if_commitments_change(arrive: Arrive, client: Client) -> None:
    host, invitation = host_with_friend(arrive)
    claim = {"invitation": invitation, "entropyCommitment": sha256(b"first").hexdigest()}
    client.post(f"/v1/games/{host.game}:claimSeat", claim)
    host.says("still to contribute")
    expect(host.page.locator(".gathering li").nth(0)).not_to_contain_text("still to contribute", timeout=PATIENCE_MS)
    reveals: list[str] = []

    def forge(route: Route) -> None:
        answer = route.fetch()
        document = answer.json()
        found = document["view"]["fairness"]
        found["entropyCommitments"][1] = sha256(b"second").hexdigest()
        found["entropyAwaited"] = [0, 1]
        route.fulfill(response=answer, json=document)

    host.page.route(re.compile(rf"/v1/games/{host.game}(\?|$)"), forge)
    host.page.on("request", lambda request: reveals.append(request.url) if "revealEntropy" in request.url else None)
    host.page.reload()
    host.says("The commitments have changed")
    host.page.unroute_all(behavior="wait")
    assert reveals == []
