-- +goose Up

-- Why a table closed is an open set: a new reason needs no migration.
ALTER TABLE tables DROP CONSTRAINT tables_reason_check;
ALTER TABLE tables ADD CONSTRAINT tables_reason_check CHECK (length(reason) BETWEEN 1 AND 40);

-- Where quick match took the owner of a table that closed by it.
ALTER TABLE tables ADD COLUMN moved_to uuid REFERENCES tables (id) DEFERRABLE INITIALLY DEFERRED -- a table closes before the other is stored
    CONSTRAINT moved_elsewhere CHECK ((coalesce(reason, '') = 'moved') = (moved_to IS NOT NULL) AND moved_to <> id);

-- What a client asked for under client_ref; NULL for a table of before, whose name any request may repeat.
ALTER TABLE tables ADD COLUMN client_request text CHECK (length(client_request) <= 1000);

-- Who waits for a quick match without having named a clock waits for the default, whatever it is when two meet. Of a
-- table that waits already nobody knows: one with the default's clock is such a table.
ALTER TABLE tables ADD COLUMN any_clock boolean NOT NULL DEFAULT FALSE
    CONSTRAINT any_clock_is_quick CHECK (NOT any_clock OR quick);
UPDATE tables SET any_clock = TRUE WHERE quick AND status = 'waiting'
    AND CAST(move_time_limit_seconds AS text) = (SELECT default_option FROM house_rules WHERE rule = 'move_time_limit_seconds');
DROP INDEX tables_quick;
CREATE INDEX tables_quick ON tables (ranked, move_time_limit_seconds, created) WHERE quick AND status = 'waiting' AND NOT any_clock;
CREATE INDEX tables_quick_any_clock ON tables (ranked, created) WHERE quick AND status = 'waiting' AND any_clock;

-- The seats of a table show the ratings of the moment when its last game ended; before its first one, of when they were
-- taken, which they have already. A player's rating after a game is that after as many changes as there were by then.
UPDATE tables SET seat1_rating = shown.seat1, seat2_rating = shown.seat2, version = version + 1
FROM (SELECT t.id,
        max(CASE WHEN stood.profile_id = t.seat1_profile THEN coalesce(c.after, 1500000000) END) AS seat1,
        max(CASE WHEN stood.profile_id = t.seat2_profile THEN coalesce(c.after, 1500000000) END) AS seat2
    FROM (SELECT table_id, max(number) AS number FROM games WHERE status = 'finished' GROUP BY table_id) AS ended
    JOIN games g ON g.table_id = ended.table_id AND g.number = ended.number
    JOIN tables t ON t.id = g.table_id
    JOIN (SELECT l.profile_id, l.game_id, count(r.n) OVER (PARTITION BY l.profile_id ORDER BY l.n) AS rated
        FROM profile_games l LEFT JOIN rating_changes r ON r.profile_id = l.profile_id AND r.game_id = l.game_id
    ) AS stood ON stood.game_id = g.id
    LEFT JOIN rating_changes c ON c.profile_id = stood.profile_id AND c.n = stood.rated
    GROUP BY t.id
) AS shown WHERE shown.id = tables.id AND (shown.seat1 <> tables.seat1_rating OR shown.seat2 <> tables.seat2_rating);
