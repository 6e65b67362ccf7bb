"""Environments for machine learning: PettingZoo, Gymnasium and OpenSpiel see Alhambra as one of their games.

    aec.py             PettingZoo: every seat is an agent
    single.py          Gymnasium: one agent against players of this library
    openspiel.py       OpenSpiel: the Python game `python_alhambra`; import it by its name
    actions.py         moves as series of small integers
    move_choice.py     which of them are legal next
    payment_choice.py  payments, card by card
    observations.py    what a seat sees, as arrays
    stepper.py         a game played action by action
    rewards.py         rewards

Needs the extra `rl`; `openspiel.py` needs the extra `openspiel`. The guide is `docs/research.md`. No file of this
folder has code for a particular module.
"""

try:
    import gymnasium
    import numpy  # noqa: F401
    import pettingzoo  # noqa: F401
except ModuleNotFoundError as fault:
    message = f"the environments need the extra rl, which has {fault.name}: pip install 'alhambra-rules[rl]'"
    raise ModuleNotFoundError(message, name=fault.name) from fault

from .actions import ENCODING_VERSION, END, ActionSpace
from .aec import AlhambraEnv, aec_env
from .observations import Observer
from .rewards import REWARDS
from .single import SingleAgentEnv
from .stepper import Stepper

__all__ = [
    "ENCODING_VERSION",
    "END",
    "GYMNASIUM_ID",
    "REWARDS",
    "ActionSpace",
    "AlhambraEnv",
    "Observer",
    "SingleAgentEnv",
    "Stepper",
    "aec_env",
]

GYMNASIUM_ID = f"Alhambra-v{ENCODING_VERSION}"
"""The name under which `gymnasium.make("alhambra.envs:Alhambra-v1", …)` finds the single-agent environment."""

if GYMNASIUM_ID not in gymnasium.registry:
    gymnasium.register(GYMNASIUM_ID, entry_point="alhambra.envs.single:SingleAgentEnv")
