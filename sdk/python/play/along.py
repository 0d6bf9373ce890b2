"""One player of a table's games, in a program on asyncio and in one that waits."""

from collections.abc import Generator
from dataclasses import dataclass, field
from typing import Any, Literal

from fourinarow import AsyncFourInARow, FourInARow, Game, GameTable, Played, Refused

PLAN = [1, 1, 1, 1, 1, 1, 2, 7, 3, 7, 4]  # whoever begins wins


@dataclass
class Seen:
    ends: dict[str, str] = field(default_factory=dict)  # how each game ended, by its id
    tables: list[str] = field(default_factory=list)
    connection: list[str] = field(default_factory=list)


Step = Literal["move", "away", "here", "rematch", "leave"]
Player = Generator[Step | None, Game, None]


def player(seen: Seen, away_in: int | None = None) -> Player:
    """What to do about each state of two games; in one of them the player may be away until the CPU has moved."""
    last: Game | None = None
    said: Step | None = None
    step: Step | None = None
    while True:
        game = yield step
        assert last is None or (game.number, game.version) > (last.number, last.version), (game, last)
        last, step = game, None
        if game.status == "finished":
            assert game.result
            seen.ends[str(game.id)] = f"{game.result.outcome} {game.result.winner} {game.moves}"
            step = "rematch" if game.number == 1 else "leave"
        elif game.number == away_in and said is None and game.can_move:
            said = step = "away"
        elif said == "away":
            if "c" in game.movers:
                said = step = "here"
        elif game.can_move:
            step = "move"


def column_of(game: Game, wanted: int | None = None) -> int:
    plan = [wanted, *PLAN[game.ply : game.ply + 1], *game.legal_columns]
    return next(column for column in plan if column in game.legal_columns)


def check(answer: Played | Refused) -> None:
    assert answer.ok or answer.problem.code == "stale_ply", answer


async def along(four: AsyncFourInARow, table: GameTable, before: Any, seen: Seen) -> None:
    playing = player(seen)
    next(playing)
    async for game in four.follow(
        table, on_connection=seen.connection.append, on_table=lambda table: seen.tables.append(table.status)
    ):
        match playing.send(game):
            case "move":
                check(await four.move(game, column_of(game, await before(game))))
            case "rematch":
                await four.tables.rematch(game)
            case "leave":
                await four.tables.leave(table.id)


def along_waiting(four: FourInARow, table: GameTable, away_in: int, seen: Seen) -> None:
    playing = player(seen, away_in)
    next(playing)
    for game in four.follow(table, on_table=lambda table: seen.tables.append(table.status)):
        match playing.send(game):
            case "move":
                check(four.move(game, column_of(game)))
            case "away" | "here" as state:
                four.tables.presence(table.id, state)
            case "rematch":
                four.tables.rematch(game)
            case "leave":
                four.tables.leave(table.id)
