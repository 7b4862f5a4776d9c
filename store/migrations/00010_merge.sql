-- +goose Up

-- FTS5 would merge segments of the index in the transaction that adds to them, some hundred pages at a time, while others wait. They are
-- merged in pieces instead: see search.go.
INSERT INTO search (search, rank) VALUES ('automerge', 0);

PRAGMA user_version = 10;
