-- +goose Up

-- The catalogue. What a rule means, and all options there are, is the program's to know. Options stand with commas between.
CREATE TABLE house_rules (
    rule           text    PRIMARY KEY,
    default_option text    NOT NULL,
    options        text    NOT NULL CHECK (options <> ''),
    changeable     boolean NOT NULL,
    version        bigint  NOT NULL CHECK (version >= 1),
    created        bigint  NOT NULL, -- when version 1 was
    updated        bigint  NOT NULL,

    CONSTRAINT default_is_on_offer CHECK (position(',' || default_option || ',' IN ',' || options || ',') > 0),
    CONSTRAINT first_version_is_as_created CHECK (version > 1 OR updated = created)
);

INSERT INTO house_rules (rule, default_option, options, changeable, version, created, updated)
SELECT rule, default_option, options, changeable, 1, now_us, now_us
FROM (SELECT (extract(epoch FROM clock_timestamp()) * 1000000)::bigint AS now_us) AS moment, (VALUES
    ('alternate_first_move', 'on', 'on,off', true),
    ('first_player', 'seat_order', 'seat_order,random', true),
    ('move_time_limit_seconds', '0', '0,30,60', true),
    ('end_dead_positions', 'on', 'on,off', true),
    ('on_timeout', 'cpu_move', 'cpu_move,loss', true),
    ('cpu_cover', 'on', 'on,off', true),
    ('cover_grace_seconds', '30', '20,30,60,120', false),
    ('cover_level', 'medium', 'easy,medium,hard,perfect', false)
) AS seed (rule, default_option, options, changeable);

CREATE TABLE admin_tokens (
    id         uuid   PRIMARY KEY,
    name       text   NOT NULL CHECK (length(name) BETWEEN 1 AND 64),
    token_hash bytea  NOT NULL UNIQUE CHECK (length(token_hash) = 32),
    created    bigint NOT NULL,
    revoked    bigint
);
CREATE UNIQUE INDEX admin_tokens_name ON admin_tokens (name) WHERE revoked IS NULL;

-- One row an edit, never changed.
CREATE TABLE audit_log (
    id                uuid    PRIMARY KEY,
    at                bigint  NOT NULL,
    actor             text    NOT NULL, -- the name of the token
    token_id          uuid    NOT NULL REFERENCES admin_tokens (id),
    rule              text    NOT NULL REFERENCES house_rules (rule),
    version           bigint  NOT NULL CHECK (version >= 2), -- that came of it
    restored          bigint  CHECK (restored >= 1 AND restored < version), -- the version that a rollback went back to
    before_default    text    NOT NULL,
    before_options    text    NOT NULL,
    before_changeable boolean NOT NULL,
    after_default     text    NOT NULL,
    after_options     text    NOT NULL,
    after_changeable  boolean NOT NULL,
    reason            text    NOT NULL CHECK (length(reason) BETWEEN 1 AND 500),

    UNIQUE (rule, version)
);
CREATE INDEX audit_log_time ON audit_log (at, id);
CREATE INDEX audit_log_actor ON audit_log (actor, at, id);

-- +goose StatementBegin
CREATE FUNCTION refuse_change() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    RAISE EXCEPTION '% is append-only', TG_TABLE_NAME USING ERRCODE = 'integrity_constraint_violation';
END
$$;
-- +goose StatementEnd
CREATE TRIGGER audit_log_is_append_only BEFORE UPDATE OR DELETE ON audit_log FOR EACH ROW EXECUTE FUNCTION refuse_change();
CREATE TRIGGER audit_log_is_not_emptied BEFORE TRUNCATE ON audit_log FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();
ALTER TABLE audit_log ENABLE ALWAYS TRIGGER audit_log_is_append_only;
ALTER TABLE audit_log ENABLE ALWAYS TRIGGER audit_log_is_not_emptied;
