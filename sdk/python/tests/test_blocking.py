"""What the client for programs that wait does by itself."""

import os
import threading

import pytest
from service import CUT, GAME, Service, finished, game, ok, profile, table

from fourinarow import FourInARow, Game, GameTable, Problem


def now(version: int = 1) -> Game:
    return Game.from_dict(game(version))


def test_a_game_is_followed_and_played(service: Service, waiting: FourInARow) -> None:
    go = threading.Event()
    service.will(ok(game(1)), ok(finished(3), held=go), CUT, ok(game(2, ply=1, moves="4")))
    seen = []
    for state in waiting.follow(now()):
        seen.append(state.version)
        if state.can_move:
            service.reaches(2)
            played = waiting.move(state, state.legal_columns[3])
            assert played.ok
            assert played.game.moves == "4"
            go.set()
    assert seen == [1, 3]


def test_what_is_told_is_told_in_the_thread_that_iterates_and_in_its_turn(service: Service, waiting: FourInARow) -> None:
    over = {"current_game_id": GAME}
    service.will(ok(table(1, "playing", **over)), CUT, ok(finished(5)), ok(table(2, "closed", **over)), ok(profile()))
    told: list[object] = []

    def tell(table: GameTable) -> None:
        told.append((table.status, threading.get_ident()))
        if table.status == "closed":
            told.append(waiting.me().display_name)  # it may ask, too

    def lost(connection: str) -> None:
        told.append((connection, threading.get_ident()))

    for state in waiting.follow(GameTable.from_dict(table(1)), on_table=tell, on_connection=lost):
        told.append(state.version)
    here = threading.get_ident()
    assert told == [("playing", here), ("lost", here), ("back", here), 5, ("closed", here), "Ola"]


def test_a_list_is_an_iterator(service: Service, waiting: FourInARow) -> None:
    service.will(ok(profile()), ok({"items": []}))
    assert list(waiting.history()) == []


def test_a_loop_ends_at_once_when_another_thread_closes_it(service: Service, waiting: FourInARow) -> None:
    service.will(ok(game(1)), ok(game(2), held=threading.Event()))
    states = waiting.follow(now())
    seen = []
    for state in states:
        seen.append(state.version)
        threading.Timer(0.05, states.close).start()
    assert seen == [1]
    assert service.left.wait(5)


def test_leaving_the_loop_ends_the_request(service: Service, waiting: FourInARow) -> None:
    service.will(ok(game(1)), ok(game(2), held=threading.Event()))
    for _ in waiting.follow(now()):
        service.reaches(2)
        break
    assert service.left.wait(5)


def test_closing_the_client_cancels_what_waits(service: Service, waiting: FourInARow) -> None:
    service.will(ok(game(1)), ok(game(2), held=threading.Event()))
    states = waiting.follow(now())
    assert next(states).version == 1
    threading.Timer(0.05, waiting.close).start()
    with pytest.raises(Problem) as raised:
        next(states)
    assert raised.value.code == "cancelled"
    with pytest.raises(Problem, match="closed"):
        waiting.me()
    assert service.left.wait(5)


def test_a_client_that_nobody_holds_ends_its_thread(service: Service) -> None:
    before = threading.active_count()
    four = FourInARow(service.url)
    assert threading.active_count() == before + 1
    thread = four._loop._thread
    del four
    thread.join(5)
    assert not thread.is_alive()


def test_a_client_from_before_a_fork_says_so(waiting: FourInARow, monkeypatch: pytest.MonkeyPatch) -> None:
    parent = os.getpid()
    with monkeypatch.context() as child:
        child.setattr(os, "getpid", lambda: parent + 1)
        with pytest.raises(RuntimeError, match="before the process forked"):
            waiting.me()


def test_methods_have_their_names_and_descriptions() -> None:
    assert FourInARow.move.__name__ == "move"
    assert "Plays the next ply" in (FourInARow.move.__doc__ or "")
