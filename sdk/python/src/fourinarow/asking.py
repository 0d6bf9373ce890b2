"""Requests, sent again until their outcome is known."""

from __future__ import annotations

import asyncio
import random
import time
from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import dataclass
from importlib.metadata import version
from itertools import count
from typing import Any, ParamSpec, Protocol, TypeVar
from uuid import UUID

import httpx

from .clock import note_arrival
from .problem import Problem, not_the_service, problem_of
from .raw.client import Client
from .raw.errors import UnexpectedStatus
from .raw.models import Game
from .raw.models import Problem as ProblemBody
from .tokens import TokenStore

P = ParamSpec("P")
T = TypeVar("T")
T_co = TypeVar("T_co", covariant=True)


class Operation(Protocol[P, T_co]):
    """A module of `fourinarow.raw.api`: what to send, and how to read the answer."""

    def _get_kwargs(self, *args: P.args, **kwargs: P.kwargs) -> dict[str, Any]: ...

    def _parse_response(self, *, client: Any, response: httpx.Response) -> T_co | ProblemBody | None: ...


class Page(Protocol[T_co]):
    """A page of a list."""

    @property
    def items(self) -> Sequence[T_co]: ...

    @property
    def next_cursor(self) -> str | None: ...


@dataclass(frozen=True)
class Timeouts:
    """How long to wait, in seconds."""

    request: float = 10
    """For an answer that isn't held."""
    wait: int = 25
    """How long the service may hold an answer of a follower; 0: it isn't asked to."""
    repeat: float = 10
    """How long a request is sent again while its problem is temporary; 0: it is sent once."""
    move: float = 60
    """The same for a move."""


@dataclass(frozen=True)
class Clock:
    """The time that goes by."""

    now: Callable[[], float] = time.monotonic
    sleep: Callable[[float], Awaitable[None]] = asyncio.sleep


class Asking:
    """One player's way to one service."""

    def __init__(
        self,
        base_url: str,
        *,
        tokens: TokenStore,
        profile_name: str | None,
        timeouts: Timeouts,
        httpx_args: Mapping[str, Any] | None,
    ) -> None:
        self.base_url = _plain(base_url)
        self.timeouts = timeouts
        self.clock = Clock()
        self._tokens = tokens
        self._key = self.base_url if profile_name is None else f"{self.base_url}#{profile_name}"
        self._token: str | None = None
        self.newest: dict[UUID, int] = {}  # the newest version seen, by the ids of followed games
        self._heard = False  # whether the service has ever answered here
        self._parser = Client(base_url=self.base_url, raise_on_unexpected_status=True)
        self._http = httpx.AsyncClient(
            **{"limits": httpx.Limits(max_connections=None, max_keepalive_connections=20), **(httpx_args or {})},
            base_url=self.base_url,
        )
        self._http.headers["User-Agent"] = f"fourinarow-python/{version('fourinarow')}"

    @property
    def token(self) -> str | None:
        if self._token is None:
            self._token = self._tokens.get(self._key)
        return self._token

    @token.setter
    def token(self, token: str | None) -> None:
        self._token = token
        if token is None:
            self._tokens.clear(self._key)
        else:
            self._tokens.set(self._key, token)

    async def close(self) -> None:
        await self._http.aclose()

    async def ask(self, operation: Operation[P, T], /, *args: P.args, **kwargs: P.kwargs) -> T:
        return await self.send(operation, operation._get_kwargs(*args, **kwargs))

    async def send(
        self, operation: Operation[..., T], request: dict[str, Any], *, repeat: float | None = None, held: float = 0
    ) -> T:
        """Sends it again while its problem is temporary, for `repeat` seconds; the service may hold the answer for `held`."""
        end = self.clock.now() + (self.timeouts.repeat if repeat is None else repeat)
        for tried in count():
            try:
                return await self._once(operation, request, held)
            except Problem as problem:
                problem.sent = tried + 1
                after = pause(problem, tried)
                if not problem.temporary or self._never_there(problem) or self.clock.now() + after >= end:
                    raise
            await self.clock.sleep(after)
        raise AssertionError  # count() has no end

    async def _once(self, operation: Operation[..., T], request: dict[str, Any], held: float) -> T:
        headers = dict(request.get("headers", {}))
        if self.token is not None:
            headers["Authorization"] = f"Bearer {self.token}"
        timeout = httpx.Timeout(self.timeouts.request, read=self.timeouts.request + held)
        try:
            response = await self._http.request(**{**request, "headers": headers}, timeout=timeout)
        except httpx.TimeoutException as error:
            raise Problem("timed_out", "There was no answer in time", detail=str(error)) from error
        except (httpx.HTTPError, RuntimeError) as error:
            if self._http.is_closed:
                raise Problem("cancelled", "The client was closed") from error
            if isinstance(error, RuntimeError):
                raise
            raise Problem("connection_failed", "The service can't be reached", detail=str(error)) from error
        if not response.is_success:
            problem = problem_of(response)
            self._heard = self._heard or problem.body is not None
            if problem.game:
                self._note(problem.game)
            raise problem
        value = self._read(operation, response)
        self._heard = True
        return value

    def _read(self, operation: Operation[..., T], response: httpx.Response) -> T:
        status = response.status_code
        if "html" in response.headers.get("Content-Type", ""):  # it answers nobody with a page here
            raise not_the_service("It answered with a page for people", status)
        try:
            value: Any = operation._parse_response(client=self._parser, response=response)
        except UnexpectedStatus as error:
            raise not_the_service(f"It answered with {status}", status) from error
        except (ValueError, KeyError, TypeError, AttributeError) as error:
            raise not_the_service(f"Its answer can't be read: {error!r}", status) from error
        if isinstance(value, Game):
            self._note(value)
        return value  # type: ignore[no-any-return]

    def _note(self, game: Game) -> None:
        note_arrival(game)
        if game.id in self.newest:
            self.newest[game.id] = max(self.newest[game.id], game.version)

    def outdated(self, game: Game) -> bool:
        """Whether a newer state of a followed game has been seen, perhaps in the answer to a move."""
        return game.version < self.newest.get(game.id, 0)

    def _never_there(self, problem: Problem) -> bool:
        """Whether nobody listens where nobody ever answered: a wrong base URL, or the network is off; waiting won't help."""
        return not self._heard and isinstance(problem.__cause__, httpx.ConnectError)


def pause(problem: Problem, tried: int) -> float:
    """Seconds before the next try: those that the service asks for, or else up to 0.25, growing to 10; at random, so that not all
    come back at once."""
    if problem.retry_after is not None:
        return problem.retry_after + random.uniform(0, 0.25)
    return random.uniform(0, min(10.0, 0.25 * 2.0 ** min(tried, 10)))


def _plain(base_url: str) -> str:
    """A base URL without what doesn't belong there."""
    try:
        url = httpx.URL(base_url)
    except httpx.InvalidURL:
        url = httpx.URL("")
    if url.scheme not in ("http", "https") or not url.host:
        raise not_the_service(f"{base_url!r} is no address that begins with https:// or http://")
    return str(url.copy_with(query=None, fragment=None)).rstrip("/")
