-- +goose Up

-- Filters and orders that reviewers named, for all who work on the database: body is JSON (review/view.go). They are no part of
-- what people decided: the log has nothing of them.
CREATE TABLE saved_view (
    name     TEXT PRIMARY KEY,
    body     TEXT NOT NULL,
    reviewer TEXT NOT NULL,
    at       INTEGER NOT NULL
) WITHOUT ROWID;

-- The order in which items were decided on. A batch is later than another one if its number is larger; what no decision stands for
-- comes first.
CREATE INDEX item_decided ON item (ifnull(batch_id, 0), id, open);

PRAGMA user_version = 7;
