"""One exception for everything that can't be done."""

from __future__ import annotations

import time
from email.utils import parsedate_to_datetime
from typing import TYPE_CHECKING, Any

from .raw.models import Problem as ProblemBody

if TYPE_CHECKING:
    import httpx

    from .raw.models import Game, GameTable


class Problem(Exception):
    """Why something could not be done. Decide by `code`: one of today or any later one.

    The service's codes are those of `GET /v1/problems`. This package has some of its own:

    - `not_the_service`: what answers at the base URL isn't the service;
    - `connection_failed`: there was no answer, not a whole one, or one of a gateway (502, 503, 504);
    - `timed_out`: there was no answer in time;
    - `cancelled`: the client was closed.
    """

    def __init__(
        self,
        code: str,
        title: str,
        *,
        detail: str | None = None,
        status: int | None = None,
        retry_after: float | None = None,
        body: ProblemBody | None = None,
    ) -> None:
        super().__init__(f"{code}: {title}" + (f" ({detail})" if detail else ""))
        self.code = code
        self.title = title
        """What happened; in the service's problems in the language of the request."""
        self.detail = detail
        """What happened here."""
        self.status = status
        """The HTTP status; None without an answer."""
        self.retry_after = retry_after
        """Seconds after which it may be tried again, where the answer says so."""
        self.body = body
        """The whole problem as the service sent it."""
        self.request_id: str | None = body.request_id if body else None
        """Finds the request in the log of the service."""
        self.game: Game | None = body.game if body else None
        """The game as it is now, where the problem is about one."""
        self.table: GameTable | None = body.table if body else None
        """The table as it is now, where the problem is about one."""
        self.sent = 1
        """How often the request was sent."""

    @property
    def temporary(self) -> bool:
        """Whether the same request may go well later."""
        status = self.status or 0
        return self.code in ("connection_failed", "timed_out") or status in (408, 429) or status >= 500


def not_the_service(detail: str, status: int | None = None, retry_after: float | None = None) -> Problem:
    return Problem("not_the_service", "This is not the service", detail=detail, status=status, retry_after=retry_after)


def problem_of(response: httpx.Response) -> Problem:
    """The problem of an answer that is no success."""
    status, body = response.status_code, _body(response)
    if body is None:
        after = _seconds(response.headers.get("Retry-After"))
        if status in (502, 503, 504):
            return Problem("connection_failed", f"A gateway answered with {status}", status=status, retry_after=after)
        to = f", to {response.headers['Location']}" if "Location" in response.headers else ""
        return not_the_service(f"It answered with {status}{to}", status, after)
    if status == 404 and body.instance == "":
        return not_the_service("There is no such path: a base URL ends before /v1", status)
    ms = body.retry_after_ms
    after = _seconds(response.headers.get("Retry-After")) if ms is None else ms / 1000
    return Problem(body.code, body.title, detail=body.detail, status=status, retry_after=after, body=body)


def _body(response: httpx.Response) -> ProblemBody | None:
    try:
        document: Any = response.json()
        return ProblemBody.from_dict(document)
    except (ValueError, KeyError, TypeError, AttributeError):
        return None


def _seconds(header: str | None) -> float | None:
    """A Retry-After, which gateways write in seconds or as a date."""
    if header is None:
        return None
    try:
        return float(header) if header.isdecimal() else max(0.0, parsedate_to_datetime(header).timestamp() - time.time())
    except ValueError:
        return None
