"""WebhookService: registers the addresses of hosts, and shows what was delivered to them.

Nothing is sent from here: a separate process sends (`webhooks/sender.py`).
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import TypeAlias

import grpc

from alhambra_api.v1 import service_pb2_grpc, webhooks_pb2

from ... import limits
from ...auth import seat_keys
from ...auth.access import Access, Caller
from ...current_call import mark_replayed
from ...games.game_commands import GameCommands
from ...messages.field_checks import LimitedField, check_request_id
from ...messages.notices import kind_from
from ...messages.refusals import Refusal
from ...notices.game_notices import PING, USUAL_KINDS, kinds_allowed
from ...store import QuotaExceeded, Request, game_for_request, new_game
from ...store.keys import SENDER_KEY
from ...webhook_addresses import AddressPolicy, AddressRefused
from ...webhooks.deliveries import Deliveries
from ...webhooks.messages import delivery_to, webhook_to
from ...webhooks.registry import BY_HOST, Webhook, Webhooks
from ...webhooks.requests import Outcome
from ...webhooks.signature import derived_secret, new_secret

WEBHOOKS = "webhooks"
"""The name of the quota in refusals."""
ID = LimitedField(
    webhooks_pb2.GetWebhookRequest,
    "webhook",
    "A webhook's id is {fewest} to {most} lower-case letters and digits.",
)
ADDRESS = LimitedField(
    webhooks_pb2.CreateWebhookRequest, "address", "An address has at most {max_length} printable characters."
)
KINDS = LimitedField(webhooks_pb2.CreateWebhookRequest, "kinds")
GAME = LimitedField(
    webhooks_pb2.CreateWebhookRequest, "game", "The id of a game is {fewest} to {most} lower-case letters and digits."
)
PAGE_SIZE = LimitedField(webhooks_pb2.ListDeliveriesRequest, "page_size")
DELIVERY = LimitedField(
    webhooks_pb2.ReplayDeliveriesRequest, "delivery", "The id of a notice has at most {max_length} characters."
)
Change: TypeAlias = (
    webhooks_pb2.UpdateWebhookRequest
    | webhooks_pb2.RotateWebhookSecretRequest
    | webhooks_pb2.TestWebhookRequest
    | webhooks_pb2.ReplayDeliveriesRequest
)
"""A request that changes a webhook or its deliveries."""
_NUMBER = re.compile(r"\d{1,15}")


class WebhookServicer(service_pb2_grpc.WebhookServiceServicer):
    """The handlers of WebhookService."""

    def __init__(self, commands: GameCommands, access: Access, policy: AddressPolicy | None = None) -> None:
        self._commands = commands
        self._access = access
        self._policy = policy or AddressPolicy()
        self._webhooks = Webhooks(commands.store.client)
        self._deliveries = Deliveries(commands.store.client)

    def CreateWebhook(  # noqa: N802
        self, request: webhooks_pb2.CreateWebhookRequest, context: grpc.ServicerContext
    ) -> webhooks_pb2.CreateWebhookResponse:
        """Register an address."""
        caller = self._access.caller(context)
        check_request_id(request.request_id)
        GAME.check(request.game)
        address, kinds = self._address(request.address), _kinds(request.kinds) or USUAL_KINDS
        scope = f"{caller.tenant}/{caller.name}"
        asked = Request.of("webhook", request.request_id, request.SerializeToString(deterministic=True))
        key = self._commands.key
        name = game_for_request(f"webhook {scope}", request.request_id, key) if request.request_id else new_game()
        known = self._webhooks.get(caller.tenant or "", name)
        if known is None:
            known = self._create(caller, name, address, kinds, request, asked.digest)
        elif known.creation == asked.digest:
            mark_replayed(context)
        if known.creation != asked.digest:
            raise Refusal("REQUEST_ID_REUSED", "The request id has already been used with different content.")
        secret = known.secrets[0][0] if not request.request_id else derived_secret(key, known.tenant, name)
        return webhooks_pb2.CreateWebhookResponse(webhook=self._message(known), secret=secret)

    def _create(
        self,
        caller: Caller,
        name: str,
        address: str,
        kinds: tuple[str, ...],
        request: webhooks_pb2.CreateWebhookRequest,
        digest: str,
    ) -> Webhook:
        client, tenant = self._commands.store.client, caller.tenant or ""
        if not client.read(SENDER_KEY, "EXISTS", SENDER_KEY):
            message = "No process for webhooks is running: the operator starts it with `alhambra webhooks serve`."
            raise Refusal("NOT_SUPPORTED", message)
        used = len(self._webhooks.all(tenant))
        if used >= limits.WEBHOOKS_PER_TENANT:
            raise QuotaExceeded(WEBHOOKS, limits.WEBHOOKS_PER_TENANT, used)
        self._commands.feed.want(tenant)
        secret = derived_secret(self._commands.key, tenant, name) if request.request_id else new_secret()
        made = Webhook(
            id=name,
            tenant=tenant,
            owner=caller.name,
            address=address,
            kinds=kinds,
            created=self._commands.now(),
            since=self._commands.feed.last(tenant),
            secrets=((secret, 0),),
            game=request.game,
            creation=digest,
        )
        self._webhooks.add(made)
        self._commands.feed.want(tenant)  # a call that deleted the last other webhook may have ended that meanwhile
        return self._webhooks.get(tenant, name) or made

    def ListWebhooks(  # noqa: N802
        self, request: webhooks_pb2.ListWebhooksRequest, context: grpc.ServicerContext
    ) -> webhooks_pb2.ListWebhooksResponse:
        """List the webhooks of the caller's tenant."""
        found = self._webhooks.all(self._access.caller(context).tenant or "")
        return webhooks_pb2.ListWebhooksResponse(webhooks=map(self._message, found))

    def GetWebhook(  # noqa: N802
        self, request: webhooks_pb2.GetWebhookRequest, context: grpc.ServicerContext
    ) -> webhooks_pb2.GetWebhookResponse:
        """Answer with one webhook."""
        return webhooks_pb2.GetWebhookResponse(webhook=self._message(self._find(request.webhook, context)))

    def UpdateWebhook(  # noqa: N802
        self, request: webhooks_pb2.UpdateWebhookRequest, context: grpc.ServicerContext
    ) -> webhooks_pb2.UpdateWebhookResponse:
        """Change a webhook."""
        address, kinds = self._address(request.address) if request.address else "", _kinds(request.kinds)
        asked, found = self._asked(request, context), self._find(request.webhook, context)

        def change(webhook: Webhook) -> Webhook:
            changed = replace(webhook, address=address or webhook.address, kinds=kinds or webhook.kinds)
            if request.HasField("disabled"):
                changed = replace(changed, disabled=BY_HOST if request.disabled else "")
            return changed

        changed, _ = self._change(found, change, asked, context)
        return webhooks_pb2.UpdateWebhookResponse(webhook=self._message(changed))

    def DeleteWebhook(  # noqa: N802
        self, request: webhooks_pb2.DeleteWebhookRequest, context: grpc.ServicerContext
    ) -> webhooks_pb2.DeleteWebhookResponse:
        """Delete a webhook. Does nothing if there is no such webhook."""
        ID.check(request.webhook)
        tenant = self._access.caller(context).tenant or ""
        self._webhooks.remove(tenant, request.webhook)
        if not self._webhooks.all(tenant):
            self._commands.feed.unwant(tenant)
            if self._webhooks.all(tenant):  # another call has registered one meanwhile
                self._commands.feed.want(tenant)
        return webhooks_pb2.DeleteWebhookResponse()

    def RotateWebhookSecret(  # noqa: N802
        self, request: webhooks_pb2.RotateWebhookSecretRequest, context: grpc.ServicerContext
    ) -> webhooks_pb2.RotateWebhookSecretResponse:
        """Make a new secret."""
        asked, found = self._asked(request, context), self._find(request.webhook, context)
        now, secret = self._commands.now(), new_secret()
        outcome = f"{secret} {now + 1000 * limits.WEBHOOK_SECRET_SECONDS}"
        _, outcome = self._change(found, lambda webhook: webhook.rotated(secret, now), asked, context, outcome)
        secret, until = outcome.split()
        answer = webhooks_pb2.RotateWebhookSecretResponse(secret=secret)
        answer.previous_expire_time.FromMilliseconds(int(until))
        return answer

    def TestWebhook(  # noqa: N802
        self, request: webhooks_pb2.TestWebhookRequest, context: grpc.ServicerContext
    ) -> webhooks_pb2.TestWebhookResponse:
        """Queue a test for a webhook."""
        asked, found = self._asked(request, context), self._find(request.webhook, context)
        notice = {"id": f"msg_{new_game()}", "kind": PING, "time": self._commands.now()}
        outcome = self._deliveries.test(found.tenant, found.id, notice, asked)
        if outcome is None:
            raise Refusal.limit("pending", limits.WEBHOOK_PENDING)
        return webhooks_pb2.TestWebhookResponse(delivery=_text(outcome, context))

    def ListDeliveries(  # noqa: N802
        self, request: webhooks_pb2.ListDeliveriesRequest, context: grpc.ServicerContext
    ) -> webhooks_pb2.ListDeliveriesResponse:
        """List the newest deliveries of a webhook."""
        PAGE_SIZE.check(request.page_size)
        if request.status not in webhooks_pb2.DeliveryStatus.values():
            raise Refusal.malformed("status", "There is no such status.")
        found, key = self._find(request.webhook, context), self._commands.key
        size, purpose = request.page_size or limits.DELIVERIES_PAGE_USUAL, f"deliveries {found.id} {request.status}"
        before, answer = _read_token(key, purpose, request.page_token), webhooks_pb2.ListDeliveriesResponse()
        for _ in range(limits.LISTED_ROUNDS):
            page = self._deliveries.page(found.tenant, found.id, before, limits.DELIVERIES_PAGE_USUAL)
            for number, delivery in page:
                before, message = number, delivery_to(delivery)
                if request.status in (0, message.status):
                    answer.deliveries.append(message)
                if len(answer.deliveries) == size:
                    break
            if len(answer.deliveries) == size or not page:
                break
        if page:
            answer.next_page_token = seat_keys.signed(key, purpose, str(before))
        return answer

    def ReplayDeliveries(  # noqa: N802
        self, request: webhooks_pb2.ReplayDeliveriesRequest, context: grpc.ServicerContext
    ) -> webhooks_pb2.ReplayDeliveriesResponse:
        """Queue deliveries again that were given up, or one that was made."""
        DELIVERY.check(request.delivery)
        asked, found = self._asked(request, context), self._find(request.webhook, context)
        outcome = self._deliveries.replay(found.tenant, found.id, self._commands.now(), request.delivery, asked)
        if outcome is None:
            raise _not_found()
        return webhooks_pb2.ReplayDeliveriesResponse(replayed=int(_text(outcome, context)))

    # -- Shared --------------------------------------------------------------------------------------------------------

    def _find(self, webhook: str, context: grpc.ServicerContext) -> Webhook:
        """Return a webhook of the caller's tenant. Refuses with WEBHOOK_NOT_FOUND if there is none."""
        ID.check(webhook)
        found = self._webhooks.get(self._access.caller(context).tenant or "", webhook)
        if found is None:
            raise _not_found()
        return found

    def _asked(self, request: Change, context: grpc.ServicerContext) -> Request | None:
        """Return the request that a change is remembered under; None if its caller has given no id."""
        check_request_id(request.request_id)
        if not request.request_id:
            return None
        content = f"{request.DESCRIPTOR.name} ".encode() + request.SerializeToString(deterministic=True)
        caller = self._access.caller(context)
        return Request.of("host", request.request_id, content, credential=caller.name)

    def _change(
        self,
        webhook: Webhook,
        change: Callable[[Webhook], Webhook],
        asked: Request | None,
        context: grpc.ServicerContext,
        outcome: str = "",
    ) -> tuple[Webhook, str]:
        """Change a webhook once, and return it with the first outcome. Refuses with WEBHOOK_NOT_FOUND if it was
        deleted meanwhile."""
        made = self._webhooks.change(webhook.tenant, webhook.id, change, asked, outcome)
        if made is None:
            raise _not_found()
        return made[0], _text(made[1], context)

    def _message(self, webhook: Webhook) -> webhooks_pb2.Webhook:
        return webhook_to(webhook, self._deliveries.counts(webhook.tenant, webhook.id))

    def _address(self, text: str) -> str:
        ADDRESS.check(text)
        try:
            self._policy.target(text)
        except AddressRefused as refused:
            raise Refusal.malformed("address", str(refused)) from None
        return text


def _kinds(kinds: Sequence[int]) -> tuple[str, ...]:
    """Return the words of kinds, each once. Refuses kinds that no webhook can ask for."""
    KINDS.check(kinds)
    words = tuple(dict.fromkeys(map(kind_from, kinds)))
    if not kinds_allowed().issuperset(words):
        raise Refusal.malformed("kinds", "There is no such kind of notices, or it cannot be chosen.")
    return words


def _text(outcome: Outcome, context: grpc.ServicerContext) -> str:
    """Return what a request led to, and tell the caller if that was earlier."""
    if outcome.repeated:
        mark_replayed(context)
    return outcome.text


def _not_found() -> Refusal:
    return Refusal("WEBHOOK_NOT_FOUND", "There is no such webhook or delivery.")


def _read_token(key: bytes, purpose: str, token: str) -> int:
    if not token:
        return 0
    text = seat_keys.verified(key, purpose, token)
    if text is None or not _NUMBER.fullmatch(text):
        raise Refusal("PAGE_TOKEN_INVALID", "The page token is not one of this list, or the filters have changed.")
    return int(text)
