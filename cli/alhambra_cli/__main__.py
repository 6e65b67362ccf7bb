"""Start of the `alhambra` command, also as `python -m alhambra_cli`.

The rules need nothing but Python; the command line needs the extra `[cli]`. This file therefore imports only the
standard library, and answers a missing extra with one sentence instead of a traceback.
"""

import sys

EXTRA_PACKAGES = ("click", "rich")
USAGE_ERROR = 2
INTERRUPTED = 130
"""The exit code of a program that Ctrl-C ended, as shells have it."""


def main() -> None:
    """Run the command line. If a package is missing, print what to install and exit with code 2."""
    try:
        from .commands import app

        app(prog_name="alhambra")
    except ModuleNotFoundError as missing:
        package = (missing.name or "").partition(".")[0]
        if package not in EXTRA_PACKAGES:
            raise
        advice = f"The alhambra command needs the package '{package}': run  pip install 'alhambra-rules[cli]'  first."
        print(advice, file=sys.stderr)
        raise SystemExit(USAGE_ERROR) from None
    except KeyboardInterrupt:
        raise SystemExit(INTERRUPTED) from None


if __name__ == "__main__":
    main()
