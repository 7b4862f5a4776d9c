-- +goose Up

-- Step 3 made this index for a short while, and databases of that time have it still. Nothing asks it anything.
DROP INDEX IF EXISTS evidence_due;

PRAGMA user_version = 9;
