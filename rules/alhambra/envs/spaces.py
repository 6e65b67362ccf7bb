"""The spaces of Gymnasium for actions and observations, in three forms.

dict     every array by its name, and `action_mask`
flat     `observation`, one vector, and `action_mask`
vector   the vector alone; the mask is in `info["action_mask"]` only
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np
from gymnasium import spaces

from .observations import MOST, Observer

if TYPE_CHECKING:
    from .stepper import Stepper

FORMS = ("dict", "flat", "vector")
SIGNED = ("scores", "tiles", "pieces", "context", "facts")
"""The arrays that can hold negative numbers."""
VECTOR_LIMIT = float(MOST)


def checked_form(form: str) -> str:
    """Return the form of observations. Raise ValueError if there is no such form."""
    if form not in FORMS:
        raise ValueError(f"unknown form of observations {form!r}; known are {', '.join(FORMS)}")
    return form


def observation_space(observer: Observer, form: str) -> spaces.Space[Any]:
    """Return the space of observations of this form."""
    vector = spaces.Box(-VECTOR_LIMIT, VECTOR_LIMIT, (observer.size,), np.float32)
    if form == "vector":
        return vector
    mask = spaces.Box(0, 1, (len(observer.space),), np.int8)
    if form == "flat":
        return spaces.Dict({"observation": vector, "action_mask": mask})
    arrays: dict[str, spaces.Space[Any]] = {
        name: spaces.Box(-MOST if name in SIGNED else 0, MOST, shape, np.int16)
        for name, shape in observer.shapes.items()
    }
    return spaces.Dict({**arrays, "action_mask": mask})


def observation(stepper: Stepper, seat: int, form: str) -> Any:
    """Return the observation of a seat in this form."""
    if form == "vector":
        return stepper.vector(seat)
    if form == "flat":
        return {"observation": stepper.vector(seat), "action_mask": stepper.mask(seat)}
    return {**stepper.arrays(seat), "action_mask": stepper.mask(seat)}
