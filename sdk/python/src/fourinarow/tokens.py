"""Where the tokens of players are kept, so that a restarted program is the same player."""

from __future__ import annotations

import os
import tempfile
from pathlib import Path
from typing import Protocol
from urllib.parse import quote


class TokenStore(Protocol):
    """Keeps tokens by a key, which is the base URL, with `#` and the profile's name where one is given."""

    def get(self, key: str, /) -> str | None: ...

    def set(self, key: str, token: str, /) -> None: ...

    def clear(self, key: str, /) -> None: ...


class MemoryTokens:
    """Forgets with the program."""

    def __init__(self) -> None:
        self._tokens: dict[str, str] = {}

    def get(self, key: str, /) -> str | None:
        return self._tokens.get(key)

    def set(self, key: str, token: str, /) -> None:
        self._tokens[key] = token

    def clear(self, key: str, /) -> None:
        self._tokens.pop(key, None)


class FileTokens:
    """A file a token in a folder of one's own, for nobody else to read. Programs can share the folder."""

    def __init__(self, folder: str | os.PathLike[str]) -> None:
        self._folder = Path(folder).expanduser()

    def get(self, key: str, /) -> str | None:
        try:
            return self._path(key).read_text("ascii").strip() or None
        except FileNotFoundError:
            return None

    def set(self, key: str, token: str, /) -> None:
        self._folder.mkdir(mode=0o700, parents=True, exist_ok=True)
        handle, new = tempfile.mkstemp(dir=self._folder)  # for its owner alone
        try:
            with os.fdopen(handle, "w", encoding="ascii") as file:
                file.write(token + "\n")
                file.flush()
                os.fsync(file.fileno())
            os.replace(new, self._path(key))
        except BaseException:
            os.unlink(new)
            raise

    def clear(self, key: str, /) -> None:
        self._path(key).unlink(missing_ok=True)

    def _path(self, key: str) -> Path:
        return self._folder / quote(key, safe="")
