-- +goose Up

-- The catalogue. What a rule means, and all options there are, is the program's to know. Options stand with commas between.
CREATE TABLE house_rules (
    rule           TEXT    PRIMARY KEY,
    default_option TEXT    NOT NULL,
    options        TEXT    NOT NULL CHECK (options <> ''),
    changeable     INTEGER NOT NULL CHECK (changeable IN (0, 1)),
    version        INTEGER NOT NULL CHECK (version >= 1),
    created        INTEGER NOT NULL, -- when version 1 was
    updated        INTEGER NOT NULL,

    CONSTRAINT default_is_on_offer CHECK (instr(',' || options || ',', ',' || default_option || ',') > 0),
    CONSTRAINT first_version_is_as_created CHECK (version > 1 OR updated = created)
) STRICT, WITHOUT ROWID;

INSERT INTO house_rules (rule, default_option, options, changeable, version, created, updated)
SELECT column1, column2, column3, column4, 1, now_us, now_us
FROM (SELECT unixepoch() * 1000000 AS now_us) AS moment, (VALUES
    ('alternate_first_move', 'on', 'on,off', 1),
    ('first_player', 'seat_order', 'seat_order,random', 1),
    ('move_time_limit_seconds', '0', '0,30,60', 1),
    ('end_dead_positions', 'on', 'on,off', 1),
    ('on_timeout', 'cpu_move', 'cpu_move,loss', 1),
    ('cpu_cover', 'on', 'on,off', 1),
    ('cover_grace_seconds', '30', '20,30,60,120', 0),
    ('cover_level', 'medium', 'easy,medium,hard,perfect', 0)
) AS seed;

CREATE TABLE admin_tokens (
    id         TEXT    PRIMARY KEY CHECK (length(id) = 36),
    name       TEXT    NOT NULL CHECK (length(name) BETWEEN 1 AND 64),
    token_hash BLOB    NOT NULL UNIQUE CHECK (length(token_hash) = 32),
    created    INTEGER NOT NULL,
    revoked    INTEGER
) STRICT, WITHOUT ROWID;
CREATE UNIQUE INDEX admin_tokens_name ON admin_tokens (name) WHERE revoked IS NULL;

-- One row an edit, never changed.
CREATE TABLE audit_log (
    id                TEXT    PRIMARY KEY CHECK (length(id) = 36),
    at                INTEGER NOT NULL,
    actor             TEXT    NOT NULL, -- the name of the token
    token_id          TEXT    NOT NULL REFERENCES admin_tokens (id),
    rule              TEXT    NOT NULL REFERENCES house_rules (rule),
    version           INTEGER NOT NULL CHECK (version >= 2), -- that came of it
    restored          INTEGER CHECK (restored >= 1 AND restored < version), -- the version that a rollback went back to
    before_default    TEXT    NOT NULL,
    before_options    TEXT    NOT NULL,
    before_changeable INTEGER NOT NULL CHECK (before_changeable IN (0, 1)),
    after_default     TEXT    NOT NULL,
    after_options     TEXT    NOT NULL,
    after_changeable  INTEGER NOT NULL CHECK (after_changeable IN (0, 1)),
    reason            TEXT    NOT NULL CHECK (length(reason) BETWEEN 1 AND 500),

    UNIQUE (rule, version)
) STRICT, WITHOUT ROWID;
CREATE INDEX audit_log_time ON audit_log (at, id);
CREATE INDEX audit_log_actor ON audit_log (actor, at, id);

-- +goose StatementBegin
CREATE TRIGGER audit_log_is_not_changed BEFORE UPDATE ON audit_log
BEGIN
    SELECT RAISE(ABORT, 'audit_log is append-only');
END;
-- +goose StatementEnd

-- +goose StatementBegin
CREATE TRIGGER audit_log_is_not_emptied BEFORE DELETE ON audit_log
BEGIN
    SELECT RAISE(ABORT, 'audit_log is append-only');
END;
-- +goose StatementEnd

-- INSERT OR REPLACE would delete a row without asking the trigger before.
-- +goose StatementBegin
CREATE TRIGGER audit_log_is_not_replaced BEFORE INSERT ON audit_log
WHEN EXISTS (SELECT 1 FROM audit_log WHERE id = NEW.id OR (rule = NEW.rule AND version = NEW.version))
BEGIN
    SELECT RAISE(ABORT, 'audit_log is append-only');
END;
-- +goose StatementEnd
