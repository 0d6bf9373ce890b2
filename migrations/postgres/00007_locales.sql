-- +goose Up

-- A player's language is whatever its device is set to, not one of ours.
ALTER TABLE profiles DROP CONSTRAINT profiles_locale_check;
ALTER TABLE profiles ADD CONSTRAINT profiles_locale_check CHECK (length(locale) BETWEEN 1 AND 35);
