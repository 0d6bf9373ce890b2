"""The same for programs that wait: each client has a thread in which the asynchronous one works."""

from __future__ import annotations

import asyncio
import concurrent.futures
import functools
import os
import threading
import weakref
from collections.abc import AsyncIterator, Callable, Coroutine, Iterator, Mapping
from functools import partial
from typing import Any, Concatenate, ParamSpec, TypeVar

from .asking import Timeouts
from .client import AsyncFourInARow, _follow
from .following import Connection, Follower, Following, Mailbox
from .problem import Problem
from .raw.models import Game, GameTable
from .rooms import AsyncDevices, AsyncGames, AsyncTables
from .tokens import TokenStore

P = ParamSpec("P")
A = TypeVar("A")
T = TypeVar("T")


class Loop:
    """A thread that ends with the program, or when nobody holds this any more."""

    def __init__(self) -> None:
        self._process = os.getpid()
        self._lock = threading.Lock()
        self._closed = False
        self._loop = asyncio.new_event_loop()
        self._thread = threading.Thread(target=_run, args=(self._loop,), name="fourinarow", daemon=True)
        self._thread.start()
        self._end = weakref.finalize(self, self._loop.call_soon_threadsafe, self._loop.stop)

    def run(self, work: Coroutine[Any, Any, T]) -> T:
        if self._process != os.getpid():
            work.close()
            raise RuntimeError("this client was made before the process forked: make it afterwards")
        with self._lock:
            if self._closed:
                work.close()
                raise Problem("cancelled", "The client was closed")
            future = asyncio.run_coroutine_threadsafe(work, self._loop)
        try:
            return future.result()
        except concurrent.futures.CancelledError:
            raise Problem("cancelled", "The client was closed") from None
        except BaseException:  # a Ctrl-C here ends the request there
            future.cancel()
            raise

    def close(self, last: Callable[[], Coroutine[Any, Any, None]]) -> None:
        """Cancels whatever runs, and does the last thing."""
        with self._lock:
            if self._closed or self._process != os.getpid():
                return
            self._closed = True  # what was begun before is cancelled, and nothing begins any more
            future = asyncio.run_coroutine_threadsafe(_cancel_all(last), self._loop)
        future.result()
        self._end()
        self._thread.join()


def _run(loop: asyncio.AbstractEventLoop) -> None:
    loop.run_forever()
    loop.close()


async def _cancel_all(last: Callable[[], Coroutine[Any, Any, None]]) -> None:
    others = asyncio.all_tasks() - {asyncio.current_task()}
    for task in others:
        task.cancel()
    await asyncio.gather(*others, return_exceptions=True)
    await last()


class _Blocking:
    def __init__(self, loop: Loop, asynchronous: Any) -> None:
        self._loop = loop
        self._async = asynchronous


def _waiting(method: Callable[Concatenate[A, P], Coroutine[Any, Any, T]]) -> Callable[Concatenate[Any, P], T]:
    @functools.wraps(method)
    def call(self: Any, /, *args: P.args, **kwargs: P.kwargs) -> T:
        return self._loop.run(method(self._async, *args, **kwargs))  # type: ignore[no-any-return]

    return call


def _iterating(method: Callable[Concatenate[A, P], AsyncIterator[T]]) -> Callable[Concatenate[Any, P], Iterator[T]]:
    @functools.wraps(method)
    def call(self: Any, /, *args: P.args, **kwargs: P.kwargs) -> Iterator[T]:
        items = method(self._async, *args, **kwargs)
        none: Any = object()
        while (item := self._loop.run(_next(items, none))) is not none:
            yield item

    return call


async def _next(items: AsyncIterator[T], none: T) -> T:
    return await anext(items, none)


class BlockingFollowing(Iterator[Game]):
    """The states of a game, or of a table's games. It asks on while the caller is busy, so that the player isn't taken for
    away: end it by leaving the loop, or with `close`, from any thread, which ends a waiting loop at once."""

    def __init__(self, loop: Loop, following: Following) -> None:
        self._loop = loop
        self._following = following

    def __next__(self) -> Game:
        while True:
            item = self._loop.run(self._following.next_item())
            if item is None:
                raise StopIteration
            if isinstance(item, Game):
                return item
            item()

    def close(self) -> None:
        self._loop.run(self._following.aclose())


class Tables(_Blocking):
    """Tables, and the caller's seat at them."""

    open = _waiting(AsyncTables.open)
    get = _waiting(AsyncTables.get)
    mine = _waiting(AsyncTables.mine)
    invited = _waiting(AsyncTables.invited)
    join = _waiting(AsyncTables.join)
    join_by_invitation = _waiting(AsyncTables.join_by_invitation)
    leave = _waiting(AsyncTables.leave)
    presence = _waiting(AsyncTables.presence)
    rematch = _waiting(AsyncTables.rematch)
    withdraw_rematch = _waiting(AsyncTables.withdraw_rematch)


class Games(_Blocking):
    """Games."""

    get = _waiting(AsyncGames.get)


class Devices(_Blocking):
    """Other devices of the same player."""

    code = _waiting(AsyncDevices.code)
    use = _waiting(AsyncDevices.use)


class FourInARow(_Blocking):
    """One player of one service; see AsyncFourInARow. Threads can share it."""

    def __init__(
        self,
        base_url: str,
        *,
        tokens: TokenStore | None = None,
        profile_name: str | None = None,
        timeouts: Timeouts | None = None,
        httpx_args: Mapping[str, Any] | None = None,
    ) -> None:
        client = AsyncFourInARow(base_url, tokens=tokens, profile_name=profile_name, timeouts=timeouts, httpx_args=httpx_args)
        super().__init__(Loop(), client)
        self.tables = Tables(self._loop, client.tables)
        self.games = Games(self._loop, client.games)
        self.devices = Devices(self._loop, client.devices)

    def __enter__(self) -> FourInARow:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        """Ends whatever waits, in any thread, with the problem `cancelled`."""
        self._loop.close(self._async.aclose)

    sign_in = _waiting(AsyncFourInARow.sign_in)
    me = _waiting(AsyncFourInARow.me)
    update_me = _waiting(AsyncFourInARow.update_me)
    delete_me = _waiting(AsyncFourInARow.delete_me)
    quick_match = _waiting(AsyncFourInARow.quick_match)
    stop_quick_match = _waiting(AsyncFourInARow.stop_quick_match)
    move = _waiting(AsyncFourInARow.move)
    resign = _waiting(AsyncFourInARow.resign)
    hint = _waiting(AsyncFourInARow.hint)
    picture = _waiting(AsyncFourInARow.picture)
    history = _iterating(AsyncFourInARow.history)
    pages = _iterating(AsyncFourInARow.pages)
    ask = _waiting(AsyncFourInARow.ask)

    def follow(
        self,
        of: Game | GameTable,
        *,
        on_connection: Callable[[Connection], None] = lambda _: None,
        on_table: Callable[[GameTable], None] = lambda _: None,
    ) -> BlockingFollowing:
        """As AsyncFourInARow's; what is told is told in the thread that iterates, in its turn."""
        asking = self._async._asking

        async def run(mailbox: Mailbox) -> None:
            follower = Follower(
                asking,
                mailbox,
                lambda connection: mailbox.put(partial(on_connection, connection)),
                lambda table: mailbox.put(partial(on_table, table)),
            )
            await _follow(follower, of)

        return BlockingFollowing(self._loop, Following(asking, run))
