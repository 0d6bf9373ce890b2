"""Tables, games and devices, for programs on asyncio."""

from __future__ import annotations

import functools
from collections.abc import Callable, Coroutine
from typing import Any, Concatenate, ParamSpec, TypeVar
from uuid import UUID, uuid4

from .asking import Asking
from .raw.api.devices import create_device_code, create_device_token
from .raw.api.games import get_game
from .raw.api.invites import get_invite
from .raw.api.me import list_my_tables
from .raw.api.seats import leave_seat, set_presence, take_seat
from .raw.api.series import agree_rematch, withdraw_rematch
from .raw.api.tables import get_table, open_table
from .raw.models import (
    AgreeRematchRequest,
    CreateDeviceTokenRequest,
    DeviceCode,
    Game,
    GameTable,
    OpenTableRequest,
    OwnProfile,
    PresenceChoice,
    SetPresenceRequest,
    TakeSeatRequest,
)

P = ParamSpec("P")
A = TypeVar("A")
B = TypeVar("B")
T = TypeVar("T")


def fields_of(
    request: Callable[P, B],
) -> Callable[[Callable[[A, B], Coroutine[Any, Any, T]]], Callable[Concatenate[A, P], Coroutine[Any, Any, T]]]:
    """Lets a method take the fields of a request in place of the request."""

    def decorate(method: Callable[[A, B], Coroutine[Any, Any, T]]) -> Callable[Concatenate[A, P], Coroutine[Any, Any, T]]:
        @functools.wraps(method)
        async def taking(self: A, /, *args: P.args, **kwargs: P.kwargs) -> T:
            return await method(self, request(*args, **kwargs))

        return taking

    return decorate


class AsyncTables:
    """Tables, and the caller's seat at them."""

    def __init__(self, asking: Asking) -> None:
        self._asking = asking

    @fields_of(OpenTableRequest)
    async def open(self, body: OpenTableRequest) -> GameTable:
        """Opens one table, however often it has to be sent. Takes the fields of OpenTableRequest."""
        body.client_ref = body.client_ref or uuid4()
        return await self._asking.ask(open_table, body=body)

    async def get(self, table_id: UUID) -> GameTable:
        return await self._asking.ask(get_table, table_id)

    async def mine(self) -> list[GameTable]:
        """The caller's open tables, those that wait for the caller first."""
        return (await self._asking.ask(list_my_tables)).items

    async def invited(self, invite_code: str) -> GameTable:
        """Looks at the table behind an invitation; takes no seat."""
        return await self._asking.ask(get_invite, invite_code)

    async def join(self, table_id: UUID, invite_code: str | None = None, settings_version: int | None = None) -> GameTable:
        """Takes the free seat, or comes back to one's own."""
        body = TakeSeatRequest(invite_code=invite_code, settings_version=settings_version)
        return await self._asking.ask(take_seat, table_id, body=body)

    async def join_by_invitation(self, invite_code: str) -> GameTable:
        """Takes the free seat of the private table behind an invitation."""
        return await self.join((await self.invited(invite_code)).id, invite_code)

    async def leave(self, table_id: UUID) -> None:
        await self._asking.ask(leave_seat, table_id)

    async def presence(self, table_id: UUID, state: PresenceChoice) -> GameTable:
        """Says that the caller is here or away; whoever follows is here, unless said."""
        return await self._asking.ask(set_presence, table_id, body=SetPresenceRequest(state=state))

    async def rematch(self, game: Game) -> GameTable:
        """Agrees to another game after a finished one."""
        return await self._asking.ask(agree_rematch, game.table_id, body=AgreeRematchRequest(game_id=game.id))

    async def withdraw_rematch(self, game: Game) -> GameTable:
        return await self._asking.ask(withdraw_rematch, game.table_id, game_id=game.id)


class AsyncGames:
    """Games."""

    def __init__(self, asking: Asking) -> None:
        self._asking = asking

    async def get(self, game_id: UUID) -> Game:
        return await self._asking.ask(get_game, game_id)


class AsyncDevices:
    """Other devices of the same player."""

    def __init__(self, asking: Asking) -> None:
        self._asking = asking

    async def code(self) -> DeviceCode:
        """A code for another device: good once and for ten minutes."""
        return await self._asking.ask(create_device_code)

    async def use(self, code: str, device_name: str | None = None) -> OwnProfile:
        """Makes this client another device of the player who has the code, and keeps its token in place of another.

        It is sent once, since a code works once: after a temporary problem ask for a new code."""
        request = create_device_token._get_kwargs(body=CreateDeviceTokenRequest(code=code, device_name=device_name))
        opened = await self._asking.send(create_device_token, request, repeat=0)
        self._asking.token = opened.token
        return opened.profile
