"""Requests that are sent again, and those that aren't."""

import asyncio
from uuid import UUID

import pytest
from conftest import Slept
from service import CUT, GAME, NOON, PROFILE, Answer, Service, finished, game, ok, problem, profile, table

from fourinarow import AsyncFourInARow, Game, MemoryTokens, Played, Problem
from fourinarow.raw.api.insights import get_analysis
from fourinarow.raw.api.profiles import get_leaderboard

pytestmark = pytest.mark.anyio


@pytest.mark.parametrize(
    "lost",
    [
        CUT,
        ok(game(2), cut=True),
        problem(503, "outcome_unknown", retry_after_ms=1),
        problem(503, "unavailable"),
        problem(500, "internal"),
        problem(408, "request_timeout"),
        problem(429, "rate_limited", retry_after_ms=10),
        problem(503, "of_tomorrow"),
    ],
    ids=["no answer", "half an answer", "outcome unknown", "unavailable", "internal", "request timeout", "429", "new code"],
)
async def test_a_move_whose_outcome_is_unknown_is_sent_again_for_the_same_ply(
    service: Service, four: AsyncFourInARow, lost: Answer
) -> None:
    service.will(lost, lost, ok(game(2, ply=1, moves="4")))
    played = await four.move(Game.from_dict(game()), 4)
    assert isinstance(played, Played)
    assert played.game.moves == "4"
    assert [request.body for request in service.asked] == [{"column": 4, "ply": 1}] * 3


async def test_a_move_is_sent_again_for_a_minute_and_then_given_up(service: Service, four: AsyncFourInARow, slept: Slept) -> None:
    service.will(*[problem(503, "unavailable", retry_after_ms=7000)] * 20)
    with pytest.raises(Problem) as raised:
        await four.move(Game.from_dict(game()), 4)
    assert (raised.value.code, raised.value.retry_after, raised.value.sent) == ("unavailable", 7, 9)
    assert 49 < slept.now < 60


async def test_pauses_grow_at_random_to_ten_seconds(service: Service, four: AsyncFourInARow, slept: Slept) -> None:
    service.will(*[CUT] * 30, ok(finished(2)))
    async for _ in four.follow(Game.from_dict(game())):
        pass
    assert len(slept.times) == 30
    assert all(0 <= time <= min(10, 0.25 * 2**tried) for tried, time in enumerate(slept.times))
    assert len({*slept.times}) > 20


@pytest.mark.parametrize(("status", "code"), [(400, "invalid_request"), (403, "not_seated"), (404, "not_found"), (409, "new")])
async def test_what_is_refused_is_sent_once(service: Service, four: AsyncFourInARow, status: int, code: str) -> None:
    service.will(problem(status, code))
    with pytest.raises(Problem) as raised:
        await four.move(Game.from_dict(game()), 4)
    assert (raised.value.code, raised.value.status, raised.value.detail) == (code, status, "here")
    assert len(service.asked) == 1


async def test_a_table_is_opened_once_however_often_it_is_sent(service: Service, four: AsyncFourInARow) -> None:
    service.will(CUT, CUT, ok(table(), 201), ok(table(), 201))
    await four.tables.open(visibility="private")
    await four.tables.open()
    refs = [request.body["client_ref"] for request in service.asked]
    assert refs[0] == refs[1] == refs[2] != refs[3]
    assert service.asked[0].body == {"visibility": "private", "client_ref": refs[0]}


async def test_a_code_is_sent_once_since_it_works_once(service: Service, four: AsyncFourInARow) -> None:
    service.will(CUT)
    with pytest.raises(Problem) as raised:
        await four.devices.use("7GQ2M9XKPA")
    assert raised.value.temporary
    assert len(service.asked) == 1


async def test_whoever_uses_a_code_is_its_player_from_then_on(service: Service, four: AsyncFourInARow) -> None:
    service.will(ok({"profile": profile(), "token": "fir_other"}, 201), ok(profile()))
    assert (await four.devices.use("7GQ2M9XKPA", "laptop")).id == (await four.me()).id
    assert service.asked[0].body == {"code": "7GQ2M9XKPA", "device_name": "laptop"}
    assert service.asked[1].token == "fir_other"


async def test_who_has_left_for_good_has_left_when_only_the_answer_was_lost(
    service: Service, four: AsyncFourInARow, tokens: MemoryTokens
) -> None:
    service.will(CUT, problem(401, "unauthenticated"))
    await four.delete_me()
    assert tokens.get(service.url) is None


async def test_who_cant_leave_for_good_is_told(service: Service, four: AsyncFourInARow, tokens: MemoryTokens) -> None:
    service.will(problem(401, "unauthenticated"))
    with pytest.raises(Problem):
        await four.delete_me()
    assert tokens.get(service.url) == "fir_known"


async def test_a_stored_player_signs_in_again(service: Service, tokens: MemoryTokens) -> None:
    service.will(ok(profile()))
    async with AsyncFourInARow(service.url + "/", tokens=tokens) as four:
        assert (await four.sign_in("Somebody else")).display_name == "Ola"
    assert [(request.method, request.token) for request in service.asked] == [("GET", "fir_known")]


async def test_signing_in_twice_at_once_makes_one_guest(service: Service) -> None:
    service.will(ok({"profile": profile(), "token": "fir_new"}, 201), ok(profile()))
    async with AsyncFourInARow(service.url) as four:
        await asyncio.gather(four.sign_in("Ola", locale="pl"), four.sign_in("Ola"))
    assert service.paths == ["POST /v1/profiles", "GET /v1/me"]
    assert service.asked[0].body == {"display_name": "Ola", "locale": "pl"}


async def test_a_store_keeps_several_players_apart(service: Service, tokens: MemoryTokens) -> None:
    service.will(ok({"profile": profile(), "token": "fir_second"}, 201))
    async with AsyncFourInARow(service.url, tokens=tokens, profile_name="second") as four:
        await four.sign_in("Ola")
    assert (tokens.get(service.url), tokens.get(service.url + "#second")) == ("fir_known", "fir_second")


async def test_a_list_is_read_page_by_page(service: Service, four: AsyncFourInARow) -> None:
    ola = {"profile_id": PROFILE, "display_name": "Ola", "rating": 1500, "rated_games": 9}
    service.will(
        CUT,
        ok({"items": [{**ola, "rank": 1}, {**ola, "rank": 2}], "next_cursor": "more", "as_of": NOON}),
        ok({"items": [{**ola, "rank": 3}], "as_of": NOON}),
    )
    assert [leader.rank async for leader in four.pages(get_leaderboard, limit=2)] == [1, 2, 3]
    assert [request.query for request in service.asked] == [{"limit": "2"}, {"limit": "2"}, {"limit": "2", "cursor": "more"}]


async def test_fields_and_values_of_tomorrow_are_taken_as_they_are(service: Service, four: AsyncFourInARow) -> None:
    service.will(ok(game(2, status="paused", weather={"wind": [1, None]})))
    seen = await four.games.get(UUID(GAME))
    assert seen.status == "paused"
    assert seen["weather"] == {"wind": [1, None]}


async def test_what_doesnt_apply_is_none(service: Service, four: AsyncFourInARow) -> None:
    service.will(ok(game(2, last_move=None)))
    seen = await four.games.get(UUID(GAME))
    assert seen.last_move is None
    assert seen.result is None
    assert "result" not in seen.to_dict()


async def test_any_operation_can_be_asked_for(service: Service, four: AsyncFourInARow) -> None:
    service.will(problem(409, "game_running", game=game()))
    with pytest.raises(Problem) as raised:
        await four.ask(get_analysis, UUID(GAME))
    assert (raised.value.code, service.paths) == ("game_running", [f"GET /v1/games/{GAME}/analysis"])


async def test_whoever_closed_the_client_is_told(service: Service, four: AsyncFourInARow) -> None:
    await four.aclose()
    with pytest.raises(Problem) as raised:
        await four.me()
    assert (raised.value.code, raised.value.temporary) == ("cancelled", False)
