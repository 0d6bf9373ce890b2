-- +goose Up

-- What replicas tell each other: a row for each change, with the ids of the games, tables and players that it is news of,
-- or of devices that were removed. Rows go after a minute or two, by emptying the one of the two tables that nobody writes to just then
-- (internal/store/feed.go), so there is nothing to vacuum. A crash empties both, which replicas notice.
CREATE UNLOGGED TABLE changes_a (
    topics  UUID[]  NOT NULL,
    devices UUID[],           -- NULL: none was removed
    origin  INTEGER NOT NULL, -- the process that writes the row; it knows already
    xid     XID8    NOT NULL DEFAULT pg_current_xact_id()
) WITH (autovacuum_enabled = FALSE);
CREATE INDEX changes_a_by_xid ON changes_a (xid);
CREATE UNLOGGED TABLE changes_b (LIKE changes_a INCLUDING DEFAULTS) WITH (autovacuum_enabled = FALSE);
CREATE INDEX changes_b_by_xid ON changes_b (xid);
