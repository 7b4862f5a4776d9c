-- +goose Up

-- The order by record: the name, or else the ID.
CREATE INDEX record_name ON record (iif(name = '', key, name));

PRAGMA user_version = 18;
