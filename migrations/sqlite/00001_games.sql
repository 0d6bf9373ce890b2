-- +goose Up

CREATE TABLE profiles (
    id      TEXT    PRIMARY KEY CHECK (length(id) = 36),
    name    TEXT    NOT NULL CHECK (length(name) <= 32),
    locale  TEXT    CHECK (locale IN ('en', 'de', 'pl', 'ru')),
    created INTEGER NOT NULL
) STRICT, WITHOUT ROWID;

CREATE TABLE devices (
    id         TEXT    PRIMARY KEY CHECK (length(id) = 36),
    profile_id TEXT    NOT NULL REFERENCES profiles (id),
    token_hash BLOB    NOT NULL UNIQUE CHECK (length(token_hash) = 32),
    created    INTEGER NOT NULL
) STRICT, WITHOUT ROWID;
CREATE INDEX devices_profile ON devices (profile_id);

-- Seat 1 is its host's; seat 2 is free while it has no kind.
CREATE TABLE tables (
    id                      TEXT    PRIMARY KEY CHECK (length(id) = 36),
    version                 INTEGER NOT NULL CHECK (version >= 1),
    status                  TEXT    NOT NULL CHECK (status IN ('waiting', 'playing', 'between_games', 'closed')),
    reason                  TEXT    CHECK (reason IN ('host_left', 'player_left', 'idle', 'profile_deleted', 'abandoned')),
    visibility              TEXT    NOT NULL CHECK (visibility IN ('public', 'private')),
    invite_code             TEXT    UNIQUE CHECK (length(invite_code) = 10),
    ranked                  INTEGER NOT NULL CHECK (ranked IN (0, 1)),
    settings_version        INTEGER NOT NULL CHECK (settings_version >= 1),
    alternate_first_move    INTEGER NOT NULL CHECK (alternate_first_move IN (0, 1)),
    first_player            TEXT    NOT NULL CHECK (first_player IN ('seat_order', 'random')),
    move_time_limit_seconds INTEGER NOT NULL CHECK (move_time_limit_seconds >= 0),
    end_dead_positions      INTEGER NOT NULL CHECK (end_dead_positions IN (0, 1)),
    on_timeout              TEXT    NOT NULL CHECK (on_timeout IN ('cpu_move', 'loss')),
    cpu_cover               INTEGER NOT NULL CHECK (cpu_cover IN (0, 1)),
    cover_grace_seconds     INTEGER NOT NULL CHECK (cover_grace_seconds > 0),
    cover_level             TEXT    NOT NULL CHECK (cover_level IN ('easy', 'medium', 'hard', 'perfect')),
    seat1_profile           TEXT    NOT NULL REFERENCES profiles (id),
    seat1_name              TEXT    NOT NULL,
    seat1_left              INTEGER NOT NULL CHECK (seat1_left IN (0, 1)),
    seat1_wins              INTEGER NOT NULL CHECK (seat1_wins >= 0),
    seat2_kind              TEXT    CHECK (seat2_kind IN ('human', 'cpu')),
    seat2_profile           TEXT    REFERENCES profiles (id),
    seat2_name              TEXT,
    seat2_level             TEXT    CHECK (seat2_level IN ('easy', 'medium', 'hard', 'perfect')),
    seat2_left              INTEGER NOT NULL CHECK (seat2_left IN (0, 1)),
    seat2_wins              INTEGER NOT NULL CHECK (seat2_wins >= 0),
    draws                   INTEGER NOT NULL CHECK (draws >= 0),
    game_id                 TEXT    UNIQUE REFERENCES games (id) DEFERRABLE INITIALLY DEFERRED, -- the running game, or the last one
    next_first              INTEGER CHECK (next_first IN (1, 2)),
    client_ref              TEXT    CHECK (length(client_ref) = 36), -- given up when it is a day old and comes again
    created                 INTEGER NOT NULL,
    active                  INTEGER NOT NULL,

    UNIQUE (seat1_profile, client_ref),
    CONSTRAINT one_seat_one_profile CHECK (seat1_profile <> seat2_profile),
    CONSTRAINT free_seat_is_nobodys CHECK (seat2_kind IS NOT NULL OR (seat2_profile IS NULL AND seat2_name IS NULL)),
    CONSTRAINT person_has_profile CHECK (seat2_kind <> 'human' OR seat2_profile IS NOT NULL),
    CONSTRAINT cpu_has_none CHECK (seat2_kind <> 'cpu' OR (seat2_profile IS NULL AND seat2_name IS NULL)),
    CONSTRAINT cpu_has_level CHECK ((coalesce(seat2_kind, '') = 'cpu') = (seat2_level IS NOT NULL)),
    CONSTRAINT cpu_is_not_ranked CHECK (NOT ranked OR coalesce(seat2_kind, '') <> 'cpu'),
    CONSTRAINT waiting_for_seat_2 CHECK (status <> 'waiting' OR (seat2_kind IS NULL AND game_id IS NULL)),
    CONSTRAINT playing_with_seat_2 CHECK (status IN ('waiting', 'closed') OR (seat2_kind IS NOT NULL AND game_id IS NOT NULL)),
    CONSTRAINT next_first_before_a_game CHECK (status IN ('waiting', 'between_games') OR next_first IS NULL),
    CONSTRAINT closed_for_a_reason CHECK ((status = 'closed') = (reason IS NOT NULL)),
    CONSTRAINT private_by_invitation CHECK ((visibility = 'private') = (invite_code IS NOT NULL))
) STRICT, WITHOUT ROWID;
CREATE INDEX tables_lobby ON tables (status, created, id) WHERE visibility = 'public' AND status <> 'closed';
CREATE INDEX tables_open_seat1 ON tables (seat1_profile) WHERE status <> 'closed';
CREATE INDEX tables_open_seat2 ON tables (seat2_profile) WHERE status <> 'closed';
-- Tables that close after a day without anybody, and those that close later.
CREATE INDEX tables_idle ON tables (active)
    WHERE status IN ('waiting', 'between_games') AND (visibility = 'public' OR seat2_level IS NOT NULL);
CREATE INDEX tables_idle_private ON tables (active)
    WHERE status IN ('waiting', 'between_games') AND visibility = 'private' AND seat2_level IS NULL;

-- A presence is 0 for here, 1 for silent, 2 for gone; since is when its owner came back last.
CREATE TABLE games (
    id                      TEXT    PRIMARY KEY CHECK (length(id) = 36),
    table_id                TEXT    NOT NULL REFERENCES tables (id),
    number                  INTEGER NOT NULL CHECK (number >= 1),
    version                 INTEGER NOT NULL CHECK (version >= 1),
    private                 INTEGER NOT NULL CHECK (private IN (0, 1)),
    ranked                  INTEGER NOT NULL CHECK (ranked IN (0, 1)),
    unattended              INTEGER NOT NULL CHECK (unattended IN (0, 1)),
    alternate_first_move    INTEGER NOT NULL CHECK (alternate_first_move IN (0, 1)),
    first_player            TEXT    NOT NULL CHECK (first_player IN ('seat_order', 'random')),
    move_time_limit_seconds INTEGER NOT NULL CHECK (move_time_limit_seconds >= 0),
    end_dead_positions      INTEGER NOT NULL CHECK (end_dead_positions IN (0, 1)),
    on_timeout              TEXT    NOT NULL CHECK (on_timeout IN ('cpu_move', 'loss')),
    cpu_cover               INTEGER NOT NULL CHECK (cpu_cover IN (0, 1)),
    cover_grace_seconds     INTEGER NOT NULL CHECK (cover_grace_seconds > 0),
    cover_level             TEXT    NOT NULL CHECK (cover_level IN ('easy', 'medium', 'hard', 'perfect')),
    red_seat                INTEGER NOT NULL CHECK (red_seat IN (1, 2)),
    red_kind                TEXT    NOT NULL CHECK (red_kind IN ('human', 'cpu')),
    red_profile             TEXT    REFERENCES profiles (id),
    red_name                TEXT,
    red_level               TEXT    CHECK (red_level IN ('easy', 'medium', 'hard', 'perfect')),
    red_presence            INTEGER NOT NULL CHECK (red_presence IN (0, 1, 2)),
    red_since               INTEGER,
    red_rematch             INTEGER NOT NULL CHECK (red_rematch IN (0, 1)),
    yellow_seat             INTEGER NOT NULL CHECK (yellow_seat IN (1, 2)),
    yellow_kind             TEXT    NOT NULL CHECK (yellow_kind IN ('human', 'cpu')),
    yellow_profile          TEXT    REFERENCES profiles (id),
    yellow_name             TEXT,
    yellow_level            TEXT    CHECK (yellow_level IN ('easy', 'medium', 'hard', 'perfect')),
    yellow_presence         INTEGER NOT NULL CHECK (yellow_presence IN (0, 1, 2)),
    yellow_since            INTEGER,
    yellow_rematch          INTEGER NOT NULL CHECK (yellow_rematch IN (0, 1)),
    moves                   TEXT    NOT NULL CHECK (moves NOT GLOB '*[^1-7]*'),
    movers                  TEXT    NOT NULL CHECK (movers NOT GLOB '*[^hc]*'), -- of each ply: h a human, c the CPU
    took                    TEXT    NOT NULL, -- milliseconds of each ply, a comma after each
    ply                     INTEGER NOT NULL CHECK (ply BETWEEN 0 AND 42),
    status                  TEXT    NOT NULL CHECK (status IN ('in_progress', 'finished')),
    outcome                 TEXT    CHECK (outcome IN ('win', 'draw')),
    winner                  TEXT    CHECK (winner IN ('red', 'yellow')),
    ended_by                TEXT    CHECK (ended_by IN ('line', 'resignation', 'timeout')),
    next_game               TEXT    REFERENCES games (id),
    next_first              INTEGER CHECK (next_first IN (1, 2)),
    table_done              INTEGER NOT NULL CHECK (table_done IN (0, 1)),
    started                 INTEGER NOT NULL,
    turn_started            INTEGER NOT NULL,
    deadline                INTEGER, -- of the running turn, without the outages since it began
    timed_out               INTEGER NOT NULL CHECK (timed_out IN (0, 1)),
    asleep_since            INTEGER,
    finished                INTEGER,

    UNIQUE (table_id, number),
    CONSTRAINT one_seat_one_profile CHECK (red_profile <> yellow_profile),
    CONSTRAINT one_seat_one_side CHECK (red_seat <> yellow_seat),
    CONSTRAINT red_person_has_profile CHECK ((red_kind = 'human') = (red_profile IS NOT NULL)),
    CONSTRAINT red_cpu_has_level CHECK ((red_kind = 'cpu') = (red_level IS NOT NULL)),
    CONSTRAINT red_cpu_has_no_name CHECK (red_kind = 'human' OR red_name IS NULL),
    CONSTRAINT red_cpu_is_here CHECK (red_kind = 'human' OR red_presence = 0),
    CONSTRAINT yellow_person_has_profile CHECK ((yellow_kind = 'human') = (yellow_profile IS NOT NULL)),
    CONSTRAINT yellow_cpu_has_level CHECK ((yellow_kind = 'cpu') = (yellow_level IS NOT NULL)),
    CONSTRAINT yellow_cpu_has_no_name CHECK (yellow_kind = 'human' OR yellow_name IS NULL),
    CONSTRAINT yellow_cpu_is_here CHECK (yellow_kind = 'human' OR yellow_presence = 0),
    CONSTRAINT one_cpu CHECK (red_kind = 'human' OR yellow_kind = 'human'),
    CONSTRAINT cpu_is_not_ranked CHECK (NOT ranked OR (red_kind = 'human' AND yellow_kind = 'human')),
    CONSTRAINT ply_counts_moves CHECK (length(moves) = ply),
    CONSTRAINT movers_count_moves CHECK (length(movers) = ply),
    CONSTRAINT took_counts_moves CHECK (length(took) - length(replace(took, ',', '')) = ply),
    CONSTRAINT finished_has_outcome CHECK ((status = 'finished') = (outcome IS NOT NULL)),
    CONSTRAINT finished_has_time CHECK ((status = 'finished') = (finished IS NOT NULL)),
    CONSTRAINT finished_stands_still CHECK (status <> 'finished' OR (deadline IS NULL AND NOT timed_out AND asleep_since IS NULL)),
    CONSTRAINT asleep_runs_no_clock CHECK (asleep_since IS NULL OR (deadline IS NULL AND NOT timed_out)),
    CONSTRAINT running_has_nothing_after CHECK (status = 'finished'
        OR (next_game IS NULL AND next_first IS NULL AND NOT table_done AND NOT unattended)),
    CONSTRAINT win_has_winner CHECK ((coalesce(outcome, '') = 'win') = (winner IS NOT NULL)),
    CONSTRAINT win_has_cause CHECK ((winner IS NOT NULL) = (ended_by IS NOT NULL))
) STRICT, WITHOUT ROWID;
CREATE INDEX games_asleep ON games (asleep_since) WHERE asleep_since IS NOT NULL;

-- When a worker has to look at a running game. seq grows whenever somebody claims it or sets it anew.
CREATE TABLE game_timers (
    game_id TEXT    PRIMARY KEY CHECK (length(game_id) = 36) REFERENCES games (id) ON DELETE CASCADE,
    due     INTEGER NOT NULL,
    seq     INTEGER NOT NULL CHECK (seq >= 1)
) STRICT, WITHOUT ROWID;
CREATE INDEX game_timers_due ON game_timers (due);

-- When the owner of a seat was last heard of, and whether it said that it goes.
CREATE TABLE seat_presence (
    table_id  TEXT    NOT NULL CHECK (length(table_id) = 36) REFERENCES tables (id) ON DELETE CASCADE,
    seat      INTEGER NOT NULL CHECK (seat IN (1, 2)),
    last_seen INTEGER NOT NULL,
    said_away INTEGER NOT NULL CHECK (said_away IN (0, 1)),

    PRIMARY KEY (table_id, seat)
) STRICT, WITHOUT ROWID;

-- One row: when any replica last said that it is there.
CREATE TABLE heartbeat (
    id     INTEGER PRIMARY KEY CHECK (id = 1),
    beaten INTEGER NOT NULL
) STRICT, WITHOUT ROWID;

-- When none did.
CREATE TABLE outages (
    began INTEGER PRIMARY KEY,
    ended INTEGER NOT NULL CHECK (ended > began)
) STRICT, WITHOUT ROWID;
