-- +goose Up

-- The house rules of a table and of a game are one document: a rule, an option or a level more needs no migration. What
-- tables are looked for by keeps a column of its own.
--
-- A move rewrites a row of games, and PostgreSQL prepares each CHECK of a table anew for each UPDATE: what 48 of the 51
-- guarded is guarded by the program, which writes no other rows, and is found by `verify`. Levels of the CPU and reasons
-- why a game isn't rated are open sets besides.
--
-- The stamp tells two states of a game apart that have one version: as there are when a backup was restored.
--
-- Programs of before and of after can't run beside each other: stop all, then start.

CREATE TABLE games_new (
    id              TEXT    PRIMARY KEY CHECK (length(id) = 36),
    table_id        TEXT    NOT NULL REFERENCES tables (id),
    number          INTEGER NOT NULL,
    version         INTEGER NOT NULL,
    stamp           INTEGER NOT NULL, -- drawn with each version
    private         INTEGER NOT NULL,
    ranked          INTEGER NOT NULL,
    unattended      INTEGER NOT NULL,
    settings        TEXT    NOT NULL, -- a JSON object: the options of the house rules by their keys
    red_seat        INTEGER NOT NULL,
    red_kind        TEXT    NOT NULL,
    red_profile     TEXT    REFERENCES profiles (id),
    red_name        TEXT,
    red_level       TEXT,
    red_rating      INTEGER,
    red_presence    INTEGER NOT NULL,
    red_since       INTEGER,
    red_rematch     INTEGER NOT NULL,
    yellow_seat     INTEGER NOT NULL,
    yellow_kind     TEXT    NOT NULL,
    yellow_profile  TEXT    REFERENCES profiles (id),
    yellow_name     TEXT,
    yellow_level    TEXT,
    yellow_rating   INTEGER,
    yellow_presence INTEGER NOT NULL,
    yellow_since    INTEGER,
    yellow_rematch  INTEGER NOT NULL,
    moves           TEXT    NOT NULL,
    movers          TEXT    NOT NULL, -- of each ply: h a human, c the CPU
    took            TEXT    NOT NULL, -- milliseconds of each ply, a comma after each
    status          TEXT    NOT NULL CHECK (status IN ('in_progress', 'finished')),
    outcome         TEXT    CHECK (outcome IN ('win', 'draw')),
    winner          TEXT,
    ended_by        TEXT,
    next_game       TEXT    REFERENCES games (id),
    next_first      INTEGER,
    table_done      INTEGER NOT NULL,
    started         INTEGER NOT NULL,
    turn_started    INTEGER NOT NULL,
    deadline        INTEGER, -- of the running turn, without the outages since it began
    timed_out       INTEGER NOT NULL,
    asleep_since    INTEGER,
    finished        INTEGER,
    hinted          INTEGER NOT NULL,
    rating_reason   TEXT,
    red_before      INTEGER,
    red_after       INTEGER,
    yellow_before   INTEGER,
    yellow_after    INTEGER,

    UNIQUE (table_id, number),
    CONSTRAINT finished_has_outcome CHECK ((status = 'finished') = (outcome IS NOT NULL))
) STRICT, WITHOUT ROWID;

INSERT INTO games_new (
    id, table_id, number, version, private, ranked, unattended, red_seat, red_kind, red_profile, red_name,
    red_level, red_presence, red_since, red_rematch, yellow_seat, yellow_kind, yellow_profile, yellow_name,
    yellow_level, yellow_presence, yellow_since, yellow_rematch, moves, movers, took, status, outcome, winner,
    ended_by, next_game, next_first, table_done, started, turn_started, deadline, timed_out, asleep_since, finished,
    hinted, red_rating, yellow_rating, rating_reason, red_before, red_after, yellow_before, yellow_after, settings,
    stamp
)
SELECT
    id, table_id, number, version, private, ranked, unattended, red_seat, red_kind, red_profile, red_name,
    red_level, red_presence, red_since, red_rematch, yellow_seat, yellow_kind, yellow_profile, yellow_name,
    yellow_level, yellow_presence, yellow_since, yellow_rematch, moves, movers, took, status, outcome, winner,
    ended_by, next_game, next_first, table_done, started, turn_started, deadline, timed_out, asleep_since, finished,
    hinted, red_rating, yellow_rating, rating_reason, red_before, red_after, yellow_before, yellow_after,
    '{"alternate_first_move":"' || CASE WHEN alternate_first_move THEN 'on' ELSE 'off' END
        || '","first_player":"' || first_player
        || '","move_time_limit_seconds":"' || move_time_limit_seconds
        || '","end_dead_positions":"' || CASE WHEN end_dead_positions THEN 'on' ELSE 'off' END
        || '","on_timeout":"' || on_timeout
        || '","cpu_cover":"' || CASE WHEN cpu_cover THEN 'on' ELSE 'off' END
        || '","cover_grace_seconds":"' || cover_grace_seconds
        || '","cover_level":"' || cover_level || '"}',
    random()
FROM games;
DROP TABLE games;
ALTER TABLE games_new RENAME TO games;
CREATE INDEX games_asleep ON games (asleep_since) WHERE asleep_since IS NOT NULL;
CREATE INDEX games_named_red ON games (red_profile) WHERE red_name IS NOT NULL;
CREATE INDEX games_named_yellow ON games (yellow_profile) WHERE yellow_name IS NOT NULL;

CREATE TABLE tables_new (
    id                      TEXT    PRIMARY KEY CHECK (length(id) = 36),
    version                 INTEGER NOT NULL CHECK (version >= 1),
    status                  TEXT    NOT NULL CHECK (status IN ('waiting', 'playing', 'between_games', 'closed')),
    reason                  TEXT    CHECK (length(reason) BETWEEN 1 AND 40),
    moved_to                TEXT    REFERENCES tables (id) DEFERRABLE INITIALLY DEFERRED, -- a table closes before the other is stored
    visibility              TEXT    NOT NULL CHECK (visibility IN ('public', 'private')),
    listed                  INTEGER NOT NULL DEFAULT 1 CHECK (listed IN (0, 1)),
    invite_code             TEXT    UNIQUE CHECK (length(invite_code) = 10),
    ranked                  INTEGER NOT NULL CHECK (ranked IN (0, 1)),
    quick                   INTEGER NOT NULL DEFAULT 0 CHECK (quick IN (0, 1)),
    any_clock               INTEGER NOT NULL DEFAULT 0 CHECK (any_clock IN (0, 1)),
    settings_version        INTEGER NOT NULL CHECK (settings_version >= 1),
    settings                TEXT    NOT NULL, -- a JSON object: the options of the house rules by their keys
    move_time_limit_seconds INTEGER NOT NULL CHECK (move_time_limit_seconds >= 0), -- as in settings: tables are looked for by it
    cover_grace_seconds     INTEGER NOT NULL CHECK (cover_grace_seconds > 0), -- the same
    seat1_profile           TEXT    NOT NULL REFERENCES profiles (id),
    seat1_name              TEXT    NOT NULL,
    seat1_rating            INTEGER NOT NULL DEFAULT 1500000000,
    seat1_left              INTEGER NOT NULL CHECK (seat1_left IN (0, 1)),
    seat1_wins              INTEGER NOT NULL CHECK (seat1_wins >= 0),
    seat2_kind              TEXT    CHECK (seat2_kind IN ('human', 'cpu')),
    seat2_profile           TEXT    REFERENCES profiles (id),
    seat2_name              TEXT,
    seat2_level             TEXT,
    seat2_rating            INTEGER,
    seat2_left              INTEGER NOT NULL CHECK (seat2_left IN (0, 1)),
    seat2_wins              INTEGER NOT NULL CHECK (seat2_wins >= 0),
    draws                   INTEGER NOT NULL CHECK (draws >= 0),
    game_id                 TEXT    UNIQUE REFERENCES games (id) DEFERRABLE INITIALLY DEFERRED, -- the running game, or the last one
    next_first              INTEGER CHECK (next_first IN (1, 2)),
    client_ref              TEXT    CHECK (length(client_ref) = 36), -- given up when it is a day old and comes again
    client_request          TEXT    CHECK (length(client_request) <= 1000),
    created                 INTEGER NOT NULL,
    active                  INTEGER NOT NULL,

    UNIQUE (seat1_profile, client_ref),
    CONSTRAINT quick_is_public CHECK (NOT quick OR visibility = 'public'),
    CONSTRAINT any_clock_is_quick CHECK (NOT any_clock OR quick),
    CONSTRAINT moved_elsewhere CHECK ((coalesce(reason, '') = 'moved') = (moved_to IS NOT NULL) AND moved_to <> id),
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

INSERT INTO tables_new (
    id, version, status, reason, visibility, invite_code, ranked, settings_version, move_time_limit_seconds,
    cover_grace_seconds, seat1_profile, seat1_name, seat1_left, seat1_wins, seat2_kind, seat2_profile, seat2_name,
    seat2_level, seat2_left, seat2_wins, draws, game_id, next_first, client_ref, created, active, seat1_rating,
    seat2_rating, quick, listed, moved_to, client_request, any_clock, settings
)
SELECT
    id, version, status, reason, visibility, invite_code, ranked, settings_version, move_time_limit_seconds,
    cover_grace_seconds, seat1_profile, seat1_name, seat1_left, seat1_wins, seat2_kind, seat2_profile, seat2_name,
    seat2_level, seat2_left, seat2_wins, draws, game_id, next_first, client_ref, created, active, seat1_rating,
    seat2_rating, quick, listed, moved_to, client_request, any_clock,
    '{"alternate_first_move":"' || CASE WHEN alternate_first_move THEN 'on' ELSE 'off' END
        || '","first_player":"' || first_player
        || '","move_time_limit_seconds":"' || move_time_limit_seconds
        || '","end_dead_positions":"' || CASE WHEN end_dead_positions THEN 'on' ELSE 'off' END
        || '","on_timeout":"' || on_timeout
        || '","cpu_cover":"' || CASE WHEN cpu_cover THEN 'on' ELSE 'off' END
        || '","cover_grace_seconds":"' || cover_grace_seconds
        || '","cover_level":"' || cover_level || '"}'
FROM tables;
DROP TABLE tables;
ALTER TABLE tables_new RENAME TO tables;
CREATE INDEX tables_open_seat1 ON tables (seat1_profile) WHERE status <> 'closed';
CREATE INDEX tables_open_seat2 ON tables (seat2_profile) WHERE status <> 'closed';
CREATE INDEX tables_idle ON tables (active)
    WHERE status IN ('waiting', 'between_games') AND (visibility = 'public' OR seat2_level IS NOT NULL);
CREATE INDEX tables_idle_private ON tables (active)
    WHERE status IN ('waiting', 'between_games') AND visibility = 'private' AND seat2_level IS NULL;
CREATE INDEX tables_guest ON tables (seat2_profile) WHERE seat2_profile IS NOT NULL;
CREATE INDEX tables_waiting ON tables (created, id)
    WHERE visibility = 'public' AND status = 'waiting' AND listed AND NOT quick;
CREATE INDEX tables_waiting_ranked ON tables (ranked, created, id)
    WHERE visibility = 'public' AND status = 'waiting' AND listed AND NOT quick;
CREATE INDEX tables_waiting_clock ON tables (move_time_limit_seconds, created, id)
    WHERE visibility = 'public' AND status = 'waiting' AND listed AND NOT quick;
CREATE INDEX tables_waiting_ranked_clock ON tables (ranked, move_time_limit_seconds, created, id)
    WHERE visibility = 'public' AND status = 'waiting' AND listed AND NOT quick;
CREATE INDEX tables_playing ON tables (created, id)
    WHERE visibility = 'public' AND status = 'playing';
CREATE INDEX tables_playing_ranked ON tables (ranked, created, id)
    WHERE visibility = 'public' AND status = 'playing';
CREATE INDEX tables_playing_clock ON tables (move_time_limit_seconds, created, id)
    WHERE visibility = 'public' AND status = 'playing';
CREATE INDEX tables_playing_ranked_clock ON tables (ranked, move_time_limit_seconds, created, id)
    WHERE visibility = 'public' AND status = 'playing';
CREATE INDEX tables_quick ON tables (ranked, move_time_limit_seconds, created) WHERE quick AND status = 'waiting' AND NOT any_clock;
CREATE INDEX tables_quick_any_clock ON tables (ranked, created) WHERE quick AND status = 'waiting' AND any_clock;

-- A new database gets its house rules at the first start, from the table in code; one that is in use keeps its own.
DELETE FROM house_rules WHERE version = 1 AND NOT EXISTS (SELECT 1 FROM profiles);
