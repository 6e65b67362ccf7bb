#!/bin/sh
# Says where a CPython of a version is: one on the path, one of pyenv or uv, or one of this project's own in .cpython/,
# fetched from Debian's packages the first time (scripts/unpack_python.sh). Prints the path; whatever else there is to say
# goes to standard error, and the status is 1 if there is none.
#
#     scripts/cpython.sh 3.14
set -eu

cd "$(dirname "$0")/.."
minor=$1
own=$PWD/.cpython/$minor/usr/bin/python$minor

fits() {
    "$1" -c "import sys; sys.exit(sys.implementation.name != 'cpython' or '%d.%d' % sys.version_info[:2] != '$minor')" \
        >/dev/null 2>&1
}

for found in "python$minor" "$HOME/.pyenv/versions/$minor"*/bin/python "$HOME/.local/share/uv/python/cpython-$minor"*/bin/python "$own"; do
    if command -v "$found" >/dev/null 2>&1 && fits "$found"; then
        command -v "$found"
        exit 0
    fi
done

# The releases of Debian that have it.
case $minor in
    3.11) release=bookworm ;;
    3.13) release=trixie ;;
    3.14) release=sid ;;
    *)
        echo "no CPython $minor is on the path or of pyenv or uv, and no release of Debian has it." >&2
        exit 1
        ;;
esac
scripts/unpack_python.sh ".cpython/$minor" "$release" "python$minor" "python$minor" "python$minor-venv"
fits "$own"
echo "$own"
