"""A game through the client of openapi-python-client."""

import os
from http import HTTPStatus
from typing import TypeVar, cast
from uuid import UUID

import httpx
from fourinarow_client import AuthenticatedClient, Client
from fourinarow_client.api.games import get_game, get_picture, play_move, resign_game
from fourinarow_client.api.insights import get_analysis
from fourinarow_client.api.invites import get_invite
from fourinarow_client.api.me import get_me
from fourinarow_client.api.profiles import list_profile_games, open_profile
from fourinarow_client.api.seats import leave_seat, take_seat
from fourinarow_client.api.service import get_service, list_problems
from fourinarow_client.api.tables import get_table, open_table
from fourinarow_client.models import (
    Game,
    OpenProfileRequest,
    OpenTableRequest,
    PlayMoveRequest,
    Problem,
    TakeSeatRequest,
    VisibilityChoice,
)
from fourinarow_client.types import Response, Unset

T = TypeVar("T")


def check(response: httpx.Response) -> None:
    # The generator reads every failure as JSON, also the page of a gateway.
    if response.is_error and "json" not in response.headers.get("Content-Type", ""):
        response.raise_for_status()


def guest(url: str) -> AuthenticatedClient:
    # Who has no token yet uses Client; its calls are typed for both.
    return cast(AuthenticatedClient, Client(base_url=url))


def player(url: str, token: str) -> AuthenticatedClient:
    return AuthenticatedClient(base_url=url, token=token, httpx_args={"event_hooks": {"response": [check]}})


def answer(value: T | Problem | None) -> T:
    assert value is not None and not isinstance(value, Problem), value
    return value


def given(value: T | Unset) -> T:
    assert not isinstance(value, Unset)
    return value


def problem(response: Response[T | Problem], status: HTTPStatus) -> Problem:
    assert response.status_code == status, response
    assert isinstance(response.parsed, Problem), response
    assert response.parsed.status == status
    return response.parsed


def move(client: AuthenticatedClient, game_id: UUID, column: int, ply: int) -> Response[Game | Problem]:
    return play_move.sync_detailed(game_id, client=client, body=PlayMoveRequest(column=column, ply=ply))


def plain(url: str) -> None:
    red = player(url, answer(open_profile.sync(client=guest(url))).token)
    opened = answer(open_profile.sync(client=guest(url), body=OpenProfileRequest(display_name="Ola")))
    yellow = player(url, opened.token)

    table = answer(open_table.sync(client=red, body=OpenTableRequest(visibility=VisibilityChoice.PRIVATE)))
    code = given(table.invite_code)
    assert answer(get_invite.sync(code, client=yellow)).id == table.id
    seated = answer(take_seat.sync(table.id, client=yellow, body=TakeSeatRequest(invite_code=code)))
    game_id = given(seated.current_game_id)

    assert answer(move(red, game_id, 1, 1).parsed).ply == 1
    assert answer(move(red, game_id, 1, 1).parsed).ply == 1
    stale = problem(move(yellow, game_id, 3, 1), HTTPStatus.CONFLICT)
    assert stale.code == "stale_ply"
    assert given(stale.game).ply == 1
    for ply in range(2, 7):
        assert answer(move(red if ply % 2 else yellow, game_id, 1, ply).parsed).moves == "1" * ply
    assert problem(move(red, game_id, 1, 7), HTTPStatus.UNPROCESSABLE_ENTITY).code == "column_full"
    invalid = problem(move(red, game_id, 9, 7), HTTPStatus.BAD_REQUEST)
    assert given(invalid.errors)[0].pointer == "/column"

    polled = get_game.sync_detailed(game_id, client=red, after_version=1, wait=4)
    game = answer(polled.parsed)
    assert answer(get_game.sync(game_id, client=red, after_version=game.version, wait=1)).ply == 6
    unchanged = get_game.sync_detailed(game_id, client=red, if_none_match=polled.headers["ETag"])
    assert unchanged.status_code == HTTPStatus.NOT_MODIFIED

    for ply, column in enumerate([2, 7, 3, 7, 4], start=7):
        answer(move(red if ply % 2 else yellow, game_id, column, ply).parsed)
    over = answer(get_game.sync(game_id, client=yellow))
    assert over.status == "finished"
    assert given(over.result).winner == "red"

    picture = answer(get_picture.sync(game_id, client=yellow)).payload.read()
    assert b"<svg" in picture
    games = answer(list_profile_games.sync(opened.profile.id, client=yellow))
    assert games.items[0].game_id == game_id
    assert any(item.code == "stale_ply" for item in answer(list_problems.sync(client=red)).items)
    assert problem(get_me.sync_detailed(client=player(url, "fir_wrong")), HTTPStatus.UNAUTHORIZED).code == "unauthenticated"
    assert leave_seat.sync_detailed(table.id, client=yellow).status_code == HTTPStatus.NO_CONTENT


def strange(url: str) -> None:
    red = player(url, answer(open_profile.sync(client=guest(url))).token)
    opened = answer(open_profile.sync(client=guest(url), body=OpenProfileRequest()))
    yellow = player(url, opened.token)
    table = answer(open_table.sync(client=red, body=OpenTableRequest()))
    body = TakeSeatRequest(invite_code=given(table.invite_code))
    game_id = given(answer(take_seat.sync(table.id, client=yellow, body=body)).current_game_id)
    answer(move(red, game_id, 4, 1).parsed)
    assert given(problem(move(yellow, game_id, 3, 1), HTTPStatus.CONFLICT).game).ply == 1
    assert answer(get_game.sync(game_id, client=red)).id == game_id
    answer(resign_game.sync(game_id, client=yellow))
    assert len(answer(get_analysis.sync(game_id, client=red)).plies) == 1
    answer(list_profile_games.sync(opened.profile.id, client=yellow))
    answer(list_problems.sync(client=red))
    problem(get_me.sync_detailed(client=player(url, "fir_wrong")), HTTPStatus.UNAUTHORIZED)
    assert leave_seat.sync_detailed(table.id, client=red).status_code == HTTPStatus.NO_CONTENT
    assert answer(get_table.sync(table.id, client=yellow)).id == table.id

    try:
        get_service.sync(client=red)
    except httpx.HTTPStatusError as bad:
        assert bad.response.status_code == HTTPStatus.BAD_GATEWAY
    else:
        raise AssertionError("a gateway's 502 passed for an answer")


plain(os.environ["PLAIN_URL"])
strange(os.environ["STRANGE_URL"])
