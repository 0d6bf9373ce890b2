"""Plays over the stage's bad network with the packed SDK; what this proves is said by the stage."""

import asyncio
import json
import os
import pkgutil
import tempfile
from collections.abc import Awaitable, Callable
from typing import Any
from uuid import UUID

import httpx
from along import Seen, along, along_waiting
from readme import readme

import fourinarow.raw.api
from fourinarow import AsyncFourInARow, FileTokens, FourInARow, Game, MemoryTokens, Played, Problem, Timeouts, remaining
from fourinarow.raw.api.admin import edit_house_rule, get_house_rule
from fourinarow.raw.api.me import export_me
from fourinarow.raw.api.profiles import list_profile_games
from fourinarow.raw.api.service import get_service
from fourinarow.raw.models import EditHouseRuleRequest, HouseRuleChange, TableSettings

URL = os.environ["FOUR_URL"]
LATER_URL = os.environ["FOUR_LATER_URL"]


async def stage(order: str) -> dict[str, str]:
    async with httpx.AsyncClient(timeout=60) as http:
        answer = (await http.post(f"{os.environ['FOUR_STAGE']}/{order}")).raise_for_status()
        said: dict[str, str] = answer.json()
        return said


async def guest(display_name: str, **options: Any) -> AsyncFourInARow:
    four = AsyncFourInARow(URL, **options)
    await four.sign_in(display_name)
    return four


def waiting_guest(display_name: str) -> FourInARow:
    four = FourInARow(URL)
    four.sign_in(display_name)
    return four


async def problem(doing: Awaitable[object], status: int, code: str) -> Problem:
    try:
        done = await doing
    except Problem as problem:
        assert (problem.status, problem.code) == (status, code), problem
        return problem
    raise AssertionError(f"no {code}, but {done}")


async def friends() -> None:
    """Two games of a private table, through a kill of the service, a network that is off and a phone that is away."""
    with tempfile.TemporaryDirectory() as folder:
        first = await guest("Ola", tokens=FileTokens(folder))
        ola = await guest("Ola, started again", tokens=FileTokens(folder))
    assert (await ola.me()).id == (await first.me()).id
    ivan = await asyncio.to_thread(waiting_guest, "Иван")
    table = await ola.tables.open(visibility="private")
    assert table.invite_code

    async def before(game: Game) -> int | None:
        if (game.number, game.ply) == (1, 4):
            await stage("restart")
        if game.number == 1:
            return None
        if game.ply == 3:
            await stage("offline?ms=2000")
        return (await ola.hint(game.id)).best_columns[0]

    of_ola, of_ivan = Seen(), Seen()
    red = asyncio.create_task(along(ola, table, before, of_ola))
    while not of_ola.tables:
        await asyncio.sleep(0.01)  # until she has seen that it waits
    seat = await asyncio.to_thread(ivan.tables.join_by_invitation, table.invite_code)
    await asyncio.gather(red, asyncio.to_thread(along_waiting, ivan, seat, 2, of_ivan))
    assert of_ola.ends == of_ivan.ends, (of_ola, of_ivan)
    assert of_ola.tables[-1] == "closed"
    assert {"waiting", "playing", "between_games"} <= {*of_ola.tables}, of_ola.tables
    said = of_ola.connection
    assert said
    assert said == ["lost", "back"] * (len(said) // 2), said
    await looked_at(ola, ivan, *map(UUID, of_ola.ends))


async def looked_at(ola: AsyncFourInARow, ivan: FourInARow, one: UUID, two: UUID) -> None:
    assert (await ola.games.get(one)).movers == "h" * 11
    assert "c" in (await ola.games.get(two)).movers  # for the phone that was away
    assert b"<svg" in await ola.picture(one, ply=7, palette="pink")
    me = (await ola.me()).id
    assert [game.game_id async for game in ola.pages(list_profile_games, me, limit=1)] == [two, one]
    history = await asyncio.to_thread(lambda: list(ivan.history(opponent=me)))
    assert [game.game_id for game in history] == [two, one]


async def lost_clock() -> None:
    ola, ivan = await guest("Ola"), await guest("Ivan")
    settings = TableSettings(move_time_limit_seconds=30, on_timeout="loss", cpu_cover=False)
    table = await ola.tables.open(visibility="public", settings=settings)
    seat = await ivan.tables.join(table.id)
    assert seat.current_game_id
    game = await ivan.games.get(seat.current_game_id)
    left = remaining(game, "red")
    await asyncio.sleep(0.01)
    later = remaining(game)
    assert left is not None
    assert later is not None
    assert later < left <= 40
    assert remaining(game, "yellow") is None
    async for state in ivan.follow(game):
        game = state
    assert game.result
    assert (game.result.ended_by, game.result.winner) == ("timeout", "yellow")


async def problems() -> None:
    ola, ivan, stranger = await asyncio.gather(guest("Ola"), guest("Ivan"), guest("Zoe"))
    table = await ola.tables.open(visibility="public")
    seat = await ivan.tables.join(table.id)
    assert seat.current_game_id
    before = game = await ola.games.get(seat.current_game_id)
    invalid = await problem(ola.move(game, 9), 400, "invalid_request")
    assert invalid.body
    assert invalid.body.errors
    assert invalid.body.errors[0].pointer == "/column"
    revoked = MemoryTokens()
    revoked.set(URL, "fir_wrong")
    await problem(AsyncFourInARow(URL, tokens=revoked).sign_in(), 401, "unauthenticated")
    await problem(stranger.move(game, 4), 403, "not_seated")
    await problem(ola.games.get(UUID("01990c2e-7a10-7d4f-8a2c-6b7c8d9e0f12")), 404, "not_found")
    for ply in range(1, 7):
        played = await (ola if ply % 2 else ivan).move(game, 1)
        assert played.ok
        game = played.game
        assert game.ply == ply
    for at, column, status, code in [(before, 3, 409, "stale_ply"), (game, 1, 422, "column_full")]:
        refused = await ola.move(at, column)
        assert not refused.ok
        assert (refused.problem.status, refused.problem.code) == (status, code)
        assert refused.problem.game
        assert refused.problem.game.ply == 6
    once = AsyncFourInARow(URL, tokens=store_of(ola), timeouts=Timeouts(repeat=0))
    try:
        await once.ask(export_me)
    except Problem as lost:
        assert lost.code == "connection_failed"
    while True:
        try:
            await once.ask(export_me)
        except Problem as limited:
            if limited.code != "connection_failed":
                assert (limited.status, limited.code) == (429, "rate_limited")
                assert limited.retry_after
                return
        else:
            raise AssertionError("there was no limit")


def store_of(four: AsyncFourInARow) -> MemoryTokens:
    tokens = MemoryTokens()
    token = four._asking.token
    assert token
    tokens.set(URL, token)
    return tokens


async def quick_match() -> None:
    async def plays(four: AsyncFourInARow) -> UUID:
        async for game in four.follow(await four.quick_match()):
            if game.status == "finished":
                await four.tables.leave(game.table_id)
                return game.id
            if game.my_side == "red":
                await four.resign(game.id)
        raise AssertionError("the table closed without a game")

    ends = await asyncio.gather(plays(await guest("Ola")), plays(await guest("Ivan")))
    assert ends[0] == ends[1]


async def second_device() -> None:
    phone = await guest("Ola")
    laptop = AsyncFourInARow(URL, profile_name="Ola")
    while True:
        code = (await phone.devices.code()).code
        try:
            used = await laptop.devices.use(code, "laptop")
        except Problem as problem_:
            if problem_.temporary:
                continue  # nobody knows whether the code was used: another one
            raise
        assert used.id == (await phone.me()).id
        break
    await laptop.delete_me()
    await problem(phone.me(), 401, "unauthenticated")


async def admin() -> None:
    tokens = MemoryTokens()
    tokens.set(URL, (await stage("admin-token"))["token"])
    four = AsyncFourInARow(URL, tokens=tokens)
    rule = await four.ask(get_house_rule, "cover_level")

    async def edit(level: str) -> HouseRuleChange:
        body = EditHouseRuleRequest(default=level, options=rule.options, changeable=rule.changeable, reason="Somebody asked.")
        return await four.ask(edit_house_rule, "cover_level", body=body, if_match=f'"{rule.version}"')

    assert (await edit("hard")).after.version == rule.version + 1
    stale = await problem(edit("easy"), 412, "precondition_failed")
    assert stale.body
    assert stale.body.house_rule
    assert stale.body.house_rule.default == "hard"


def later() -> None:
    """Against a service of tomorrow: fields, codes and values that nobody knows."""
    with FourInARow(LATER_URL, timeouts=Timeouts(repeat=0)) as four:
        four.sign_in("Ola")
        table = four.tables.open(opponent="cpu", cpu_level="easy")
        assert table.status == "of_tomorrow"
        moves = 0
        for game in four.follow(table):
            if game.can_move:
                column = game.legal_columns[0]
                moves += isinstance(four.move(game, column), Played)
                refused = four.move(game, column % 7 + 1)
                assert not refused.ok
                assert refused.problem.code == "of_tomorrow"
            if game.finished_at:
                four.tables.leave(table.id)
        assert moves >= 3, moves
        try:
            four.ask(get_service)
        except Problem as away:
            assert (away.status, away.code) == (502, "connection_failed")
        else:
            raise AssertionError("a gateway's 502 passed for an answer")


async def main() -> None:
    parts: list[Callable[[], Awaitable[None]]] = [friends, lost_clock, problems, quick_match, second_device, admin]
    await asyncio.gather(*(part() for part in parts), readme(URL), asyncio.to_thread(later))
    groups = pkgutil.walk_packages(fourinarow.raw.api.__path__, "fourinarow.raw.api.")
    operations = sum(not group.ispkg for group in groups)
    print(json.dumps({"language": "Python", "generator": os.environ["GENERATOR"], "operations": operations}))


asyncio.run(main())
