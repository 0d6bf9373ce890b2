-- +goose Up

-- For which plies a hint was given: bit 0 for ply 1, and so on. A side's are the odd or the even ones.
ALTER TABLE games ADD COLUMN hinted bigint NOT NULL DEFAULT 0
    CONSTRAINT hints_before_ply_43 CHECK (hinted >= 0 AND hinted < 4398046511104)
    CONSTRAINT no_hints_when_ranked CHECK (NOT ranked OR hinted = 0);

-- What was computed of finished games. It may be emptied or dropped at any time: what is missing is computed again.
CREATE TABLE analyses (
    game_id  uuid   PRIMARY KEY REFERENCES games (id) ON DELETE CASCADE,
    scores   text   NOT NULL, -- of each ply the seven columns, with commas between; empty for a full one, a semicolon after each ply
    computed bigint NOT NULL
);
