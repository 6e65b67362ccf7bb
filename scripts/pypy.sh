#!/bin/sh
# Says where a PyPy is that can run the library (Python 3.11 or newer): the one named in $PYPY, one on the path, or one of
# this project's own in .pypy/, fetched from Debian's packages the first time (scripts/unpack_python.sh). Prints the path;
# whatever else there is to say goes to standard error.
set -eu

cd "$(dirname "$0")/.."
own=$PWD/.pypy/usr/bin/pypy3.11

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
    echo "There is no PyPy here. Install PyPy for Python 3.11 or newer, and name it: PYPY=/path/to/pypy3" >&2
    exit 1
}
scripts/unpack_python.sh .pypy trixie pypy3.11 pypy3 || give_up
fits "$own" || give_up
echo "$own"
