"""Where tokens are kept, and how long somebody has left."""

import gc
import stat
import time
from pathlib import Path

import pytest
from service import finished, game

from fourinarow import FileTokens, Game, clock, remaining

URL = "https://four.example"


def test_a_file_keeps_a_token_for_its_owner_alone(tmp_path: Path) -> None:
    folder = tmp_path / "of" / "mine"
    FileTokens(folder).set(URL, "fir_first")
    FileTokens(folder).set(URL, "fir_second")
    FileTokens(folder).set(URL + "#other", "fir_other")
    kept = FileTokens(str(folder))
    assert (kept.get(URL), kept.get(URL + "#other"), kept.get(URL + "/path")) == ("fir_second", "fir_other", None)
    assert stat.S_IMODE(folder.stat().st_mode) == 0o700
    assert [stat.S_IMODE(file.stat().st_mode) for file in folder.iterdir()] == [0o600] * 2


def test_a_cleared_token_is_gone(tmp_path: Path) -> None:
    kept = FileTokens(tmp_path)
    kept.set(URL, "fir_first")
    kept.clear(URL)
    kept.clear(URL)
    assert kept.get(URL) is None
    assert list(tmp_path.iterdir()) == []


def test_a_token_that_cant_be_kept_leaves_the_old_one(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    kept = FileTokens(tmp_path)
    kept.set(URL, "fir_first")

    def full(*_: object) -> None:
        raise OSError("no space left")

    monkeypatch.setattr("os.fsync", full)
    with pytest.raises(OSError, match="no space"):
        kept.set(URL, "fir_second")
    assert kept.get(URL) == "fir_first"
    assert len(list(tmp_path.iterdir())) == 1


def test_what_remains_goes_by_the_answer_and_a_clock_that_nobody_sets(monkeypatch: pytest.MonkeyPatch) -> None:
    state = Game.from_dict(game(remaining_ms=21034))
    uptime = [100.0]
    monkeypatch.setattr(time, "monotonic", lambda: uptime[0])
    monkeypatch.setattr(time, "time", lambda: 0.0)
    clock.note_arrival(state)
    assert remaining(state) == remaining(state, "red") == 21.034
    uptime[0] = 120.0
    assert remaining(state) == pytest.approx(1.034)
    uptime[0] = 200.0
    assert remaining(state) == 0
    assert remaining(state, "yellow") is None


def test_nothing_remains_where_no_clock_runs() -> None:
    assert remaining(Game.from_dict(finished(3))) is None


def test_no_game_is_kept_for_its_clock() -> None:
    state = Game.from_dict(game())
    clock.note_arrival(state)
    key = id(state)
    del state
    gc.collect()
    assert key not in clock._arrivals
