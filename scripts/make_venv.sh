#!/bin/sh
# Make the virtual environment and install ncimp into it: make_venv.sh PYTHON FOLDER EXTRAS
# Says in one line what is missing when Python is too old or has no venv module.
set -eu
python=$1 folder=$2 extras=$3

if ! command -v "$python" >/dev/null 2>&1; then
    echo "make: no $python here; install Python 3.11 or newer, or name it: make build PYTHON=/path/to/python3.12" >&2
    exit 1
fi
if ! "$python" -c 'import sys; sys.exit(sys.version_info < (3, 11))'; then
    echo "make: $("$python" --version 2>&1) is too old; ncimp needs Python 3.11 or newer: make build PYTHON=python3.12" >&2
    exit 1
fi
if ! "$python" -c 'import venv, ensurepip' 2>/dev/null; then
    echo "make: $python has no venv module; install it (Debian, Ubuntu: apt install python3-venv) and run this again" >&2
    exit 1
fi
if ! [ -x "$folder/bin/python" ] || ! "$folder/bin/python" -c '' 2>/dev/null; then
    rm -rf "$folder"
    "$python" -m venv "$folder"
fi
"$folder/bin/python" -m pip install --quiet --disable-pip-version-check --constraint constraints.txt --editable ".$extras"
