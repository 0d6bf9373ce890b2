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

ALTER TABLE games
    ADD COLUMN settings text,
    ADD COLUMN stamp bigint,
    DROP CONSTRAINT asleep_runs_no_clock,
    DROP CONSTRAINT changes_sum_to_nought,
    DROP CONSTRAINT cpu_is_not_ranked,
    DROP CONSTRAINT finished_has_time,
    DROP CONSTRAINT finished_stands_still,
    DROP CONSTRAINT games_ended_by_check,
    DROP CONSTRAINT games_movers_check,
    DROP CONSTRAINT games_moves_check,
    DROP CONSTRAINT games_next_first_check,
    DROP CONSTRAINT games_number_check,
    DROP CONSTRAINT games_ply_check,
    DROP CONSTRAINT games_rating_reason_check,
    DROP CONSTRAINT games_red_kind_check,
    DROP CONSTRAINT games_red_level_check,
    DROP CONSTRAINT games_red_presence_check,
    DROP CONSTRAINT games_red_seat_check,
    DROP CONSTRAINT games_version_check,
    DROP CONSTRAINT games_winner_check,
    DROP CONSTRAINT games_yellow_kind_check,
    DROP CONSTRAINT games_yellow_level_check,
    DROP CONSTRAINT games_yellow_presence_check,
    DROP CONSTRAINT games_yellow_seat_check,
    DROP CONSTRAINT hints_before_ply_43,
    DROP CONSTRAINT movers_count_moves,
    DROP CONSTRAINT no_hints_when_ranked,
    DROP CONSTRAINT one_cpu,
    DROP CONSTRAINT one_seat_one_profile,
    DROP CONSTRAINT one_seat_one_side,
    DROP CONSTRAINT ply_counts_moves,
    DROP CONSTRAINT rated_has_changes,
    DROP CONSTRAINT rated_when_finished,
    DROP CONSTRAINT red_cpu_has_level,
    DROP CONSTRAINT red_cpu_has_no_name,
    DROP CONSTRAINT red_cpu_is_here,
    DROP CONSTRAINT red_person_has_profile,
    DROP CONSTRAINT running_has_nothing_after,
    DROP CONSTRAINT took_counts_moves,
    DROP CONSTRAINT win_has_cause,
    DROP CONSTRAINT win_has_winner,
    DROP CONSTRAINT yellow_cpu_has_level,
    DROP CONSTRAINT yellow_cpu_has_no_name,
    DROP CONSTRAINT yellow_cpu_is_here,
    DROP CONSTRAINT yellow_person_has_profile;
UPDATE games SET stamp = CAST((random() - 0.5) * 9e18 AS bigint), settings =
    '{"alternate_first_move":"' || CASE WHEN alternate_first_move THEN 'on' ELSE 'off' END
        || '","first_player":"' || first_player
        || '","move_time_limit_seconds":"' || move_time_limit_seconds
        || '","end_dead_positions":"' || CASE WHEN end_dead_positions THEN 'on' ELSE 'off' END
        || '","on_timeout":"' || on_timeout
        || '","cpu_cover":"' || CASE WHEN cpu_cover THEN 'on' ELSE 'off' END
        || '","cover_grace_seconds":"' || cover_grace_seconds
        || '","cover_level":"' || cover_level || '"}';
ALTER TABLE games
    ALTER COLUMN settings SET NOT NULL,
    ALTER COLUMN stamp SET NOT NULL,
    ALTER COLUMN hinted DROP DEFAULT,
    DROP COLUMN alternate_first_move,
    DROP COLUMN first_player,
    DROP COLUMN move_time_limit_seconds,
    DROP COLUMN end_dead_positions,
    DROP COLUMN on_timeout,
    DROP COLUMN cpu_cover,
    DROP COLUMN cover_grace_seconds,
    DROP COLUMN cover_level,
    DROP COLUMN ply;

ALTER TABLE tables ADD COLUMN settings text;
UPDATE tables SET settings =
    '{"alternate_first_move":"' || CASE WHEN alternate_first_move THEN 'on' ELSE 'off' END
        || '","first_player":"' || first_player
        || '","move_time_limit_seconds":"' || move_time_limit_seconds
        || '","end_dead_positions":"' || CASE WHEN end_dead_positions THEN 'on' ELSE 'off' END
        || '","on_timeout":"' || on_timeout
        || '","cpu_cover":"' || CASE WHEN cpu_cover THEN 'on' ELSE 'off' END
        || '","cover_grace_seconds":"' || cover_grace_seconds
        || '","cover_level":"' || cover_level || '"}';
ALTER TABLE tables
    ALTER COLUMN settings SET NOT NULL,
    DROP CONSTRAINT tables_seat2_level_check,
    DROP COLUMN alternate_first_move,
    DROP COLUMN first_player,
    DROP COLUMN end_dead_positions,
    DROP COLUMN on_timeout,
    DROP COLUMN cpu_cover,
    DROP COLUMN cover_level;

-- A new database gets its house rules at the first start, from the table in code; one that is in use keeps its own.
DELETE FROM house_rules WHERE version = 1 AND NOT EXISTS (SELECT 1 FROM profiles);
