#!/usr/bin/env bash
# Installs the product into three empty environments: without extras the library can be imported and plays, and the command
# says in one sentence what to install; with the extra [cli] the command runs; with [server] the gateway serves guides and rules.
#
#     scripts/check_wheel.sh                                      build the wheel and install it, with the Python of .venv
#     PYTHON=python3.13 scripts/check_wheel.sh dist/NAME.tar.gz   install this wheel or sdist, with another Python
set -euo pipefail
cd "$(dirname "$0")/.."

scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
unset PYTHONPATH # only what is installed can answer

fail() { echo "check_wheel: $1" >&2; exit 1; }

new_environment() { # name, what to install
    "$python" -m venv "$scratch/$1"
    "$scratch/$1/bin/python" -m pip install --quiet --disable-pip-version-check "$2"
}

play() { # name; away from the repository, so that only what is installed can answer
    cp scripts/short_game.py "$scratch/short_game.py"
    (cd "$scratch" && "$1/bin/python" short_game.py)
}

if [[ -z ${PYTHON:-} ]]; then
    make --no-print-directory setup
fi
python=${PYTHON:-.venv/bin/python}

if [[ $# == 0 ]]; then
    echo "Building the wheel …"
    "$python" -m build --wheel --no-isolation --outdir "$scratch/dist" >"$scratch/build.log" 2>&1 \
        || { cat "$scratch/build.log" >&2; fail "the wheel could not be built"; }
    product=$(echo "$scratch"/dist/alhambra_rules-*.whl)
else
    product=$(realpath "$1")
fi
if [[ $product == *.whl ]]; then
    contents=$("$python" -m zipfile --list "$product")
    for file in alhambra/py.typed alhambra/data/components.json alhambra_cli/py.typed alhambra_gateway/docs/{operator,rules/00-base}.md; do
        grep -q "^$file " <<<"$contents" || fail "$file is missing from the wheel"
    done
fi

echo "Installing it without extras, for $("$python" --version) …"
new_environment plain "$product"
play plain
status=0
advice=$("$scratch/plain/bin/alhambra" demo 2>&1) || status=$?
[[ $status == 2 && $advice == *"pip install 'alhambra-rules[cli]'"* && $(wc -l <<<"$advice") == 1 ]] \
    || fail "without extras the command must say in one line what to install; it exited $status and said: $advice"
echo "  $advice"

echo "Installing it with [cli] …"
new_environment cli "$product[cli]"
play cli
(cd "$scratch" && cli/bin/alhambra demo --seed wheel --delay 0 >demo.txt 2>&1) || fail "the demo does not run: $(tail -n 3 "$scratch/demo.txt")"
tail -n 1 "$scratch/demo.txt"

echo "Installing it with [server] …"
new_environment server "$product[server]"
cp scripts/served_pages.py "$scratch/served_pages.py"
(cd "$scratch" && server/bin/python served_pages.py) || fail "the gateway does not serve guides and rules"
echo "It is good: $(basename "$product")"
