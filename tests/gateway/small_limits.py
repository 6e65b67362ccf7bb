"""The command line with limits of the gateway that a test can reach in a moment. It is run as a file, by `product.py`.

python -P tests/gateway/small_limits.py HEAD_SECONDS=0.5 UNFINISHED_PER_ADDRESS=4 -- gateway --listen 127.0.0.1:0
"""

from __future__ import annotations

import sys

from alhambra_cli.__main__ import main
from alhambra_gateway import limits

if __name__ == "__main__":
    behind = sys.argv.index("--")
    for word in sys.argv[1:behind]:
        name, _, value = word.partition("=")
        assert hasattr(limits, name), name
        setattr(limits, name, float(value) if "." in value else int(value))
    sys.argv[1:] = sys.argv[behind + 1 :]
    main()
