"""The old name of `alhambra.export`, kept for programs written for version 0.1.0."""

import warnings

from . import export
from .export import *  # noqa: F403

Retracing = export.LogReplay

__all__ = [*export.__all__, "Retracing"]  # noqa: PLE0604

warnings.warn("alhambra.record is now called alhambra.export", DeprecationWarning, stacklevel=2)
