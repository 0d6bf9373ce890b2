-- +goose Up

-- A player's language is whatever its device is set to, not one of ours. A check can't be changed in place, so the column
-- moves, and with it the two whose checks rest on it.
ALTER TABLE profiles ADD COLUMN new_locale TEXT CHECK (length(new_locale) BETWEEN 1 AND 35);
ALTER TABLE profiles ADD COLUMN new_deleted INTEGER
    CONSTRAINT deleted_has_no_name CHECK (new_deleted IS NULL OR (name = '' AND new_locale IS NULL));
ALTER TABLE profiles ADD COLUMN new_erased INTEGER NOT NULL DEFAULT 0
    CONSTRAINT erased_is_deleted CHECK (new_erased IN (0, 1) AND (NOT new_erased OR new_deleted IS NOT NULL));
UPDATE profiles SET new_locale = locale, new_deleted = deleted, new_erased = erased;
DROP INDEX profiles_to_erase;
ALTER TABLE profiles DROP COLUMN erased;
ALTER TABLE profiles DROP COLUMN deleted;
ALTER TABLE profiles DROP COLUMN locale;
ALTER TABLE profiles RENAME COLUMN new_locale TO locale;
ALTER TABLE profiles RENAME COLUMN new_deleted TO deleted;
ALTER TABLE profiles RENAME COLUMN new_erased TO erased;
CREATE INDEX profiles_to_erase ON profiles (deleted) WHERE deleted IS NOT NULL AND NOT erased;
