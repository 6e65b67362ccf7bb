#!/bin/sh
# Says where a PyPy is that can run the library (Python 3.11 or newer): the one named in $PYPY, one on the path, or one of
# this project's own in .pypy/, fetched from Debian's packages the first time. Nothing is installed into the system:
# packages of Debian 13 are unpacked as they are, with the C library they were built for, so that it does not matter
# which release the machine has. Prints the path; whatever else there is to say goes to standard error.
set -eu

cd "$(dirname "$0")/.."
room=$PWD/.pypy
own=$room/usr/bin/pypy3.11

fits() {
    "$1" -c 'import sys; sys.exit(sys.implementation.name != "pypy" or sys.version_info < (3, 11))' 2>/dev/null
}

if [ -n "${PYPY:-}" ]; then
    fits "$PYPY" || { echo "PYPY=$PYPY is no PyPy of Python 3.11 or newer." >&2; exit 1; }
    echo "$PYPY"
    exit 0
fi
for found in pypy3.11 pypy3 pypy "$own"; do
    if command -v "$found" >/dev/null 2>&1 && fits "$found"; then
        command -v "$found"
        exit 0
    fi
done

give_up() {
    echo "$1 Install PyPy for Python 3.11 or newer, and name it: PYPY=/path/to/pypy3" >&2
    exit 1
}
for tool in apt-get dpkg-deb; do
    command -v $tool >/dev/null 2>&1 || give_up "There is no PyPy here, and without $tool none can be fetched."
done
# The mirror that this machine uses, whatever it is.
mirror=$(apt-get indextargets --format '$(REPO_URI)' 'Created-By: Packages' | head -n 1)
[ -n "$mirror" ] || give_up "There is no PyPy here, and apt knows no mirror (apt-get update may help)."

echo "Fetching PyPy into .pypy/ (40 MB) …" >&2
rm -rf "$room"
apt=$room/apt
mkdir -p "$apt/lists/partial" "$apt/archives/partial"
: >"$apt/status"
echo "deb [signed-by=/usr/share/keyrings/debian-archive-keyring.gpg] $mirror trixie main" >"$apt/sources.list"
private_apt() {
    apt-get -qq -o Dir::Etc::SourceList="$apt/sources.list" -o Dir::Etc::SourceParts=- -o Dir::State="$apt" \
        -o Dir::State::Lists="$apt/lists" -o Dir::State::status="$apt/status" -o Dir::Cache="$apt" \
        -o Debug::NoLocking=1 -o APT::Sandbox::User="$(id -un)" "$@" >&2
}
private_apt update
# As if nothing were installed: everything it needs comes along, down to the C library.
private_apt install -y --no-install-recommends --download-only pypy3
for package in "$apt"/archives/*.deb; do
    dpkg-deb -x "$package" "$room"
done
rm -rf "$apt"

# Started by its own loader, under its own name: so it finds its libraries, and its children are started likewise.
mv "$own" "$own-unwrapped"
loader=$(find "$room/usr/lib" -name 'ld-linux*' | head -n 1)
cat >"$own" <<END
#!/bin/sh
exec "$loader" --library-path "${loader%/*}" --argv0 "\$0" "$own-unwrapped" "\$@"
END
chmod +x "$own"
fits "$own" || give_up "What was fetched does not run here."
echo "$own"
