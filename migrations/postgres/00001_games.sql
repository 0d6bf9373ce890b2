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

-- Seat 1 is its host's; seat 2 is free while it has no kind.
CREATE TABLE tables (
    id                      uuid    PRIMARY KEY,
    version                 bigint  NOT NULL CHECK (version >= 1),
    status                  text    NOT NULL CHECK (status IN ('waiting', 'playing', 'between_games', 'closed')),
    reason                  text    CHECK (reason IN ('host_left', 'player_left', 'idle', 'profile_deleted', 'abandoned')),
    visibility              text    NOT NULL CHECK (visibility IN ('public', 'private')),
    invite_code             text    UNIQUE CHECK (length(invite_code) = 10),
    ranked                  boolean NOT NULL,
    settings_version        bigint  NOT NULL CHECK (settings_version >= 1),
    alternate_first_move    boolean NOT NULL,
    first_player            text    NOT NULL CHECK (first_player IN ('seat_order', 'random')),
    move_time_limit_seconds integer NOT NULL CHECK (move_time_limit_seconds >= 0),
    end_dead_positions      boolean NOT NULL,
    on_timeout              text    NOT NULL CHECK (on_timeout IN ('cpu_move', 'loss')),
    cpu_cover               boolean NOT NULL,
    cover_grace_seconds     integer NOT NULL CHECK (cover_grace_seconds > 0),
    cover_level             text    NOT NULL CHECK (cover_level IN ('easy', 'medium', 'hard', 'perfect')),
    seat1_profile           uuid    NOT NULL REFERENCES profiles (id),
    seat1_name              text    NOT NULL,
    seat1_left              boolean NOT NULL,
    seat1_wins              integer NOT NULL CHECK (seat1_wins >= 0),
    seat2_kind              text    CHECK (seat2_kind IN ('human', 'cpu')),
    seat2_profile           uuid    REFERENCES profiles (id),
    seat2_name              text,
    seat2_level             text    CHECK (seat2_level IN ('easy', 'medium', 'hard', 'perfect')),
    seat2_left              boolean NOT NULL,
    seat2_wins              integer NOT NULL CHECK (seat2_wins >= 0),
    draws                   integer NOT NULL CHECK (draws >= 0),
    game_id                 uuid    UNIQUE, -- the running game, or the last one
    next_first              integer CHECK (next_first IN (1, 2)),
    client_ref              uuid, -- given up when it is a day old and comes again
    created                 bigint  NOT NULL,
    active                  bigint  NOT NULL,

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
);
CREATE INDEX tables_lobby ON tables (status, created, id) WHERE visibility = 'public' AND status <> 'closed';
CREATE INDEX tables_open_seat1 ON tables (seat1_profile) WHERE status <> 'closed';
CREATE INDEX tables_open_seat2 ON tables (seat2_profile) WHERE status <> 'closed';
-- Tables that close after a day without anybody, and those that close later.
CREATE INDEX tables_idle ON tables (active)
    WHERE status IN ('waiting', 'between_games') AND (visibility = 'public' OR seat2_level IS NOT NULL);
CREATE INDEX tables_idle_private ON tables (active)
    WHERE status IN ('waiting', 'between_games') AND visibility = 'private' AND seat2_level IS NULL;

-- A move rewrites the row. With room on its page and no index on what a move changes it stays there (a HOT update).
-- A presence is 0 for here, 1 for silent, 2 for gone; since is when its owner came back last.
CREATE TABLE games (
    id                      uuid    PRIMARY KEY,
    table_id                uuid    NOT NULL REFERENCES tables (id),
    number                  integer NOT NULL CHECK (number >= 1),
    version                 bigint  NOT NULL CHECK (version >= 1),
    private                 boolean NOT NULL,
    ranked                  boolean NOT NULL,
    unattended              boolean NOT NULL,
    alternate_first_move    boolean NOT NULL,
    first_player            text    NOT NULL CHECK (first_player IN ('seat_order', 'random')),
    move_time_limit_seconds integer NOT NULL CHECK (move_time_limit_seconds >= 0),
    end_dead_positions      boolean NOT NULL,
    on_timeout              text    NOT NULL CHECK (on_timeout IN ('cpu_move', 'loss')),
    cpu_cover               boolean NOT NULL,
    cover_grace_seconds     integer NOT NULL CHECK (cover_grace_seconds > 0),
    cover_level             text    NOT NULL CHECK (cover_level IN ('easy', 'medium', 'hard', 'perfect')),
    red_seat                integer NOT NULL CHECK (red_seat IN (1, 2)),
    red_kind                text    NOT NULL CHECK (red_kind IN ('human', 'cpu')),
    red_profile             uuid    REFERENCES profiles (id),
    red_name                text,
    red_level               text    CHECK (red_level IN ('easy', 'medium', 'hard', 'perfect')),
    red_presence            integer NOT NULL CHECK (red_presence IN (0, 1, 2)),
    red_since               bigint,
    red_rematch             boolean NOT NULL,
    yellow_seat             integer NOT NULL CHECK (yellow_seat IN (1, 2)),
    yellow_kind             text    NOT NULL CHECK (yellow_kind IN ('human', 'cpu')),
    yellow_profile          uuid    REFERENCES profiles (id),
    yellow_name             text,
    yellow_level            text    CHECK (yellow_level IN ('easy', 'medium', 'hard', 'perfect')),
    yellow_presence         integer NOT NULL CHECK (yellow_presence IN (0, 1, 2)),
    yellow_since            bigint,
    yellow_rematch          boolean NOT NULL,
    moves                   text    NOT NULL CHECK (moves ~ '^[1-7]*$'),
    movers                  text    NOT NULL CHECK (movers ~ '^[hc]*$'), -- of each ply: h a human, c the CPU
    took                    text    NOT NULL, -- milliseconds of each ply, a comma after each
    ply                     integer NOT NULL CHECK (ply BETWEEN 0 AND 42),
    status                  text    NOT NULL CHECK (status IN ('in_progress', 'finished')),
    outcome                 text    CHECK (outcome IN ('win', 'draw')),
    winner                  text    CHECK (winner IN ('red', 'yellow')),
    ended_by                text    CHECK (ended_by IN ('line', 'resignation', 'timeout')),
    next_game               uuid    REFERENCES games (id),
    next_first              integer CHECK (next_first IN (1, 2)),
    table_done              boolean NOT NULL,
    started                 bigint  NOT NULL,
    turn_started            bigint  NOT NULL,
    deadline                bigint, -- of the running turn, without the outages since it began
    timed_out               boolean NOT NULL,
    asleep_since            bigint,
    finished                bigint,

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
) WITH (fillfactor = 70);
CREATE INDEX games_asleep ON games (asleep_since) WHERE asleep_since IS NOT NULL;

ALTER TABLE tables ADD CONSTRAINT tables_game_id_fkey FOREIGN KEY (game_id) REFERENCES games (id)
    DEFERRABLE INITIALLY DEFERRED; -- table and game begin together

-- When a worker has to look at a running game. seq grows whenever somebody claims it or sets it anew.
CREATE TABLE game_timers (
    game_id uuid   PRIMARY KEY REFERENCES games (id) ON DELETE CASCADE,
    due     bigint NOT NULL,
    seq     bigint NOT NULL CHECK (seq >= 1)
) WITH (fillfactor = 50);
CREATE INDEX game_timers_due ON game_timers (due);

-- When the owner of a seat was last heard of, and whether it said that it goes.
CREATE TABLE seat_presence (
    table_id  uuid    NOT NULL REFERENCES tables (id) ON DELETE CASCADE,
    seat      integer NOT NULL CHECK (seat IN (1, 2)),
    last_seen bigint  NOT NULL,
    said_away boolean NOT NULL,

    PRIMARY KEY (table_id, seat)
) WITH (fillfactor = 50);

-- One row: when any replica last said that it is there.
CREATE TABLE heartbeat (
    id     integer PRIMARY KEY CHECK (id = 1),
    beaten bigint  NOT NULL
);

-- When none did.
CREATE TABLE outages (
    began bigint PRIMARY KEY,
    ended bigint NOT NULL CHECK (ended > began)
);
