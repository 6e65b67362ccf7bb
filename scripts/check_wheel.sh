#!/usr/bin/env bash
# Builds the wheel and installs it into two empty environments: with the extra [cli] the command runs; without
# extras the library can be imported, and the command says in one sentence what to install.
set -euo pipefail
cd "$(dirname "$0")/.."

scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT

fail() { echo "check_wheel: $1" >&2; exit 1; }

new_environment() { # name, what to install
    .venv/bin/python -m venv "$scratch/$1"
    "$scratch/$1/bin/python" -m pip install --quiet --disable-pip-version-check "$2"
}

import_library() { # name; away from the repository, so that only the wheel can answer
    (cd "$scratch" && "$1/bin/python" - <<'PYTHON'
import alhambra

assert "site-packages" in alhambra.__file__, alhambra.__file__
assert len(alhambra.component_data()["modules"]) == 43
if hasattr(alhambra, "Game"):
    game = alhambra.Game.new(alhambra.Options(seats=3, seed="wheel"))
    game.apply(game.legal_moves()[0])
PYTHON
    )
}

make --no-print-directory setup
echo "Building the wheel …"
.venv/bin/python -m build --wheel --no-isolation --outdir "$scratch/dist" >"$scratch/build.log" 2>&1 \
    || { cat "$scratch/build.log" >&2; fail "the wheel could not be built"; }
wheel=$(echo "$scratch"/dist/alhambra_rules-*.whl)
contents=$(.venv/bin/python -m zipfile --list "$wheel")
for file in alhambra/py.typed alhambra/data/components.json alhambra_cli/py.typed alhambra_gateway/guides/operator.html; do
    grep -q "^$file " <<<"$contents" || fail "$file is missing from the wheel"
done

echo "Installing it without extras …"
new_environment plain "$wheel"
import_library plain
status=0
advice=$("$scratch/plain/bin/alhambra" demo 2>&1) || status=$?
[[ $status == 2 && $advice == *"pip install 'alhambra-rules[cli]'"* && $(wc -l <<<"$advice") == 1 ]] \
    || fail "without extras the command must say in one line what to install; it exited $status and said: $advice"
echo "  $advice"

echo "Installing it with [cli] …"
new_environment cli "$wheel[cli]"
import_library cli
(cd "$scratch" && cli/bin/alhambra demo --seed wheel --delay 0 >demo.txt 2>&1) || fail "the demo does not run: $(tail -n 3 "$scratch/demo.txt")"
tail -n 1 "$scratch/demo.txt"
echo "The wheel is good: $(basename "$wheel")"
