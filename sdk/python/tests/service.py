"""A service that answers what a test tells it to, and documents to answer with."""

from __future__ import annotations

import json
import select
import socket
import threading
from collections import deque
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any
from urllib.parse import parse_qsl, urlsplit

Document = dict[str, Any]

GAME, NEXT_GAME = "01990c2e-7a10-7d4f-8a2c-6b7c8d9e0f12", "01990c2e-7a10-7d4f-8a2c-000000000002"
TABLE, OTHER_TABLE = "01990c2d-0b7a-7c3e-9f1b-3d5a8e6b2c41", "01990c2d-0b7a-7c3e-9f1b-000000000002"
PROFILE = "01990c2b-1f4e-7a52-8c1d-5e6f7a8b9c0d"
NOON = "2026-09-22T12:00:00Z"
SETTINGS = {
    "alternate_first_move": True,
    "first_player": "seat_order",
    "move_time_limit_seconds": 30,
    "end_dead_positions": True,
    "on_timeout": "cpu_move",
    "cpu_cover": True,
    "cover_grace_seconds": 30,
    "cover_level": "medium",
}


def game(version: int = 1, **changes: Any) -> Document:
    side = {"seat": 1, "kind": "human", "profile_id": PROFILE, "display_name": "Ola", "wants_rematch": False}
    running = {
        "id": GAME,
        "table_id": TABLE,
        "number": 1,
        "version": version,
        "status": "in_progress",
        "ranked": False,
        "unattended": False,
        "settings": SETTINGS,
        "red": side,
        "yellow": {**side, "seat": 2},
        "moves": "",
        "movers": "",
        "ply": 0,
        "turn": "red",
        "legal_columns": [1, 2, 3, 4, 5, 6, 7],
        "board": ["......."] * 6,
        "threats": {"red": [], "yellow": []},
        "my_side": "red",
        "can_move": True,
        "asleep": False,
        "remaining_ms": 21034,
        "server_time_ms": 1790071208966,
        "started_at": NOON,
        "poll_after_ms": 1000,
    }
    return {**running, **changes}


def finished(version: int, **changes: Any) -> Document:
    result = {"outcome": "win", "winner": "red", "ended_by": "resignation", "fields": []}
    over = game(version, status="finished", result=result, finished_at=NOON, legal_columns=[], can_move=False, **changes)
    return {name: value for name, value in over.items() if name not in ("turn", "remaining_ms")}


def table(version: int = 1, status: str = "waiting", **changes: Any) -> Document:
    opened = {
        "id": TABLE,
        "version": version,
        "status": status,
        "visibility": "private",
        "settings": SETTINGS,
        "settings_version": 1,
        "ranked": False,
        "seats": [{"seat": 1, "state": "taken", "wants_rematch": False}, {"seat": 2, "state": "free"}],
        "score": {"games": 0, "seat_1_wins": 0, "seat_2_wins": 0, "draws": 0},
        "created_at": NOON,
        "poll_after_ms": 1000,
    }
    if status == "closed":
        del opened["poll_after_ms"]
    return {**opened, **changes}


def profile(**changes: Any) -> Document:
    tally = {"games": 0, "wins": 0, "losses": 0, "draws": 0}
    known = {
        "id": PROFILE,
        "kind": "human",
        "display_name": "Ola",
        "created_at": NOON,
        "rating": 1500.0,
        "rated_games": 0,
        "record": {"people": tally, "ranked": tally, "cpu": tally},
        "streak": {"current": 0, "longest": 0},
    }
    return {**known, **changes}


@dataclass(frozen=True)
class Answer:
    status: int
    body: bytes
    kind: str = "application/json"
    headers: dict[str, str] = field(default_factory=dict)
    cut: bool = False  # the connection ends before the body does
    held: threading.Event | None = None  # it comes when this is set


CUT = Answer(0, b"", cut=True)


def ok(document: object, status: int = 200, *, held: threading.Event | None = None, cut: bool = False) -> Answer:
    return Answer(status, json.dumps(document).encode(), held=held, cut=cut)


def page(status: int, **headers: str) -> Answer:
    return Answer(status, b"<html><body>Hello</body></html>", "text/html", headers)


def problem(status: int, code: str, instance: str = "/v1/games/{game_id}", **more: Any) -> Answer:
    body = {"type": f"/docs#{code}", "title": "So it is", "status": status, "detail": "here", "instance": instance}
    document = {**body, "code": code, "request_id": "0b9f6a52d1c84e77", **more}
    return Answer(status, json.dumps(document).encode(), "application/problem+json")


@dataclass(frozen=True)
class Request:
    method: str
    path: str
    query: dict[str, str]
    token: str | None
    body: Any


class Service:
    def __init__(self) -> None:
        self.asked: list[Request] = []
        self.left = threading.Event()  # a client went away before its answer was there
        self._answers: deque[Answer] = deque()
        self._asked_more = threading.Condition()
        self._server = ThreadingHTTPServer(("127.0.0.1", 0), self._handler())
        self._server.daemon_threads = True
        self.url = f"http://127.0.0.1:{self._server.server_port}"
        self._thread = threading.Thread(target=self._server.serve_forever, kwargs={"poll_interval": 0.01})
        self._thread.start()

    def will(self, *answers: Answer) -> None:
        self._answers.extend(answers)

    def reaches(self, requests: int) -> None:
        """Waits until so many were asked."""
        with self._asked_more:
            assert self._asked_more.wait_for(lambda: len(self.asked) >= requests, 5), self.paths

    @property
    def paths(self) -> list[str]:
        return [f"{request.method} {request.path}" for request in self.asked]

    def close(self) -> None:
        self._server.shutdown()
        self._server.server_close()
        self._thread.join()

    def _handler(self) -> type[BaseHTTPRequestHandler]:
        service = self

        class Handler(BaseHTTPRequestHandler):
            protocol_version = "HTTP/1.1"

            def do_GET(self) -> None:
                service._answer(self)

            do_POST = do_PUT = do_PATCH = do_DELETE = do_GET

            def log_message(self, *_: object) -> None:
                pass

        return Handler

    def _answer(self, handler: BaseHTTPRequestHandler) -> None:
        url = urlsplit(handler.path)
        sent = handler.rfile.read(int(handler.headers.get("Content-Length", 0)))
        token = handler.headers.get("Authorization", "").removeprefix("Bearer ") or None
        body = json.loads(sent) if sent else None
        with self._asked_more:
            self.asked.append(Request(handler.command, url.path, dict(parse_qsl(url.query)), token, body))
            self._asked_more.notify_all()
        answer = self._answers.popleft() if self._answers else Answer(418, b"the test has no answer left", "text/plain")
        if answer.held and not self._holds(handler.connection, answer.held):
            handler.close_connection = True
            return
        if answer.status:
            handler.send_response(answer.status)
            handler.send_header("Content-Type", answer.kind)
            handler.send_header("Content-Length", str(len(answer.body)))
            for name, value in answer.headers.items():
                handler.send_header(name.replace("_", "-"), value)
            handler.end_headers()
            handler.wfile.write(answer.body[: len(answer.body) // 2] if answer.cut else answer.body)
        handler.close_connection = handler.close_connection or answer.cut

    def _holds(self, client: socket.socket, held: threading.Event) -> bool:
        """Whether the client is still there when the answer may come."""
        while not held.wait(0.01):
            if select.select([client], [], [], 0)[0] and not client.recv(1, socket.MSG_PEEK):
                self.left.set()
                return False
        return True
