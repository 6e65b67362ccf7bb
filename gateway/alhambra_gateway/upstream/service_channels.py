"""The channels of one process to all services, and which of them can be used.

One process of a service serves a connection as long as the connection lives, so there are several channels to each
service. A thread asks every channel for the health of its service, again and again. The answers sort the channels:

    SERVING        the service serves games
    NOT_SERVING    it answers, but its store is away
    DOUBTFUL       it has answered; now another connection to the same service is broken
    SILENT         it has answered; now a check has been without an answer for SERVICE_SILENT_SECONDS
    STOPPING       it has refused a call because it is stopping
    UNREACHABLE    there is no connection

Calls use the best channels that there are, in turn (`usable`), and never one that is stopping or unreachable. Choosing
takes no lock: `usable` is a tuple that is replaced when something changes. When a service falls silent while another
one answers, the calls and streams that wait for it are cancelled, and their callers ask another service.
"""

from __future__ import annotations

import logging
import threading
from collections.abc import Callable
from enum import IntEnum
from functools import partial
from pathlib import Path
from time import monotonic as clock
from typing import Any

import grpc
from grpc_health.v1 import health_pb2

from .. import limits
from ..config import Settings
from .channel_calls import FORMS, StreamCalls, TrailerListeners, UnaryCalls
from .grpc_parts import OnTrailers, Running, cancel_running
from .homes import Homes, Spread
from .service_addresses import Target, listed
from .stream_calls import StreamChannel

_log = logging.getLogger(__name__)

FAULT_METADATA = "alhambra-fault-bin"
PROCESS_METADATA, PROCESSES_METADATA = "alhambra-process", "alhambra-processes"
"""Under these names the service says in the metadata of an answer about its health why it does not serve games, which
of its processes answers, and how many there are."""
CHECK = f"/{health_pb2.DESCRIPTOR.services_by_name['Health'].full_name}/Check"
_OPTIONS = (
    ("grpc.use_local_subchannel_pool", 1),  # otherwise all channels share one connection
    ("grpc.max_receive_message_length", limits.ANSWER_BYTES),
    ("grpc.max_send_message_length", limits.ANSWER_BYTES),
    ("grpc.initial_reconnect_backoff_ms", int(1000 * limits.RECONNECT_FIRST_SECONDS)),
    ("grpc.min_reconnect_backoff_ms", int(1000 * limits.CONNECT_SECONDS)),  # how long one attempt may take
    ("grpc.max_reconnect_backoff_ms", int(1000 * limits.RECONNECT_LONGEST_SECONDS)),
)
_IN_TURN = ("grpc.service_config", '{"loadBalancingConfig":[{"round_robin":{}}]}')
"""For an address that gRPC looks up itself, such as one that names its DNS server: it may stand for many services."""
_CHECK_FORMS = health_pb2.HealthCheckRequest.SerializeToString, health_pb2.HealthCheckResponse.FromString
_NO_CONNECTION = (grpc.StatusCode.UNAVAILABLE, grpc.StatusCode.CANCELLED)


class State(IntEnum):
    """What is known of a channel, the best first."""

    SERVING = 0
    NOT_SERVING = 1
    DOUBTFUL = 2
    SILENT = 3
    STOPPING = 4
    UNREACHABLE = 5


class ServiceChannel:
    """One channel to a service, with the calls that are made over it."""

    def __init__(
        self, settings: Settings, target: Target, listeners: TrailerListeners, others_answer: Callable[[], bool]
    ) -> None:
        self.target = target
        self.state = State.UNREACHABLE
        self.fault = ""
        """Why the service does not serve games, if it says so."""
        self.process = ""
        """The name of the process that it leads to (`homes.py`); empty if it is not known."""
        self.processes = 0
        """How many processes the service says it has."""
        self.running: Running = {}
        """Unary calls that threads wait for. The thread that has made a call removes it."""
        self.streams: set[Any] = set()
        """Open streams. The code that opens a stream removes it."""
        self.channel: grpc.Channel = _open(settings, target, grpc)
        self.for_streams = StreamChannel(
            target.address, lambda: _open(settings, target, grpc.aio), FORMS, _ask_process, others_answer
        )
        self.unary = UnaryCalls(self.channel, self.running, listeners)
        self.streaming = StreamCalls(self.channel)
        self._check = self.channel.unary_unary(CHECK, *_CHECK_FORMS)
        self.checks = 0
        """How many checks were made. The answer to an older one does not count."""
        self.asked: float | None = None
        """When the present check was made; None if it was answered."""
        self.due = 0.0
        """When the next check is made; when it may be closed, if it is not used any more."""

    def check(self, now: float, answered: Callable[[Any], None]) -> None:
        """Ask for the health of the service. If there is no connection, wait for one."""
        self.checks += 1
        self.asked, self.due = now, now + limits.CHECK_SECONDS
        waits = self.state is State.UNREACHABLE
        question = health_pb2.HealthCheckRequest()
        asked: Any = self._check.future(question, timeout=limits.CHECK_ANSWER_SECONDS, wait_for_ready=waits)
        asked.add_done_callback(answered)

    def check_again(self, state: State) -> None:
        """Set the state until a new check is answered, which is made at once."""
        self.state, self.asked, self.due = state, None, 0.0
        self.checks += 1
        self.for_streams.process = None

    def close(self) -> None:
        """Cancel everything and close the connections."""
        self.channel.close()
        self.for_streams.close()

    def cancel_calls(self) -> None:
        """Cancel everything that waits for the service."""
        cancel_running(self.running)
        for stream in self.streams.copy():
            stream.cancel()


class ServiceChannels:
    """All channels of one process. Its threads end with `close`."""

    def __init__(
        self, settings: Settings, on_trailers: OnTrailers | None = None, on_change: OnTrailers | None = None
    ) -> None:
        self._listeners = TrailerListeners(on_trailers, on_change)
        self.usable: tuple[ServiceChannel, ...] = ()
        """The channels that calls use now; empty if no service answers."""
        self._spread = Spread()
        self.homes = Homes()
        """Which of them calls about a game use first."""
        self._settings = settings
        self._listed = listed(settings.service)
        self._channels: list[ServiceChannel] = []
        self._leaving: list[ServiceChannel] = []
        """Channels to addresses that a name has lost, and superfluous ones: closed when their calls and streams have
        ended."""
        self._answering: dict[Target, bool] = {}
        """Whether a service answered, as the log has it."""
        self._changed = threading.Condition()
        """Guards everything here. Notified when there are usable channels."""
        self._none_since = clock()
        """When the last usable channel was lost."""
        self._wake, self._closing = threading.Event(), threading.Event()
        self._use(frozenset())
        threads = [("services", self._watch)]
        if any(entry.host for entry in self._listed):
            threads.append(("service names", self._look_up))
        for name, work in threads:
            threading.Thread(target=work, name=name, daemon=True).start()

    def close(self) -> None:
        """End the threads, cancel every call and close every connection."""
        self._closing.set()
        self._wake.set()
        with self._changed:
            for channel in (*self._channels, *self._leaving):
                channel.close()

    def best(self) -> State:
        """Return the state of the best channel."""
        with self._changed:
            return min((channel.state for channel in self._channels), default=State.UNREACHABLE)

    def fault(self) -> str:
        """Return why a service that answers does not serve games, in its own words; "" if none says so."""
        with self._changed:
            return next((one.fault for one in self._channels if one.state is State.NOT_SERVING and one.fault), "")

    def wait(self, until: float) -> tuple[ServiceChannel, ...]:
        """Return the usable channels. If there are none, wait until there are some, but neither longer than `until`
        nor longer than NO_SERVICE_SECONDS after the last one was lost; then return an empty tuple."""
        with self._changed:
            while not self.usable:
                left = min(until, self._none_since + limits.NO_SERVICE_SECONDS) - clock()
                if left <= 0 or self._closing.is_set():
                    break
                self._changed.wait(left)
            return self.usable

    def broken(self, channel: ServiceChannel) -> None:
        """Note that the connection of a call has broken: use other services until this one has answered a check."""
        with self._changed:
            channel.check_again(State.UNREACHABLE)
            for other in self._channels:
                if other.target == channel.target and other.state < State.DOUBTFUL:
                    other.check_again(State.DOUBTFUL)
            self._sort()
        self._wake.set()

    def stopping(self, channel: ServiceChannel) -> None:
        """Note that a service says that it is stopping: use others, doubtful and silent ones included, until this one
        serves again."""
        with self._changed:
            for other in self._channels:
                if other.target == channel.target and other.state < State.STOPPING:
                    other.check_again(State.STOPPING)
            self._sort()
        self._wake.set()

    # -- Checks ----------------------------------------------------------------------------------------------------

    def _watch(self) -> None:
        """Check all channels until the process ends."""
        last = clock()
        while not self._closing.is_set():
            try:
                now = clock()
                with self._changed:
                    self._look(now, stood_still=now - last > limits.SERVICE_SILENT_SECONDS)
            except Exception:
                _log.exception("The services could not be checked.")
            last = clock()
            self._wake.wait(limits.CHECK_TICK_SECONDS)
            self._wake.clear()

    def _look(self, now: float, *, stood_still: bool) -> None:
        """Make the checks that are due, and find the silent channels. If this process itself stood still, answers may
        wait to be read: nothing is called silent then."""
        for channel in self._channels:
            if channel.asked is None:
                if now >= channel.due:
                    channel.check(now, partial(self._answered, channel, channel.checks + 1))
            elif stood_still:
                channel.asked = now
            elif now - channel.asked > limits.SERVICE_SILENT_SECONDS:
                if channel.state < State.SILENT:
                    channel.state = State.SILENT
                elif channel.state is State.UNREACHABLE and self.best() < State.DOUBTFUL:
                    channel.cancel_calls()  # of threads that had chosen it before it was left
        self._sort()
        for double in [*self._spread.superfluous(self.usable)]:
            self._channels.remove(double)
            self._channels.append(self._channel_to(double.target))
            self._leave([double])
            self._sort()
        for channel in [one for one in self._leaving if now >= one.due and not one.running and not one.streams]:
            self._leaving.remove(channel)
            channel.close()

    def _channel_to(self, target: Target) -> ServiceChannel:
        return ServiceChannel(self._settings, target, self._listeners, lambda: self.best() < State.DOUBTFUL)

    def _leave(self, channels: list[ServiceChannel]) -> None:
        """Close these channels, which are not used any more, when their calls and streams have ended."""
        for channel in channels:
            channel.due = clock() + limits.LEAVING_SECONDS
        self._leaving += channels

    def _answered(self, channel: ServiceChannel, number: int, asked: Any) -> None:
        """A check has ended. A thread of gRPC calls this."""
        code, fault, process, processes = asked.code(), "", "", ""
        if code is grpc.StatusCode.OK:
            serving = asked.result().status == health_pb2.HealthCheckResponse.SERVING
            state = State.SERVING if serving else State.NOT_SERVING
            trailers = dict(asked.trailing_metadata() or ())
            fault = trailers.get(FAULT_METADATA, b"").decode("utf-8", "replace")
            process, processes = trailers.get(PROCESS_METADATA, ""), trailers.get(PROCESSES_METADATA, "")
        elif code in _NO_CONNECTION:
            state = State.UNREACHABLE
        elif code is grpc.StatusCode.DEADLINE_EXCEEDED:
            state = State.SILENT
        else:
            state = State.NOT_SERVING  # something answers, and does not know what health is
        with self._changed:
            if number != channel.checks or self._closing.is_set():
                return
            channel.asked, channel.fault = None, fault
            moved, channel.process = process != channel.process, process
            channel.processes = int(processes) if processes.isdecimal() else 0
            if channel.state is State.STOPPING and state is State.NOT_SERVING:
                state = State.STOPPING
            if state is not State.SILENT or channel.state < State.SILENT:  # an unreachable one stays unreachable
                channel.state = state
            self._sort(moved=moved)

    def _sort(self, *, moved: bool = False) -> None:
        """Find the usable channels anew. If there are good ones, give up what waits for silent ones. `moved`: a channel
        leads to another process."""
        best = min((channel.state for channel in self._channels), default=State.UNREACHABLE)
        found = () if best >= State.STOPPING else tuple(one for one in self._channels if one.state is best)
        if self.usable and not found:
            self._none_since = clock()
        if found != self.usable or moved:
            self.usable, self.homes = found, Homes(found)
            self._tell()
        if found:
            self._changed.notify_all()
        if best < State.DOUBTFUL:
            for channel in self._channels:
                if channel.state is State.SILENT:
                    channel.cancel_calls()

    def _tell(self) -> None:
        """Log which services have begun or stopped to answer. That they answer from the start is expected: each process
        of a gateway would say it."""
        answering: dict[Target, bool] = {}
        for channel in self._channels:
            answering[channel.target] = answering.get(channel.target, False) or channel.state < State.SILENT
        for target, answers in answering.items():
            if answers and not self._answering.get(target, False):
                level = logging.INFO if self._answering else logging.DEBUG
                _log.log(level, "The service at %s answers.", target.address)
            elif self._answering.get(target, False) and not answers:
                _log.warning("The service at %s does not answer.", target.address)
        self._answering = answering

    # -- Names -----------------------------------------------------------------------------------------------------

    def _look_up(self) -> None:
        """Look up the names of services again and again."""
        known: dict[str, frozenset[Target]] = {}
        while True:
            for entry in self._listed:
                if not entry.host:
                    continue
                try:
                    known[entry.text] = entry.look_up()
                except OSError as fault:
                    _log.warning("%s cannot be looked up: %s.", entry.text, fault.strerror or fault)
            self._use(frozenset().union(*known.values()))
            if self._closing.wait(limits.LOOK_UP_SECONDS):
                return

    def _use(self, found: frozenset[Target]) -> None:
        """Open channels to the targets that names stand for and to those that need no look-up, unless there are some
        already. Leave all others."""
        with self._changed:
            if self._closing.is_set():
                return
            wanted = found | {Target(entry.text) for entry in self._listed if not entry.host}
            have = {channel.target for channel in self._channels}
            gone = [channel for channel in self._channels if channel.target not in wanted]
            kept = [channel for channel in self._channels if channel.target in wanted]
            new = sorted(wanted - have)
            made = [self._channel_to(target) for _ in range(limits.CHANNELS) for target in new]
            self._channels = [*kept, *made]
            self._leave(gone)
            self._sort()
        self._wake.set()


async def _ask_process(channel: grpc.aio.Channel, seconds: float) -> tuple[grpc.StatusCode, str]:
    """Ask for the health of a service over a channel for streams. Return how the call has ended, and the name of the
    process that has answered; "" if it has none."""
    check: Any = channel.unary_unary(CHECK, *_CHECK_FORMS)
    try:
        asked = check(health_pb2.HealthCheckRequest(), timeout=seconds)
    except grpc.aio.UsageError:  # the channel was closed
        return grpc.StatusCode.CANCELLED, ""
    trailers = await asked.trailing_metadata()
    return await asked.code(), str(next((value for name, value in trailers or () if name == PROCESS_METADATA), ""))


def _open(settings: Settings, target: Target, kind: Any) -> Any:
    """Return a channel of grpcio's blocking interface, or of its asynchronous one: `kind` is the package."""
    options: list[tuple[str, Any]] = [*_OPTIONS, _IN_TURN] if "://" in target.address else list(_OPTIONS)
    if not settings.tls_authority:
        if target.authority:
            options.append(("grpc.default_authority", target.authority))
        return kind.insecure_channel(target.address, options=options)
    files = (
        Path(path).read_bytes() if path else None
        for path in (settings.tls_authority, settings.tls_key, settings.tls_certificate)
    )
    name = settings.tls_name or target.authority.rpartition(":")[0]
    if name:
        options.append(("grpc.ssl_target_name_override", name))
    return kind.secure_channel(target.address, grpc.ssl_channel_credentials(*files), options=options)
