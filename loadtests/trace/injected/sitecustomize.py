"""Python imports this file at the start of every process that has this folder in PYTHONPATH: it installs the probes."""

import os

if "ALHAMBRA_LOADTEST_TRACE" in os.environ:
    from loadtests.trace import probes

    probes.install()
