# SPDX-License-Identifier: GPL-2.0-or-later
"""What a figure is, and what those of both papers share."""
import dataclasses

import paper
from plot import Panel
from sheet import Bad, Row

NONE = "no TimeGraph"


@dataclasses.dataclass
class Figure:
    """about: a line; scenes(): what to run; panels by name; rows(found): from the results."""
    about: str
    scenes: object
    panels: dict
    rows: object


def ranges(title="what the paper's text says, and ours"):
    return Panel(title, "ranges")


def stated(figure, ours):
    """The paper's statements; ours: values by statement and series, also of those without."""
    for s in paper.STATEMENTS[figure]:
        yield Row("text", "paper", s.what, s.low, s.high, "paper", s.said)
    for (what, series), value in ours.items():
        yield Row("text", series, what, value, source="computed")


def gain(new, old):
    if not old:
        raise Bad("a program that others are compared with drew no frame")
    return 100 * (new / old - 1)
