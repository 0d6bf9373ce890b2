"""How long the one to move has left, whatever the device's clock says."""

from __future__ import annotations

import time
import weakref
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from .raw.models import Game, Side

_arrivals: dict[int, tuple[weakref.ref[Game], float]] = {}  # by id: the generated classes compare by value, so they have no hash


def note_arrival(game: Game) -> None:
    """Notes that the answer with this game has just come."""
    key = id(game)
    _arrivals[key] = weakref.ref(game, lambda _: _arrivals.pop(key, None)), time.monotonic()


def remaining(game: Game, side: Side | None = None) -> float | None:
    """Seconds left for the move of this side, or of the one to move; None where no clock of it runs."""
    if game.remaining_ms is None or side not in (None, game.turn):
        return None
    now = time.monotonic()
    _, arrived = _arrivals.get(id(game), (None, now))
    return max(0.0, game.remaining_ms / 1000 - (now - arrived))
