"""The states of games, as they come."""

from __future__ import annotations

import asyncio
from collections import deque
from collections.abc import AsyncIterator, Callable, Coroutine
from contextlib import suppress
from itertools import count
from typing import Any, Generic, Literal, Protocol, TypeVar
from uuid import UUID

from .asking import Asking, Operation, pause
from .problem import Problem
from .raw.api.games import get_game
from .raw.api.tables import get_table
from .raw.models import Game, GameTable

Connection = Literal["lost", "back"]
Call = Callable[[], None]

_SLACK = 0.1  # seconds by which two clocks may differ


class Mailbox:
    """What came and isn't fetched yet; of one game the newest state."""

    def __init__(self, outdated: Callable[[Game], bool]) -> None:
        self._outdated = outdated
        self._items: deque[Game | Call] = deque()
        self._last: Game | None = None
        self._changed = asyncio.Event()
        self.over = False
        self.error: BaseException | None = None

    def put(self, item: Game | Call) -> None:
        if isinstance(item, Game):
            if self._last and (self._last.id, self._last.version) == (item.id, item.version):
                return
            self._last = item
            newest = self._items[-1] if self._items else None
            if isinstance(newest, Game) and newest.id == item.id:
                self._items.pop()
        self._items.append(item)
        self._changed.set()

    def end(self, error: BaseException | None = None) -> None:
        self.over, self.error = True, error
        self._changed.set()

    async def get(self) -> Game | Call | None:
        """The next item; None at the end."""
        while True:
            while self._items:
                item = self._items.popleft()
                if not (isinstance(item, Game) and self._outdated(item)):
                    return item
            if self.over:
                if self.error:
                    error, self.error = self.error, None
                    raise error
                return None
            self._changed.clear()
            await self._changed.wait()

    def empty(self) -> None:
        self._items.clear()


class Following(AsyncIterator[Game]):
    """The states of a game, or of a table's games. It asks on while the caller is busy, so that the player isn't taken for
    away: end it by leaving the loop, or with `aclose`, which ends a waiting loop at once."""

    def __init__(self, asking: Asking, run: Callable[[Mailbox], Coroutine[Any, Any, None]]) -> None:
        self._outdated = asking.outdated
        self._run = run
        self._mailbox: Mailbox | None = None
        self._task: asyncio.Task[None] | None = None
        self._closed = False

    def __aiter__(self) -> Following:
        return self

    async def __anext__(self) -> Game:
        item = await self.next_item()
        if not isinstance(item, Game):
            raise StopAsyncIteration
        return item

    async def next_item(self) -> Game | Call | None:
        """The next state, or what has to be called before it; None at the end."""
        if self._closed:
            return None
        if self._mailbox is None:
            self._mailbox = Mailbox(self._outdated)
            self._task = asyncio.create_task(_filled(self._mailbox, self._run))
        return await self._mailbox.get()

    async def aclose(self) -> None:
        self._closed = True
        if self._mailbox and self._task:
            self._mailbox.empty()
            self._mailbox.end()
            self._task.cancel()
            await asyncio.wait([self._task])

    def __del__(self) -> None:
        if self._task and not self._task.done():
            with suppress(RuntimeError):  # its loop has ended
                self._task.get_loop().call_soon_threadsafe(self._task.cancel)  # from whatever thread collects garbage


async def _filled(mailbox: Mailbox, run: Callable[[Mailbox], Coroutine[Any, Any, None]]) -> None:
    try:
        await run(mailbox)
    except asyncio.CancelledError:
        mailbox.end()
        raise
    except BaseException as error:  # whoever iterates raises it
        mailbox.end(error)
    else:
        mailbox.end()


class Document(Protocol):
    """What has versions."""

    version: int
    poll_after_ms: int | None


D = TypeVar("D", bound=Document)


class Follower:
    """Puts what changes into a mailbox."""

    def __init__(
        self,
        asking: Asking,
        mailbox: Mailbox,
        on_connection: Callable[[Connection], None],
        on_table: Callable[[GameTable], None],
    ) -> None:
        self.asking = asking
        self._mailbox = mailbox
        self._on_connection = on_connection
        self._on_table = on_table
        self._heard = False
        self._lost = False

    async def game(self, game_id: UUID, version: int = 0) -> None:
        """Until it is over."""
        states, newest = _States(self, get_game, game_id, version), self.asking.newest
        newest[game_id] = seen = version
        try:
            while True:
                game = await states.next()
                if game.version < seen:  # the service was restored
                    newest[game_id] = game.version
                seen = game.version
                self._mailbox.put(game)
                if game.status == "finished" or game.finished_at is not None:
                    return
        finally:
            newest.pop(game_id, None)

    async def table(self, table: GameTable) -> None:
        """Its games, one after the other, until it closes; where quick match took its owner to another table, that table's."""
        states = _States(self, get_table, table.id, table.version)
        over: UUID | None = None  # the game that was followed to its end
        while True:
            seen = table.version
            table = await states.next()
            self._on_table(table)
            over = None if table.version < seen else over
            if table.current_game_id not in (None, over):
                over = table.current_game_id
                await self.game(over)
                states.read_at_once()
            elif table.status == "closed" or table.poll_after_ms is None:
                if table.moved_to_table_id is None:
                    return
                table = await self.steadily(get_table, get_table._get_kwargs(table.moved_to_table_id))
                states, over = _States(self, get_table, table.id, table.version), None

    async def steadily(self, operation: Operation[..., D], request: dict[str, Any], held: float = 0) -> D:
        """The answer, however long the service is away."""
        for tried in count():
            try:
                answer = await self.asking.send(operation, request, repeat=0, held=held)
            except Problem as problem:
                gateway = self._heard and problem.code == "not_the_service"  # it was the service before
                if not (problem.temporary or gateway):
                    raise
                if problem.status not in (408, 429):
                    self._say("lost")
                after = pause(problem, tried)
            else:
                self._heard = True
                self._say("back")
                return answer
            await self.asking.clock.sleep(after)
        raise AssertionError  # count() has no end

    def _say(self, connection: Connection) -> None:
        if self._lost != (connection == "lost"):
            self._lost = not self._lost
            self._on_connection(connection)


class _States(Generic[D]):
    """The states of one document: how it is, and then each other version; a lower one after the service was restored."""

    def __init__(self, follower: Follower, operation: Operation[..., D], of: UUID, version: int) -> None:
        self._follower = follower
        self._operation = operation
        self._of = of
        self._seen = version
        self._at_once = True

    def read_at_once(self) -> None:
        """The next state is how it is then, whether it has changed or not."""
        self._at_once = True

    async def next(self) -> D:
        clock = self._follower.asking.clock
        while True:
            at_once, self._at_once = self._at_once, False
            wait = 0 if at_once else self._follower.asking.timeouts.wait
            asked = clock.now()
            request = self._operation._get_kwargs(self._of, after_version=self._seen, wait=wait)
            answer = await self._follower.steadily(self._operation, request, held=wait)
            if at_once or answer.version != self._seen:
                self._seen = answer.version
                return answer
            if wait == 0 or clock.now() - asked < wait - _SLACK:  # the service would not hold it
                await clock.sleep(1.0 if answer.poll_after_ms is None else answer.poll_after_ms / 1000)
