#!/bin/sh
# What the tests need from the operating system, installed if it is missing: a browser for the screenshots with a font
# to draw letters, jq for the examples of the guides, two load generators, and a C compiler for clocks that jump. Asks
# nothing, says nothing when all is there, and can be run any number of times. Only Debian and its kin are known;
# elsewhere it names what is missing.
set -eu

missing=""
command -v chromium >/dev/null 2>&1 || missing="$missing chromium"
command -v h2load >/dev/null 2>&1 || missing="$missing nghttp2-client"
command -v jq >/dev/null 2>&1 || missing="$missing jq"
command -v cc >/dev/null 2>&1 || missing="$missing gcc libc6-dev"
command -v wrk >/dev/null 2>&1 || missing="$missing wrk"
ls /usr/share/fonts/truetype/dejavu/DejaVuSans.ttf >/dev/null 2>&1 || missing="$missing fonts-dejavu-core"
[ -n "$missing" ] || exit 0

if ! command -v apt-get >/dev/null 2>&1; then
    echo "The tests need these Debian packages or their like, please install them:$missing" >&2
    exit 1
fi
if [ "$(id -u)" -eq 0 ]; then
    as_root=""
elif sudo -n true 2>/dev/null; then
    as_root="sudo -n"
else
    echo "The tests need these packages, please run as root: apt-get install$missing" >&2
    exit 1
fi

echo "Installing for the tests:$missing"
log=$(mktemp)
trap 'rm -f "$log"' EXIT
apt() {
    # `env` carries the answers through sudo; a lock held by another installation is waited for.
    # shellcheck disable=SC2086
    $as_root env DEBIAN_FRONTEND=noninteractive apt-get -qq -o DPkg::Lock::Timeout=300 "$@" >"$log" 2>&1
}
# The lists may be missing (a fresh image) or old: first as it is, then with new ones.
# shellcheck disable=SC2086
apt install -y --no-install-recommends $missing || {
    apt update && apt install -y --no-install-recommends $missing
} || {
    cat "$log" >&2
    echo "Could not install:$missing" >&2
    exit 1
}
