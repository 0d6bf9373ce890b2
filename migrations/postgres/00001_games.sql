-- +goose Up

CREATE TABLE profiles (
    id      uuid   PRIMARY KEY,
    name    text   NOT NULL CHECK (length(name) <= 32),
    locale  text   CHECK (locale IN ('en', 'de', 'pl', 'ru')),
    created bigint NOT NULL
);

CREATE TABLE devices (
    id         uuid   PRIMARY KEY,
    profile_id uuid   NOT NULL REFERENCES profiles (id),
    token_hash bytea  NOT NULL UNIQUE CHECK (length(token_hash) = 32),
    created    bigint NOT NULL
);
CREATE INDEX devices_profile ON devices (profile_id);

-- A seat without a profile is free, or nobody's who has one.
CREATE TABLE tables (
    id                 uuid    PRIMARY KEY,
    version            bigint  NOT NULL CHECK (version >= 1),
    status             text    NOT NULL CHECK (status IN ('waiting', 'playing', 'between_games', 'closed')),
    reason             text    CHECK (reason IN ('host_left', 'player_left', 'idle', 'profile_deleted', 'abandoned')),
    visibility         text    NOT NULL CHECK (visibility IN ('public', 'private')),
    invite_code        text    UNIQUE CHECK (length(invite_code) = 10),
    first_player       text    NOT NULL CHECK (first_player IN ('seat_order', 'random')),
    end_dead_positions boolean NOT NULL,
    seat1_profile      uuid    NOT NULL REFERENCES profiles (id),
    seat1_name         text    NOT NULL,
    seat2_profile      uuid    REFERENCES profiles (id),
    seat2_name         text,
    game_id            uuid    UNIQUE, -- the current game, or the last one
    client_ref         uuid,           -- given up when it is a day old and comes again
    created            bigint  NOT NULL,

    UNIQUE (seat1_profile, client_ref),
    CONSTRAINT one_seat_one_profile CHECK (seat1_profile <> seat2_profile),
    CONSTRAINT waiting_for_seat_2 CHECK (status <> 'waiting' OR (seat2_profile IS NULL AND game_id IS NULL)),
    CONSTRAINT playing_a_game CHECK (status IN ('waiting', 'closed') OR game_id IS NOT NULL),
    CONSTRAINT closed_for_a_reason CHECK (status = 'closed' OR reason IS NULL),
    CONSTRAINT private_by_invitation CHECK ((visibility = 'private') = (invite_code IS NOT NULL))
);
CREATE INDEX tables_lobby ON tables (status, created, id) WHERE visibility = 'public' AND status <> 'closed';
CREATE INDEX tables_open_seat1 ON tables (seat1_profile) WHERE status <> 'closed';
CREATE INDEX tables_open_seat2 ON tables (seat2_profile) WHERE status <> 'closed';

-- A move rewrites the row. With room on its page and no index on what a move changes it stays there (a HOT update).
CREATE TABLE games (
    id                 uuid    PRIMARY KEY,
    table_id           uuid    NOT NULL REFERENCES tables (id),
    number             integer NOT NULL CHECK (number >= 1),
    version            bigint  NOT NULL CHECK (version >= 1),
    private            boolean NOT NULL,
    first_player       text    NOT NULL CHECK (first_player IN ('seat_order', 'random')),
    end_dead_positions boolean NOT NULL,
    red_seat           integer NOT NULL CHECK (red_seat IN (1, 2)),
    red_profile        uuid    REFERENCES profiles (id),
    red_name           text    NOT NULL,
    yellow_seat        integer NOT NULL CHECK (yellow_seat IN (1, 2)),
    yellow_profile     uuid    REFERENCES profiles (id),
    yellow_name        text    NOT NULL,
    moves              text    NOT NULL CHECK (moves ~ '^[1-7]*$'),
    took               text    NOT NULL, -- milliseconds of each ply, a comma after each
    ply                integer NOT NULL CHECK (ply BETWEEN 0 AND 42),
    status             text    NOT NULL CHECK (status IN ('in_progress', 'finished')),
    outcome            text    CHECK (outcome IN ('win', 'draw')),
    winner             text    CHECK (winner IN ('red', 'yellow')),
    ended_by           text    CHECK (ended_by IN ('line', 'resignation', 'timeout')),
    started            bigint  NOT NULL,
    turn_started       bigint  NOT NULL,
    finished           bigint,

    UNIQUE (table_id, number),
    CONSTRAINT one_seat_one_profile CHECK (red_profile <> yellow_profile),
    CONSTRAINT one_seat_one_side CHECK (red_seat <> yellow_seat),
    CONSTRAINT ply_counts_moves CHECK (length(moves) = ply),
    CONSTRAINT took_counts_moves CHECK (length(took) - length(replace(took, ',', '')) = ply),
    CONSTRAINT finished_has_outcome CHECK ((status = 'finished') = (outcome IS NOT NULL)),
    CONSTRAINT finished_has_time CHECK ((status = 'finished') = (finished IS NOT NULL)),
    CONSTRAINT win_has_winner CHECK ((coalesce(outcome, '') = 'win') = (winner IS NOT NULL)),
    CONSTRAINT win_has_cause CHECK ((winner IS NOT NULL) = (ended_by IS NOT NULL))
) WITH (fillfactor = 70);

ALTER TABLE tables ADD CONSTRAINT tables_game_id_fkey FOREIGN KEY (game_id) REFERENCES games (id)
    DEFERRABLE INITIALLY DEFERRED; -- table and game begin together
