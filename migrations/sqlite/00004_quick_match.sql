-- +goose Up

-- Devices have names, and are shown with the hour they were last heard of in; without one it is that of their beginning.
ALTER TABLE devices ADD COLUMN name TEXT CHECK (length(name) BETWEEN 1 AND 32);
ALTER TABLE devices ADD COLUMN seen INTEGER;

-- A code lets one more device in. It goes when it is used, and some time after it has expired.
CREATE TABLE device_codes (
    code_hash  BLOB    PRIMARY KEY CHECK (length(code_hash) = 32),
    profile_id TEXT    NOT NULL REFERENCES profiles (id),
    expires    INTEGER NOT NULL
) STRICT, WITHOUT ROWID;
CREATE INDEX device_codes_profile ON device_codes (profile_id);
CREATE INDEX device_codes_expires ON device_codes (expires);

-- A deleted profile stays without a name, so that games and ratings add up; '' is no name of anybody. It is erased when
-- its name is gone from its old games and tables too: there a seat of a person without a name is that of a deleted one.
ALTER TABLE profiles ADD COLUMN deleted INTEGER
    CONSTRAINT deleted_has_no_name CHECK (deleted IS NULL OR (name = '' AND locale IS NULL));
ALTER TABLE profiles ADD COLUMN erased INTEGER NOT NULL DEFAULT 0
    CONSTRAINT erased_is_deleted CHECK (erased IN (0, 1) AND (NOT erased OR deleted IS NOT NULL));
CREATE INDEX profiles_to_erase ON profiles (deleted) WHERE deleted IS NOT NULL AND NOT erased;
CREATE INDEX games_named_red ON games (red_profile) WHERE red_name IS NOT NULL;
CREATE INDEX games_named_yellow ON games (yellow_profile) WHERE yellow_name IS NOT NULL;
CREATE INDEX tables_guest ON tables (seat2_profile) WHERE seat2_profile IS NOT NULL;

-- Quick match made the table: its free seat is given by quick match alone. A waiting table whose host has long been
-- away isn't listed, so that nobody reads past it; the host's return lists it again.
ALTER TABLE tables ADD COLUMN quick INTEGER NOT NULL DEFAULT 0
    CONSTRAINT quick_is_public CHECK (quick IN (0, 1) AND (NOT quick OR visibility = 'public'));
ALTER TABLE tables ADD COLUMN listed INTEGER NOT NULL DEFAULT 1 CHECK (listed IN (0, 1));
CREATE INDEX tables_quick ON tables (ranked, move_time_limit_seconds, created) WHERE quick AND status = 'waiting';

-- The lobby, newest first, for each set of filters; a filter on a column that no index begins with would read past
-- what it leaves out.
DROP INDEX tables_lobby;
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
