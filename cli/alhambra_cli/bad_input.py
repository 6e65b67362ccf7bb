"""The error of commands whose arguments or files are wrong."""

import click


class BadInput(click.ClickException):
    """An error of the user: it ends a command with one sentence and exit code 2."""

    exit_code = 2
