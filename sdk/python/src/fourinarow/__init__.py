"""Four in a row: tables, games and moves of a service, followed and sent again until they are known."""

from importlib.metadata import version

from .asking import Timeouts
from .blocking import FourInARow
from .client import AsyncFourInARow, Played, Refused
from .clock import remaining
from .problem import Problem
from .raw.models import Game, GameTable
from .tokens import FileTokens, MemoryTokens, TokenStore

__version__ = version("fourinarow")

__all__ = [
    "AsyncFourInARow",
    "FileTokens",
    "FourInARow",
    "Game",
    "GameTable",
    "MemoryTokens",
    "Played",
    "Problem",
    "Refused",
    "Timeouts",
    "TokenStore",
    "remaining",
]
