-- +goose Up

-- Only PostgreSQL has replicas that tell each other what they change.
SELECT 1;
