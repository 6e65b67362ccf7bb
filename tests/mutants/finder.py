"""Lets the import of one file read a mutant. It needs nothing but the standard library, so that servers can load it."""

from __future__ import annotations

import importlib.abc
import importlib.machinery
import os
import sys
from collections.abc import Sequence
from pathlib import Path
from types import CodeType, ModuleType

VARIABLE = "ALHAMBRA_MUTANT"
"""Environment variable of processes that tests start: the changed file and the file with its mutant."""


class MutantFinder(importlib.abc.MetaPathFinder):
    """Finds the changed file, and no other."""

    def __init__(self, path: str, source: bytes) -> None:
        self.path = path
        self.source = source

    def find_spec(
        self, fullname: str, path: Sequence[str] | None, target: ModuleType | None = None
    ) -> importlib.machinery.ModuleSpec | None:
        """Return the place of the changed file with a loader that reads the mutant."""
        spec = importlib.machinery.PathFinder.find_spec(fullname, path, target)
        if spec is None or spec.origin != self.path:
            return None
        spec.loader = _Loader(fullname, self.path, self.source)
        return spec


class _Loader(importlib.machinery.SourceFileLoader):
    def __init__(self, fullname: str, path: str, mutant: bytes) -> None:
        super().__init__(fullname, path)
        self.mutant = mutant

    def get_code(self, fullname: str) -> CodeType:
        """Compile the mutant, whatever compiled file there is of the original."""
        return compile(self.mutant, self.path, "exec", dont_inherit=True)


def put_in_from_environment() -> None:
    """Import the mutant that the environment names, if it names one."""
    if named := os.environ.get(VARIABLE):
        path, _, mutant = named.partition(os.pathsep)
        sys.meta_path.insert(0, MutantFinder(path, Path(mutant).read_bytes()))
