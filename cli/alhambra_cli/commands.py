"""The commands of `alhambra`. Each is imported when it is used, so that the command line answers at once."""

from __future__ import annotations

import sys
from importlib import import_module
from typing import Any, NamedTuple

import click

from .bad_input import BadInput


class Described(NamedTuple):
    """What is known of a command before it is imported."""

    module: str
    about: str
    """What `alhambra --help` says about it: the first sentence of its own help."""


DESCRIBED = {
    "arena": Described("arena_command", "Let bots play against each other."),
    "backup": Described("stores", "Write all games of a store to a file."),
    "board": Described("games", "Draw the Alhambras of a game: an export, notation, or the bytes of a game."),
    "bot": Described("arena_command", "Play as a process of the line protocol, on standard input and output."),
    "bots": Described("bots", "Play the seats that are assigned to bots."),
    "demo": Described("games", "Play a random game in the terminal."),
    "doctor": Described("stores", "Check a store and its games, and suggest fixes."),
    "gateway": Described("gateway", "Run the HTTP gateway in front of a service."),
    "healthcheck": Described("serve", "Check the health of a service or gateway."),
    "modules": Described("games", "List the modules and presets."),
    "new-key": Described("serve", "Create an API key."),
    "reindex": Described("stores", "Rebuild the list of games and the counts for quotas."),
    "restore": Described("stores", "Restore games into a store."),
    "run": Described("gateway", "Run service, gateway and bots together, for gRPC and HTTP."),
    "serve": Described("serve", "Run the gRPC service."),
    "simulate": Described("games", "Play many games and print statistics."),
    "verify": Described("games", "Verify a game: an export, or a game in notation."),
    "webhooks": Described("webhooks", "Send notices to webhooks, and see what was sent."),
}


class Commands(click.Group):
    """A group whose commands are imported when they are used. They end with exit code 2 and the message if the library
    raises an error."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        """Return the names of all commands."""
        return list(DESCRIBED)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        """Return a command; None if there is none of this name."""
        if cmd_name not in DESCRIBED:
            return None
        module = import_module(f".{DESCRIBED[cmd_name].module}", __package__)
        commands: tuple[click.Command, ...] = module.COMMANDS
        return next(command for command in commands if command.name == cmd_name)

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """Write the list of commands without importing them."""
        with formatter.section("Commands"):
            formatter.write_dl([(name, described.about) for name, described in DESCRIBED.items()])

    def invoke(self, ctx: click.Context) -> Any:
        """Run the command. Raise BadInput for an error of the library."""
        try:
            return super().invoke(ctx)
        except Exception as fault:
            library = sys.modules.get("alhambra")
            if library is None or not isinstance(fault, (library.AlhambraError, library.BadModule)):
                raise
            raise BadInput(f"{fault.message[:1].upper()}{fault.message[1:]}.") from None


@click.group(cls=Commands, context_settings={"help_option_names": ["-h", "--help"]})
@click.version_option(package_name="alhambra-rules")
def app() -> None:
    """The board game Alhambra: play, simulate, verify and draw games."""
