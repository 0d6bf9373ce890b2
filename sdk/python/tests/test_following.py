"""The states of games, as they come over a good network and a bad one."""

import asyncio
import threading
from collections.abc import AsyncIterator
from typing import Any

import pytest
from conftest import Slept
from service import CUT, GAME, NEXT_GAME, OTHER_TABLE, TABLE, Answer, Service, finished, game, ok, page, problem, table

from fourinarow import AsyncFourInARow, Game, GameTable, MemoryTokens, Problem, Timeouts

pytestmark = pytest.mark.anyio

TO_GAME, TO_TABLE = f"GET /v1/games/{GAME}", f"GET /v1/tables/{TABLE}"


async def versions(states: AsyncIterator[Game]) -> list[int]:
    """Lets the follower run ahead of nobody."""
    return [game.version async for game in states]


def now(version: int = 1) -> Game:
    return Game.from_dict(game(version))


async def test_a_game_is_followed_to_its_end(service: Service, four: AsyncFourInARow) -> None:
    steps = [threading.Event() for _ in range(3)]
    service.will(ok(game(3)), *(ok(game(4 + i), held=step) for i, step in enumerate(steps[:2])), ok(finished(6), held=steps[2]))
    seen = []
    async for state in four.follow(now(3)):
        seen.append(state.version)
        if len(seen) <= 3:
            steps[len(seen) - 1].set()
    assert seen == [3, 4, 5, 6]
    asked = [(request.query["after_version"], request.query["wait"]) for request in service.asked]
    assert asked == [("3", "0"), ("3", "25"), ("4", "25"), ("5", "25")]


async def test_an_unchanged_game_is_not_told_again(service: Service, four: AsyncFourInARow, slept: Slept) -> None:
    service.will(ok(game(3)), ok(game(3, poll_after_ms=5000)), ok(game(3, poll_after_ms=700)), ok(finished(4)))
    assert (await versions(four.follow(now(3))))[-1] == 4
    assert slept.times == [5, 0.7]  # the service would not hold the answers


async def test_a_restored_game_goes_on_from_where_it_is(service: Service, four: AsyncFourInARow) -> None:
    go = threading.Event()
    service.will(ok(game(9)), ok(game(5)), ok(finished(6), held=go))
    seen = []
    async for state in four.follow(now(7)):
        seen.append(state.version)
        if state.version == 5:
            go.set()
    assert seen[-2:] == [5, 6]
    assert [request.query["after_version"] for request in service.asked] == ["7", "9", "5"]


async def test_a_busy_caller_finds_the_newest_state(service: Service, four: AsyncFourInARow) -> None:
    go = threading.Event()
    service.will(ok(game(1)), *(ok(game(version), held=go) for version in range(2, 9)), ok(finished(9)))
    states = four.follow(now())
    seen = []
    async for state in states:
        seen.append(state.version)
        go.set()
        assert states._task
        await states._task  # the follower asks on meanwhile
    assert seen == [1, 9]


async def test_a_state_before_ones_own_move_is_not_told_after_it(service: Service, four: AsyncFourInARow) -> None:
    go = threading.Event()
    service.will(ok(game(1)), ok(game(2)), ok(finished(4), held=go), ok(game(3, ply=1)))
    seen = []
    async for state in four.follow(now()):
        seen.append(state.version)
        if state.version == 1:
            await asyncio.to_thread(service.reaches, 3)  # version 2 has come, and isn't told yet
            assert (await four.move(state, 4)).ok
            go.set()
    assert seen == [1, 4]


async def test_a_lost_connection_is_told_once_and_that_it_is_back(service: Service, four: AsyncFourInARow) -> None:
    service.will(ok(game(1)), CUT, page(502), problem(503, "unavailable"), ok(game(1)), page(200), ok(finished(2)))
    said: list[str] = []
    await versions(four.follow(now(), on_connection=said.append))
    assert said == ["lost", "back", "lost", "back"]


async def test_too_many_requests_are_no_lost_connection(service: Service, four: AsyncFourInARow, slept: Slept) -> None:
    service.will(ok(game(1)), problem(429, "rate_limited", retry_after_ms=350), ok(finished(2)))
    said: list[str] = []
    await versions(four.follow(now(), on_connection=said.append))
    assert said == []
    assert 0.35 <= slept.times[0] <= 0.6


@pytest.mark.parametrize(("status", "code"), [(401, "unauthenticated"), (404, "not_found"), (403, "of_tomorrow")])
async def test_a_game_that_is_no_longer_shown_is_a_problem(
    service: Service, four: AsyncFourInARow, status: int, code: str
) -> None:
    service.will(ok(game(1)), problem(status, code))
    with pytest.raises(Problem) as raised:
        await versions(four.follow(now()))
    assert (raised.value.status, raised.value.code) == (status, code)


async def test_another_service_at_the_address_is_a_problem(service: Service, four: AsyncFourInARow) -> None:
    service.will(page(200))
    with pytest.raises(Problem) as raised:
        await versions(four.follow(now()))
    assert raised.value.code == "not_the_service"


async def test_a_game_that_has_ended_in_a_way_of_tomorrow_has_ended(service: Service, four: AsyncFourInARow) -> None:
    service.will(ok({**finished(2), "status": "of_tomorrow"}))
    assert await versions(four.follow(now())) == [2]


async def test_a_table_is_followed_from_game_to_game(service: Service, four: AsyncFourInARow) -> None:
    first, second = {"current_game_id": GAME}, {"current_game_id": NEXT_GAME}
    service.will(
        ok(table(1)),
        ok(table(2, "playing", **first)),
        ok(finished(5)),
        ok(table(3, "between_games", **first)),
        ok(table(4, "playing", **second)),
        ok(finished(2, id=NEXT_GAME, number=2)),
        ok(table(5, "closed", **second)),
    )
    told: list[Any] = []
    opened = GameTable.from_dict(table(1))
    async for state in four.follow(opened, on_table=lambda table: told.append(table.status)):
        told.append((state.number, state.version))
    assert [what for what in told if isinstance(what, str)] == ["waiting", "playing", "between_games", "playing", "closed"]
    assert [what for what in told if not isinstance(what, str)] == [(1, 5), (2, 2)]
    assert [request.query["wait"] for request in service.asked if TABLE in request.path] == ["0", "25", "0", "25", "0"]
    assert service.paths == [TO_TABLE] * 2 + [TO_GAME] + [TO_TABLE] * 2 + [f"GET /v1/games/{NEXT_GAME}"] + [TO_TABLE]


async def test_a_game_that_goes_on_after_the_table_was_restored_is_followed_again(
    service: Service, four: AsyncFourInARow
) -> None:
    same = {"current_game_id": GAME}
    service.will(
        ok(table(5, "playing", **same)),
        ok(finished(5)),
        ok(table(3, "playing", **same)),
        ok(finished(4)),
        ok(table(6, "closed", **same)),
    )
    assert await versions(four.follow(GameTable.from_dict(table(5)))) in ([5, 4], [4])
    assert service.paths == [TO_TABLE, TO_GAME, TO_TABLE, TO_GAME, TO_TABLE]


async def test_an_answer_may_be_held_longer_than_others_may_take(service: Service, tokens: MemoryTokens) -> None:
    go = threading.Event()
    service.will(ok(game(1)), ok(finished(2), held=go))
    said: list[str] = []
    async with AsyncFourInARow(service.url, tokens=tokens, timeouts=Timeouts(request=0.2)) as four:
        threading.Timer(0.6, go.set).start()
        await versions(four.follow(now(), on_connection=said.append))
    assert (said, len(service.asked)) == ([], 2)


async def test_who_is_moved_by_quick_match_is_followed_to_the_other_table(service: Service, four: AsyncFourInARow) -> None:
    other = {"id": OTHER_TABLE, "current_game_id": GAME}
    service.will(
        ok(table(2, "closed", close_reason="moved", moved_to_table_id=OTHER_TABLE)),
        ok(table(1, "playing", **other)),
        ok(table(1, "playing", **other)),
        ok(finished(5)),
        ok(table(2, "closed", **other)),
    )
    assert await versions(four.follow(GameTable.from_dict(table(1)))) == [5]


async def test_a_cancelled_task_ends_its_request_at_once(service: Service, four: AsyncFourInARow) -> None:
    service.will(ok(game(1)), ok(game(2), held=threading.Event()))
    first = asyncio.Event()

    async def follows() -> None:
        async for _ in four.follow(now()):
            first.set()

    task = asyncio.create_task(follows())
    await first.wait()
    task.cancel()
    with pytest.raises(asyncio.CancelledError):
        await task
    assert await asyncio.to_thread(service.left.wait, 5)


@pytest.mark.parametrize("answer", [ok(game(2), held=threading.Event())])
async def test_a_closed_follower_ends_its_loop_and_its_request(service: Service, four: AsyncFourInARow, answer: Answer) -> None:
    service.will(ok(game(1)), answer)
    states = four.follow(now())
    seen = []
    async for state in states:
        seen.append(state.version)
        asyncio.get_running_loop().call_later(0.05, lambda: asyncio.ensure_future(states.aclose()))
    assert seen == [1]
    assert await asyncio.to_thread(service.left.wait, 5)


async def test_leaving_the_loop_ends_the_request(service: Service, four: AsyncFourInARow) -> None:
    service.will(ok(game(1)), ok(game(2), held=threading.Event()))
    async for _ in four.follow(now()):
        await asyncio.to_thread(service.reaches, 2)
        break
    assert await asyncio.to_thread(service.left.wait, 5)


async def test_what_a_callback_raises_ends_the_loop(service: Service, four: AsyncFourInARow) -> None:
    service.will(ok(table(1)))

    def fails(_: GameTable) -> None:
        raise LookupError("mine")

    with pytest.raises(LookupError, match="mine"):
        await versions(four.follow(GameTable.from_dict(table(1)), on_table=fails))
