from collections.abc import AsyncIterator, Iterator
from dataclasses import dataclass, field

import pytest
from service import Service

from fourinarow import AsyncFourInARow, FourInARow, MemoryTokens
from fourinarow.asking import Asking, Clock


@pytest.fixture
def anyio_backend() -> str:
    return "asyncio"


@pytest.fixture
def service() -> Iterator[Service]:
    service = Service()
    yield service
    service.close()


@dataclass
class Slept:
    """A clock that moves only when somebody sleeps, and how long they slept."""

    now: float = 0
    times: list[float] = field(default_factory=list)

    async def sleep(self, seconds: float) -> None:
        self.times.append(seconds)
        self.now += seconds

    def instead(self, asking: Asking) -> None:
        asking.clock = Clock(now=lambda: self.now, sleep=self.sleep)


@pytest.fixture
def slept() -> Slept:
    return Slept()


@pytest.fixture
def tokens(service: Service) -> MemoryTokens:
    tokens = MemoryTokens()
    tokens.set(service.url, "fir_known")
    return tokens


@pytest.fixture
async def four(service: Service, tokens: MemoryTokens, slept: Slept) -> AsyncIterator[AsyncFourInARow]:
    """A player who is known, and who never really sleeps."""
    async with AsyncFourInARow(service.url, tokens=tokens) as four:
        slept.instead(four._asking)
        yield four


@pytest.fixture
def waiting(service: Service, tokens: MemoryTokens, slept: Slept) -> Iterator[FourInARow]:
    """The same for programs that wait."""
    with FourInARow(service.url, tokens=tokens) as four:
        slept.instead(four._async._asking)
        yield four
