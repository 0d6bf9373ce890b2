"""One player of one service, for programs on asyncio."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Callable, Mapping
from dataclasses import dataclass
from typing import Any, Literal, ParamSpec, TypeVar
from uuid import UUID

from .asking import Asking, Operation, Page, Timeouts
from .following import Connection, Follower, Following
from .problem import Problem
from .raw.api.games import get_picture, play_move, resign_game
from .raw.api.insights import request_hint
from .raw.api.matchmaking import start_quick_match, stop_quick_match
from .raw.api.me import delete_me, get_me, update_me
from .raw.api.profiles import list_profile_games, open_profile
from .raw.models import (
    BoardPosition,
    Game,
    GameTable,
    OpenProfileRequest,
    OwnProfile,
    PaletteChoice,
    PlayedGame,
    PlayMoveRequest,
    QuickMatchRequest,
    ResultChoice,
    UpdateMeRequest,
)
from .rooms import AsyncDevices, AsyncGames, AsyncTables, fields_of
from .tokens import MemoryTokens, TokenStore

P = ParamSpec("P")
A = TypeVar("A")
B = TypeVar("B")
T = TypeVar("T")


@dataclass(frozen=True)
class Played:
    """The move was played."""

    game: Game
    ok: Literal[True] = True


@dataclass(frozen=True)
class Refused:
    """The game refused the move: `problem.game` is the game as it is now."""

    problem: Problem
    ok: Literal[False] = False


class AsyncFourInARow:
    """One player of one service. What can't be done raises a `Problem`, but for `move`, which gives refusals back.

    The base URL is what stands before `/v1`. Tokens are kept in memory unless a store is handed in; `profile_name` names one of
    several players in it. `httpx_args` go to httpx (certificates, proxies)."""

    def __init__(
        self,
        base_url: str,
        *,
        tokens: TokenStore | None = None,
        profile_name: str | None = None,
        timeouts: Timeouts | None = None,
        httpx_args: Mapping[str, Any] | None = None,
    ) -> None:
        self._asking = Asking(
            base_url,
            tokens=tokens or MemoryTokens(),
            profile_name=profile_name,
            timeouts=timeouts or Timeouts(),
            httpx_args=httpx_args,
        )
        self._signing_in = asyncio.Lock()
        self.tables = AsyncTables(self._asking)
        self.games = AsyncGames(self._asking)
        self.devices = AsyncDevices(self._asking)

    async def __aenter__(self) -> AsyncFourInARow:
        return self

    async def __aexit__(self, *_: object) -> None:
        await self.aclose()

    async def aclose(self) -> None:
        await self._asking.close()

    async def sign_in(
        self,
        display_name: str | None = None,
        *,
        locale: str | None = None,
        device_name: str | None = None,
        replace_revoked: bool = False,
    ) -> OwnProfile:
        """The player whose token is stored, as it is, or a new guest, whose token is stored then.

        A stored token that the service refuses is the problem `unauthenticated`, unless it may be replaced by a new guest's."""
        async with self._signing_in:  # twice at once is one guest
            if self._asking.token is not None:
                try:
                    return await self.me()
                except Problem as problem:
                    if not (replace_revoked and problem.status == 401):
                        raise
            body = OpenProfileRequest(display_name=display_name, locale=locale, device_name=device_name)
            opened = await self._asking.ask(open_profile, body=body)
            self._asking.token = opened.token
            return opened.profile

    async def me(self) -> OwnProfile:
        return await self._asking.ask(get_me)

    @fields_of(UpdateMeRequest)
    async def update_me(self, body: UpdateMeRequest) -> OwnProfile:
        """Changes the name or the language. Takes the fields of UpdateMeRequest."""
        return await self._asking.ask(update_me, body=body)

    async def delete_me(self) -> None:
        """Leaves for good and forgets the token."""
        try:
            await self._asking.ask(delete_me)
        except Problem as problem:
            if not (problem.sent > 1 and problem.status == 401):  # else the answer that got lost was the deletion's
                raise
        self._asking.token = None

    @fields_of(QuickMatchRequest)
    async def quick_match(self, body: QuickMatchRequest) -> GameTable:
        """A table with a stranger, or one that waits for one: follow it. Takes the fields of QuickMatchRequest."""
        return await self._asking.ask(start_quick_match, body=body)

    async def stop_quick_match(self) -> None:
        await self._asking.ask(stop_quick_match)

    def follow(
        self,
        of: Game | GameTable,
        *,
        on_connection: Callable[[Connection], None] = lambda _: None,
        on_table: Callable[[GameTable], None] = lambda _: None,
    ) -> Following:
        """The states of a game, each newer than the one before; a busy caller finds the newest. Of a game it ends with the game;
        of a table it goes on from game to game, and to where quick match moves the player, and ends when the table closes.

        `on_connection` is told that the service can't be reached and that it can again, `on_table` every state of the table."""
        asking = self._asking
        return Following(asking, lambda mailbox: _follow(Follower(asking, mailbox, on_connection, on_table), of))

    async def move(self, game: Game, column: int) -> Played | Refused:
        """Plays the next ply of the game as it is given, once, however often it has to be sent until the answer comes.

        Where nothing is known after `timeouts.move` it raises the last problem; the game says then whether it was played."""
        request = play_move._get_kwargs(game.id, body=PlayMoveRequest(column=column, ply=game.ply + 1))
        try:
            return Played(await self._asking.send(play_move, request, repeat=self._asking.timeouts.move))
        except Problem as problem:
            if problem.game is None:
                raise
            return Refused(problem)

    async def resign(self, game_id: UUID) -> Game:
        return await self._asking.ask(resign_game, game_id)

    async def hint(self, game_id: UUID) -> BoardPosition:
        """What each column is worth, for the caller's turn."""
        return await self._asking.ask(request_hint, game_id)

    async def picture(
        self, game_id: UUID, *, ply: int | None = None, palette: PaletteChoice | None = None, lang: str | None = None
    ) -> bytes:
        """The board as an SVG document."""
        file = await self._asking.ask(get_picture, game_id, ply=ply, palette=palette, lang=lang)
        return file.payload.read()

    async def history(
        self,
        profile_id: UUID | None = None,
        *,
        result: ResultChoice | None = None,
        opponent: UUID | None = None,
        ranked: bool | None = None,
    ) -> AsyncIterator[PlayedGame]:
        """The finished games of a player, the last first; the caller's own unless said."""
        of = profile_id or (await self.me()).id
        async for game in self.pages(list_profile_games, of, result=result, opponent=opponent, ranked=ranked):
            yield game

    async def pages(self, operation: Operation[P, Page[T]], /, *args: P.args, **kwargs: P.kwargs) -> AsyncIterator[T]:
        """The items of a list, page by page: `four.pages(get_leaderboard)`."""
        request = operation._get_kwargs(*args, **kwargs)
        while True:
            page = await self._asking.send(operation, request)
            for item in page.items:
                yield item
            if page.next_cursor is None:
                return
            request["params"]["cursor"] = page.next_cursor

    async def ask(self, operation: Operation[P, T], /, *args: P.args, **kwargs: P.kwargs) -> T:
        """The answer of any operation, a module of `fourinarow.raw.api`: `await four.ask(get_analysis, game.id)`.

        It is sent again while a problem is temporary."""
        return await self._asking.ask(operation, *args, **kwargs)


async def _follow(follower: Follower, of: Game | GameTable) -> None:
    if isinstance(of, Game):
        await follower.game(of.id, of.version)
    else:
        await follower.table(of)
