-- +goose Up

-- A rating is in millionths of a point. What a player's games add up to is kept with it; who finishes a game locks the
-- rows of its players, lower id first.
ALTER TABLE profiles ADD COLUMN games integer NOT NULL DEFAULT 0 CHECK (games >= 0); -- finished games, those that count nowhere too: the number of the last
ALTER TABLE profiles ADD COLUMN people_wins integer NOT NULL DEFAULT 0 CHECK (people_wins >= 0);
ALTER TABLE profiles ADD COLUMN people_losses integer NOT NULL DEFAULT 0 CHECK (people_losses >= 0);
ALTER TABLE profiles ADD COLUMN people_draws integer NOT NULL DEFAULT 0 CHECK (people_draws >= 0);
ALTER TABLE profiles ADD COLUMN ranked_wins integer NOT NULL DEFAULT 0 CHECK (ranked_wins >= 0);
ALTER TABLE profiles ADD COLUMN ranked_losses integer NOT NULL DEFAULT 0 CHECK (ranked_losses >= 0);
ALTER TABLE profiles ADD COLUMN ranked_draws integer NOT NULL DEFAULT 0 CHECK (ranked_draws >= 0);
ALTER TABLE profiles ADD COLUMN cpu_wins integer NOT NULL DEFAULT 0 CHECK (cpu_wins >= 0);
ALTER TABLE profiles ADD COLUMN cpu_losses integer NOT NULL DEFAULT 0 CHECK (cpu_losses >= 0);
ALTER TABLE profiles ADD COLUMN cpu_draws integer NOT NULL DEFAULT 0 CHECK (cpu_draws >= 0);
ALTER TABLE profiles ADD COLUMN streak_current integer NOT NULL DEFAULT 0 CHECK (streak_current >= 0);
ALTER TABLE profiles ADD COLUMN streak_longest integer NOT NULL DEFAULT 0 CHECK (streak_longest >= 0);
ALTER TABLE profiles ADD COLUMN rated integer NOT NULL DEFAULT 0 CHECK (rated >= 0); -- rated games: the number of the last change
ALTER TABLE profiles ADD COLUMN opponents integer NOT NULL DEFAULT 0 CHECK (opponents >= 0); -- different ones in rated games
ALTER TABLE profiles ADD COLUMN rating bigint NOT NULL DEFAULT 1500000000;
ALTER TABLE profiles SET (fillfactor = 80); -- no index is on what a game changes, so it stays on its page

-- Ratings of the moment a seat was taken, or a game began; the CPU has none.
ALTER TABLE tables ADD COLUMN seat1_rating bigint NOT NULL DEFAULT 1500000000;
ALTER TABLE tables ADD COLUMN seat2_rating bigint;
ALTER TABLE games ADD COLUMN red_rating bigint;
ALTER TABLE games ADD COLUMN yellow_rating bigint;
-- What became of the ratings by a finished game, so that who reads the game reads it too.
ALTER TABLE games ADD COLUMN rating_reason text CHECK (rating_reason IN ('cpu_opponent', 'not_ranked', 'unattended', 'before_ratings', 'never_came', 'too_short', 'pair_limit', 'covered', 'rated'));
ALTER TABLE games ADD COLUMN red_before bigint;
ALTER TABLE games ADD COLUMN red_after bigint;
ALTER TABLE games ADD COLUMN yellow_before bigint;
ALTER TABLE games ADD COLUMN yellow_after bigint
    CONSTRAINT rated_when_finished CHECK (rating_reason IS NULL OR status = 'finished')
    CONSTRAINT rated_has_changes CHECK ((coalesce(rating_reason, '') = 'rated') = (red_before IS NOT NULL) AND (red_before IS NULL) = (red_after IS NULL)
        AND (red_before IS NULL) = (yellow_before IS NULL) AND (red_before IS NULL) = (yellow_after IS NULL))
    CONSTRAINT changes_sum_to_nought CHECK (red_after - red_before + yellow_after - yellow_before = 0);

UPDATE tables SET seat2_rating = 1500000000 WHERE seat2_kind = 'human';
UPDATE games SET red_rating = CASE WHEN red_kind = 'human' THEN 1500000000 END, yellow_rating = CASE WHEN yellow_kind = 'human' THEN 1500000000 END,
rating_reason = CASE WHEN status <> 'finished' THEN NULL WHEN red_kind = 'cpu' OR yellow_kind = 'cpu' THEN 'cpu_opponent'
    WHEN NOT ranked THEN 'not_ranked' WHEN unattended THEN 'unattended' ELSE 'before_ratings' END;

-- The finished games of a player in the order in which they were counted, for lists that are filtered: each filter is some
-- classes, and each class a range of an index. A class is 4 for a win, 8 for a loss, 12 for a draw and 0 for a game that
-- counts nowhere, and 2 for a ranked and 1 for a private one.
CREATE TABLE profile_games (
    profile_id  uuid NOT NULL REFERENCES profiles (id),
    n           integer NOT NULL CHECK (n >= 1), -- without gaps
    game_id     uuid NOT NULL REFERENCES games (id),
    opponent_id uuid REFERENCES profiles (id), -- NULL for the CPU
    class       integer NOT NULL CHECK (class BETWEEN 0 AND 15),

    PRIMARY KEY (profile_id, n),
    UNIQUE (profile_id, game_id),
    CONSTRAINT nobody_plays_alone CHECK (profile_id <> opponent_id)
);
CREATE INDEX profile_games_class ON profile_games (profile_id, class, n);
CREATE INDEX profile_games_opponent ON profile_games (profile_id, opponent_id, class, n) WHERE opponent_id IS NOT NULL;

-- The changes of a player's rating, one for each rated game; each starts where the one before ended.
CREATE TABLE rating_changes (
    profile_id  uuid NOT NULL REFERENCES profiles (id),
    n           integer NOT NULL CHECK (n >= 1), -- without gaps
    game_id     uuid NOT NULL REFERENCES games (id),
    opponent_id uuid NOT NULL REFERENCES profiles (id),
    before      bigint NOT NULL,
    after       bigint NOT NULL,
    changed     bigint NOT NULL,

    PRIMARY KEY (profile_id, n),
    UNIQUE (profile_id, game_id),
    CONSTRAINT nobody_plays_alone CHECK (profile_id <> opponent_id)
);
CREATE INDEX rating_changes_pair ON rating_changes (profile_id, opponent_id, changed);

-- The leaderboard as it was made last.
CREATE TABLE leaderboard (
    profile_id uuid PRIMARY KEY REFERENCES profiles (id),
    rank       integer NOT NULL CHECK (rank >= 1), -- the same for the same rating
    rating     bigint NOT NULL,
    rated      integer NOT NULL CHECK (rated >= 1)
);
CREATE INDEX leaderboard_order ON leaderboard (rating, profile_id);

-- One row: when that was; 0 before the first time.
CREATE TABLE leaderboard_made (
    id   integer PRIMARY KEY CHECK (id = 1),
    made bigint NOT NULL
);
INSERT INTO leaderboard_made (id, made) VALUES (1, 0);

-- Games that ended before are counted, oldest first.
INSERT INTO profile_games (profile_id, n, game_id, opponent_id, class)
SELECT profile_id, row_number() OVER (PARTITION BY profile_id ORDER BY finished, id), id, opponent_id, class FROM (
    SELECT red_profile AS profile_id, yellow_profile AS opponent_id, id, finished,
        CASE WHEN unattended THEN 0 WHEN outcome = 'draw' THEN 12 WHEN winner = 'red' THEN 4 ELSE 8 END
        + CASE WHEN ranked THEN 2 ELSE 0 END + CASE WHEN private THEN 1 ELSE 0 END AS class
    FROM games WHERE status = 'finished' AND red_profile IS NOT NULL
    UNION ALL
    SELECT yellow_profile AS profile_id, red_profile AS opponent_id, id, finished,
        CASE WHEN unattended THEN 0 WHEN outcome = 'draw' THEN 12 WHEN winner = 'yellow' THEN 4 ELSE 8 END
        + CASE WHEN ranked THEN 2 ELSE 0 END + CASE WHEN private THEN 1 ELSE 0 END AS class
    FROM games WHERE status = 'finished' AND yellow_profile IS NOT NULL
) AS ended;

UPDATE profiles SET games = ended.games,
    people_wins = ended.people_wins, people_losses = ended.people_losses, people_draws = ended.people_draws,
    ranked_wins = ended.ranked_wins, ranked_losses = ended.ranked_losses, ranked_draws = ended.ranked_draws,
    cpu_wins = ended.cpu_wins, cpu_losses = ended.cpu_losses, cpu_draws = ended.cpu_draws
FROM (SELECT profile_id, count(*) AS games,
    sum(CASE WHEN opponent_id IS NOT NULL AND class / 4 = 1 THEN 1 ELSE 0 END) AS people_wins,
    sum(CASE WHEN opponent_id IS NOT NULL AND class / 4 = 2 THEN 1 ELSE 0 END) AS people_losses,
    sum(CASE WHEN opponent_id IS NOT NULL AND class / 4 = 3 THEN 1 ELSE 0 END) AS people_draws,
    sum(CASE WHEN opponent_id IS NOT NULL AND class & 2 = 2 AND class / 4 = 1 THEN 1 ELSE 0 END) AS ranked_wins,
    sum(CASE WHEN opponent_id IS NOT NULL AND class & 2 = 2 AND class / 4 = 2 THEN 1 ELSE 0 END) AS ranked_losses,
    sum(CASE WHEN opponent_id IS NOT NULL AND class & 2 = 2 AND class / 4 = 3 THEN 1 ELSE 0 END) AS ranked_draws,
    sum(CASE WHEN opponent_id IS NULL AND class / 4 = 1 THEN 1 ELSE 0 END) AS cpu_wins,
    sum(CASE WHEN opponent_id IS NULL AND class / 4 = 2 THEN 1 ELSE 0 END) AS cpu_losses,
    sum(CASE WHEN opponent_id IS NULL AND class / 4 = 3 THEN 1 ELSE 0 END) AS cpu_draws
FROM profile_games GROUP BY profile_id) AS ended WHERE ended.profile_id = profiles.id;

-- A run is a game that wasn't won, or the beginning, and the wins after it.
UPDATE profiles SET streak_current = streaks.newest, streak_longest = streaks.longest FROM (
    SELECT profile_id, max(wins) AS longest, max(CASE WHEN run = last_run THEN wins ELSE 0 END) AS newest FROM (
        SELECT profile_id, run, last_run, sum(won) AS wins FROM (
            SELECT profile_id, won, run, max(run) OVER (PARTITION BY profile_id) AS last_run FROM (
                SELECT profile_id, CASE WHEN class / 4 = 1 THEN 1 ELSE 0 END AS won,
                    sum(CASE WHEN class / 4 = 1 THEN 0 ELSE 1 END) OVER (PARTITION BY profile_id ORDER BY n) AS run
                FROM profile_games WHERE opponent_id IS NOT NULL AND class >= 4
            ) AS counted
        ) AS numbered GROUP BY profile_id, run, last_run
    ) AS runs GROUP BY profile_id
) AS streaks WHERE streaks.profile_id = profiles.id;
