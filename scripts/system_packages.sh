#!/bin/sh
# Installs what is needed from the operating system and is missing:
#
#     scripts/system_packages.sh            for the tests: two browsers, a font for the screenshots, jq for the examples
#                                           of the guides, two load generators, a Redis with TLS, a C compiler
#                                           for clocks that jump, iproute2 for hosts that are cut off, compilers
#                                           of Java and Go for generated clients
#     scripts/system_packages.sh images     for `make images`: buildah and debootstrap, which build containers
#
# Asks nothing, says nothing when all is there, and can be run any number of times. Only Debian and its kin are known;
# elsewhere it names what is missing.
set -eu

what=${1:-tests}
missing=""
need() { # command or file, package
    [ -f "$1" ] || command -v "$1" >/dev/null 2>&1 || missing="$missing $2"
}
need_version() { # command, its lowest major version, package
    major=$("$1" --version 2>/dev/null | sed -n 's/^[^0-9]*\([0-9]*\).*/\1/p')
    [ "${major:-0}" -ge "$2" ] || missing="$missing $3"
}
case $what in
tests)
    need chromium chromium
    need curl curl
    need_version firefox-esr 153 firefox-esr # an older one refuses what Playwright asks of it
    need go golang-go
    need h2load nghttp2-client
    need ip iproute2
    need javac default-jdk-headless
    need jq jq
    need wrk wrk
    need cc 'gcc libc6-dev'
    need redis-check-rdb redis-tools # the same program as redis-server, without a daemon that starts by itself
    need /usr/share/fonts/truetype/dejavu/DejaVuSans.ttf fonts-dejavu-core
    need /usr/share/java/jakarta-annotation-api.jar libjakarta-annotation-api-java
    ;;
images)
    need buildah buildah
    need debootstrap debootstrap
    need /usr/share/keyrings/debian-archive-keyring.gpg debian-archive-keyring
    ;;
*)
    echo "$0: tests or images, not $what" >&2
    exit 2
    ;;
esac
[ -n "$missing" ] || exit 0

if ! command -v apt-get >/dev/null 2>&1; then
    echo "These Debian packages or their like are needed for $what, please install them:$missing" >&2
    exit 1
fi
if [ "$(id -u)" -eq 0 ]; then
    as_root=""
elif sudo -n true 2>/dev/null; then
    as_root="sudo -n"
else
    echo "These packages are needed for $what, please run as root: apt-get install$missing" >&2
    exit 1
fi

echo "Installing for $what:$missing"
log=$(mktemp)
trap 'rm -f "$log"' EXIT
apt() {
    # `env` carries the answers through sudo; a lock held by another installation is waited for.
    # shellcheck disable=SC2086
    $as_root env DEBIAN_FRONTEND=noninteractive apt-get -qq -o DPkg::Lock::Timeout=300 "$@" >"$log" 2>&1
}
# The lists may be missing or old, as in most images, and then offer old versions or none. Without a network the old ones do.
apt update || true
# shellcheck disable=SC2086
apt install -y --no-install-recommends $missing || {
    cat "$log" >&2
    echo "Could not install:$missing" >&2
    exit 1
}
