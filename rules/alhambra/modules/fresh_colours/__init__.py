"""34 Fresh colours.

A plan has a column for each currency, with a decoration project and three offers of colours. Who overpays a building
may take one thing from the column of the currency paid: the project, an offer of colours, or the top project of the
stack, which lies open. Nobody keeps more than five colour tiles, two uncompleted projects, or two projects of one
building type. To complete one or two own projects, by returning the colour tiles that they show, is an action without
a further one. In every scoring after that each building of the type in their own Alhambra brings 2 points. With two or
three players projects with a star are left out.
"""

from __future__ import annotations

from ...components import CURRENCIES
from ...declarations import PieceKind, Reason, outline_of
from ...module import Module, Stage, Step
from .complete_project import COMPLETE_PROJECT, SECOND_PROJECT, score_decorations
from .fresh_choice import DECISIONS, RETURN_COLOUR, TAKE_COLOURS, TAKE_PROJECT, ask_choice, ask_to_return
from .plan import OFFERS, PROJECTS, STACK, Plan, census, field_of, give_back, lay_out, public_pieces, secrets, view

__all__ = ["MODULE", "Plan"]

MODULE = Module(
    number=34,
    key="fresh_colours",
    events={
        "fresh_turned": "A project can be seen now, on a field of the plan or on top of the stack.",
        "fresh_taken": "A seat took a project.",
        "fresh_completed": "A seat completed a project and returned its colour tiles.",
        "colours_taken": "A seat took colour tiles.",
        "colours_returned": "Colour tiles of a seat went back to the supply.",
    },
    reasons=(
        Reason(
            "LIMIT_REACHED", "Nobody keeps two projects of one building type.", ("uncompleted_projects", "same_type")
        ),
        Reason(
            "CONDITION_UNMET", "The colour tiles are missing, before the seat or in the supply.", ("colours", "supply")
        ),
    ),
    scores={"decoration": "Buildings of a type whose decoration project is completed."},
    public_facts={"requires": "By project: the colour tiles that complete it."},
    piece_kinds=(
        PieceKind(
            "fresh",
            "A decoration project: on the plan, on top of the stack, or before a seat; `choice` says whether it is"
            " completed.",
            outline_of("fresh"),
            individual=True,
        ),
        PieceKind(
            "colours",
            "An offer printed on the plan: `amount` colour tiles of one colour.",
            outline_of("colours"),
        ),
        PieceKind(
            "paint",
            "Colour tiles of one colour, in the supply or before a seat.",
            outline_of("paint"),
        ),
    ),
    slots=(*map(field_of, CURRENCIES), STACK, *OFFERS),
    choices=("uncompleted", "completed"),
    pieces=tuple(PROJECTS),
    effects={"colours": "Overpaying brings colours or a project."},
    state=Plan,
    verbs=(TAKE_COLOURS, TAKE_PROJECT, RETURN_COLOUR, COMPLETE_PROJECT),
    decisions=(*DECISIONS, SECOND_PROJECT),
    stages=(Stage("purchase.colours", after="purchase.coins"),),
    steps=(
        Step("setup.deal", lay_out),
        Step("purchase.colours", ask_choice),
        Step("scoring.gains", score_decorations),
    ),
    agenda={"ask_to_return": ask_to_return},
    reactions={"resigned": give_back},
    view=view,
    public_pieces=public_pieces,
    secrets=secrets,
    census=census,
)
