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

-- A seat without a profile is free, or nobody's who has one.
CREATE TABLE tables (
    id                 TEXT    PRIMARY KEY CHECK (length(id) = 36),
    version            INTEGER NOT NULL CHECK (version >= 1),
    status             TEXT    NOT NULL CHECK (status IN ('waiting', 'playing', 'between_games', 'closed')),
    reason             TEXT    CHECK (reason IN ('host_left', 'player_left', 'idle', 'profile_deleted', 'abandoned')),
    visibility         TEXT    NOT NULL CHECK (visibility IN ('public', 'private')),
    invite_code        TEXT    UNIQUE CHECK (length(invite_code) = 10),
    first_player       TEXT    NOT NULL CHECK (first_player IN ('seat_order', 'random')),
    end_dead_positions INTEGER NOT NULL CHECK (end_dead_positions IN (0, 1)),
    seat1_profile      TEXT    NOT NULL REFERENCES profiles (id),
    seat1_name         TEXT    NOT NULL,
    seat2_profile      TEXT    REFERENCES profiles (id),
    seat2_name         TEXT,
    game_id            TEXT    UNIQUE REFERENCES games (id) DEFERRABLE INITIALLY DEFERRED, -- the current game, or the last one
    client_ref         TEXT    CHECK (length(client_ref) = 36), -- given up when it is a day old and comes again
    created            INTEGER NOT NULL,

    UNIQUE (seat1_profile, client_ref),
    CONSTRAINT one_seat_one_profile CHECK (seat1_profile <> seat2_profile),
    CONSTRAINT waiting_for_seat_2 CHECK (status <> 'waiting' OR (seat2_profile IS NULL AND game_id IS NULL)),
    CONSTRAINT playing_a_game CHECK (status IN ('waiting', 'closed') OR game_id IS NOT NULL),
    CONSTRAINT closed_for_a_reason CHECK (status = 'closed' OR reason IS NULL),
    CONSTRAINT private_by_invitation CHECK ((visibility = 'private') = (invite_code IS NOT NULL))
) STRICT, WITHOUT ROWID;
CREATE INDEX tables_lobby ON tables (status, created, id) WHERE visibility = 'public' AND status <> 'closed';
CREATE INDEX tables_open_seat1 ON tables (seat1_profile) WHERE status <> 'closed';
CREATE INDEX tables_open_seat2 ON tables (seat2_profile) WHERE status <> 'closed';

CREATE TABLE games (
    id                 TEXT    PRIMARY KEY CHECK (length(id) = 36),
    table_id           TEXT    NOT NULL REFERENCES tables (id),
    number             INTEGER NOT NULL CHECK (number >= 1),
    version            INTEGER NOT NULL CHECK (version >= 1),
    private            INTEGER NOT NULL CHECK (private IN (0, 1)),
    first_player       TEXT    NOT NULL CHECK (first_player IN ('seat_order', 'random')),
    end_dead_positions INTEGER NOT NULL CHECK (end_dead_positions IN (0, 1)),
    red_seat           INTEGER NOT NULL CHECK (red_seat IN (1, 2)),
    red_profile        TEXT    REFERENCES profiles (id),
    red_name           TEXT    NOT NULL,
    yellow_seat        INTEGER NOT NULL CHECK (yellow_seat IN (1, 2)),
    yellow_profile     TEXT    REFERENCES profiles (id),
    yellow_name        TEXT    NOT NULL,
    moves              TEXT    NOT NULL CHECK (moves NOT GLOB '*[^1-7]*'),
    took               TEXT    NOT NULL, -- milliseconds of each ply, a comma after each
    ply                INTEGER NOT NULL CHECK (ply BETWEEN 0 AND 42),
    status             TEXT    NOT NULL CHECK (status IN ('in_progress', 'finished')),
    outcome            TEXT    CHECK (outcome IN ('win', 'draw')),
    winner             TEXT    CHECK (winner IN ('red', 'yellow')),
    ended_by           TEXT    CHECK (ended_by IN ('line', 'resignation', 'timeout')),
    started            INTEGER NOT NULL,
    turn_started       INTEGER NOT NULL,
    finished           INTEGER,

    UNIQUE (table_id, number),
    CONSTRAINT one_seat_one_profile CHECK (red_profile <> yellow_profile),
    CONSTRAINT one_seat_one_side CHECK (red_seat <> yellow_seat),
    CONSTRAINT ply_counts_moves CHECK (length(moves) = ply),
    CONSTRAINT took_counts_moves CHECK (length(took) - length(replace(took, ',', '')) = ply),
    CONSTRAINT finished_has_outcome CHECK ((status = 'finished') = (outcome IS NOT NULL)),
    CONSTRAINT finished_has_time CHECK ((status = 'finished') = (finished IS NOT NULL)),
    CONSTRAINT win_has_winner CHECK ((coalesce(outcome, '') = 'win') = (winner IS NOT NULL)),
    CONSTRAINT win_has_cause CHECK ((winner IS NOT NULL) = (ended_by IS NOT NULL))
) STRICT, WITHOUT ROWID;
