-- +goose Up

-- What was written before there were seals is sealed piece by piece, as it is stored then: see sqlite/seal.go. The index is empty
-- from then on.
CREATE INDEX item_unsealed ON item (id) WHERE seal IS NULL;

PRAGMA user_version = 6;
