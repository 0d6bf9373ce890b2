"""Runs what README.md shows, as it stands, against the stage."""

import asyncio
import importlib.metadata
import re
import threading
from typing import Any

from fourinarow import AsyncFourInARow, FileTokens, FourInARow


class Terminal:
    """What a program prints there, and what is typed."""

    def __init__(self, url: str) -> None:
        self.url = url
        self.invitation = ""
        self.invited = threading.Event()
        self.last: tuple[object, ...] = ()
        self.typed = 0

    def print(self, *said: object) -> None:
        self.last = said
        if said[0] == "Tell your friend:":
            self.invitation = str(said[1]).rpartition("/")[2]
            self.invited.set()

    def input(self, _: str) -> str:
        self.typed += 1
        return str(self.typed % 7 + 1)

    async def run(self, snippet: str, **known: Any) -> None:
        program = compile(snippet.replace("http://127.0.0.1:8080", self.url), "README.md", "exec")
        await asyncio.to_thread(exec, program, {"print": self.print, "input": self.input, **known})


async def readme(url: str) -> None:
    text = str(importlib.metadata.metadata("fourinarow").json["description"])
    first_move, whole_game, everything_else = re.findall(r"```python\n(.*?)```", text, re.DOTALL)
    terminal = Terminal(url)
    await terminal.run(first_move)
    assert terminal.last

    playing = asyncio.create_task(terminal.run(whole_game))
    await asyncio.to_thread(terminal.invited.wait)
    async with AsyncFourInARow(url) as friend:
        await friend.sign_in("Ivan")
        async for game in friend.follow(await friend.tables.join_by_invitation(terminal.invitation)):
            if game.can_move:
                await friend.move(game, game.legal_columns[-1])
            if game.result:
                break
        await playing
    assert game.result
    assert terminal.last == (game.result.outcome, game.result.winner)

    with FourInARow(url, tokens=FileTokens("~/.four-in-a-row")) as four:
        await terminal.run(everything_else, four=four)
