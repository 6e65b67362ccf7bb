#!/bin/sh
# Unpacks an interpreter of Python from Debian's packages into a folder of this project, with the C library that it was
# built for: so it does not matter which release the machine has, and nothing is installed into the system.
#
#     scripts/unpack_python.sh FOLDER RELEASE PROGRAM PACKAGE…    for example .pypy trixie pypy3.11 pypy3
#
# The interpreter is FOLDER/usr/bin/PROGRAM then. Everything that is said goes to standard error; the status is 1 if it
# cannot be done.
set -eu

cd "$(dirname "$0")/.."
mkdir -p "$1"
room=$(cd "$1" && pwd)
release=$2
program=$3
shift 3
own=$room/usr/bin/$program

give_up() {
    echo "$1" >&2
    exit 1
}
for tool in apt-get dpkg-deb; do
    command -v $tool >/dev/null 2>&1 || give_up "Without $tool none can be fetched."
done
# The mirror that this machine uses, whatever it is.
mirror=$(apt-get indextargets --format '$(REPO_URI)' 'Created-By: Packages' | head -n 1)
[ -n "$mirror" ] || give_up "apt knows no mirror (apt-get update may help)."

echo "Fetching $program of Debian's $release into ${room##*/}/ (about 40 MB) …" >&2
rm -rf "$room"
apt=$room/apt
mkdir -p "$apt/lists/partial" "$apt/archives/partial"
: >"$apt/status"
echo "deb [signed-by=/usr/share/keyrings/debian-archive-keyring.gpg] $mirror $release main" >"$apt/sources.list"
private_apt() {
    apt-get -qq -o Dir::Etc::SourceList="$apt/sources.list" -o Dir::Etc::SourceParts=- -o Dir::State="$apt" \
        -o Dir::State::Lists="$apt/lists" -o Dir::State::status="$apt/status" -o Dir::Cache="$apt" \
        -o Debug::NoLocking=1 -o APT::Sandbox::User="$(id -un)" "$@" >&2
}
private_apt update
# As if nothing were installed: everything it needs comes along, down to the C library.
private_apt install -y --no-install-recommends --download-only "$@"
for package in "$apt"/archives/*.deb; do
    dpkg-deb -x "$package" "$room"
done
rm -rf "$apt"

# The module venv installs pip from a folder of the system, which is in this one.
for settings in "$room"/usr/lib/python3.*/_sysconfigdata*.py; do
    [ ! -e "$settings" ] || sed -i "s|'/usr/share/python-wheels/'|'$room/usr/share/python-wheels/'|" "$settings"
done

# Started by its own loader, under its own name: so it finds its libraries, and its children are started likewise.
mv "$own" "$own-unwrapped"
loader=$(find "$room/usr/lib" -name 'ld-linux*' | head -n 1)
cat >"$own" <<END
#!/bin/sh
exec "$loader" --library-path "${loader%/*}" --argv0 "\$0" "$own-unwrapped" "\$@"
END
chmod +x "$own"
