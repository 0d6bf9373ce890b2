"""What a user sees of each row of the table in README.md."""

import socket

import pytest
from conftest import Slept
from service import CUT, GAME, Answer, Service, finished, game, ok, page, problem, profile

from fourinarow import FourInARow, Game, MemoryTokens, Problem, Timeouts


def refusal(four: FourInARow) -> Problem:
    with pytest.raises(Problem) as raised:
        four.sign_in("Ola")
    return raised.value


@pytest.mark.parametrize("base_url", ["", "four.example", "four.example:8080", "ftp://four.example", "http://", "https://[::1"])
def test_a_base_url_that_is_no_address_is_not_the_service(base_url: str) -> None:
    with pytest.raises(Problem, match="begins with https") as raised:
        FourInARow(base_url)
    assert raised.value.code == "not_the_service"


def test_a_base_url_with_a_path_of_the_service_is_said_to_end_before_it(service: Service) -> None:
    service.will(problem(404, "not_found", instance=""))
    with FourInARow(service.url + "/v1/") as four:
        wrong = refusal(four)
    assert service.paths == ["POST /v1/v1/profiles"]
    assert (wrong.code, wrong.status) == ("not_the_service", 404)
    assert "ends before /v1" in str(wrong)


@pytest.mark.parametrize(
    ("answer", "detail"),
    [
        (page(200), "a page for people"),
        (page(404), "answered with 404"),
        (page(302, Location="https://elsewhere.example/"), "answered with 302, to https://elsewhere.example/"),
        (ok({"hello": "world"}, 201), "can't be read"),
        (ok([1, 2], 201), "can't be read"),
        (ok({"error": "no"}, 404), "answered with 404"),
        (Answer(201, b"", "application/json"), "can't be read"),
        (Answer(204, b""), "answered with 204"),
    ],
    ids=lambda value: value if isinstance(value, str) else "",
)
def test_what_isnt_the_service_is_said_not_to_be(service: Service, answer: Answer, detail: str) -> None:
    service.will(answer)
    with FourInARow(service.url) as four:
        wrong = refusal(four)
    assert (wrong.code, wrong.status) == ("not_the_service", answer.status)
    assert detail in str(wrong)
    assert len(service.asked) == 1


def test_a_revoked_token_is_a_problem_and_no_other_player(service: Service, waiting: FourInARow, tokens: MemoryTokens) -> None:
    service.will(problem(401, "unauthenticated"))
    revoked = refusal(waiting)
    assert (revoked.code, revoked.status, revoked.request_id) == ("unauthenticated", 401, "0b9f6a52d1c84e77")
    assert service.paths == ["GET /v1/me"]
    assert tokens.get(service.url) == "fir_known"


def test_a_revoked_token_is_replaced_when_that_is_asked_for(service: Service, waiting: FourInARow, tokens: MemoryTokens) -> None:
    service.will(problem(401, "unauthenticated"), ok({"profile": profile(), "token": "fir_new"}, 201))
    assert waiting.sign_in("Ola", replace_revoked=True).display_name == "Ola"
    assert tokens.get(service.url) == "fir_new"


def test_a_full_column_is_a_refusal_with_the_game(service: Service, waiting: FourInARow) -> None:
    full = Game.from_dict(game(7, ply=6, moves="444444"))
    service.will(problem(422, "column_full", game=full.to_dict()))
    refused = waiting.move(full, 4)
    assert not refused.ok
    assert refused.problem.code == "column_full"
    assert refused.problem.game == full
    assert service.asked[0].body == {"column": 4, "ply": 7}


def test_a_game_that_was_finished_meanwhile_is_a_refusal_with_its_result(service: Service, waiting: FourInARow) -> None:
    service.will(problem(409, "game_finished", game=finished(9)))
    refused = waiting.move(Game.from_dict(game(7)), 4)
    assert not refused.ok
    assert refused.problem.code == "game_finished"
    assert refused.problem.game
    assert refused.problem.game.result
    assert refused.problem.game.result.winner == "red"


def test_where_nobody_listens_that_is_said_at_once() -> None:
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        with FourInARow(f"http://127.0.0.1:{free.getsockname()[1]}") as four:
            off = refusal(four)
    assert (off.code, off.status, off.sent, off.temporary) == ("connection_failed", None, 1, True)


def test_a_network_that_goes_off_is_waited_for_before_it_is_said(service: Service, waiting: FourInARow, slept: Slept) -> None:
    service.will(ok(profile()), *[CUT] * 100)
    waiting.me()
    with pytest.raises(Problem) as raised:
        waiting.me()
    off = raised.value
    assert (off.code, off.status, off.temporary) == ("connection_failed", None, True)
    assert off.sent == len(service.asked) - 1 > 3
    assert 0 < slept.now <= 10


def test_a_service_that_is_silent_has_timed_out(service: Service, tokens: MemoryTokens) -> None:
    silent = socket.create_server(("127.0.0.1", 0))  # accepts, and says nothing
    with silent, FourInARow(f"http://127.0.0.1:{silent.getsockname()[1]}", timeouts=Timeouts(request=0.05, repeat=0)) as four:
        late = refusal(four)
    assert (late.code, late.status, late.temporary) == ("timed_out", None, True)


def test_a_gateways_page_is_a_connection_that_failed(service: Service, waiting: FourInARow, slept: Slept) -> None:
    service.will(page(502), page(503, Retry_After="3"), page(504), ok(game(3)))
    assert waiting.games.get(Game.from_dict(game()).id).version == 3
    assert service.paths == [f"GET /v1/games/{GAME}"] * 4
    assert 3 <= slept.times[1] < 3.5


def test_a_gateway_that_never_lets_through_is_said_with_its_status(service: Service, waiting: FourInARow) -> None:
    service.will(*[page(502)] * 100)
    assert (refusal(waiting).code, refusal(waiting).status) == ("connection_failed", 502)
