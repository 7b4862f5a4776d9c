-- The suggestions are mined whole. What they were mined from before is no longer kept, nor which hosts changed since.
DROP TABLE IF EXISTS mined;
DROP TABLE IF EXISTS mining;
DROP TABLE IF EXISTS stale_host;

-- One row at most: the suggestions that were found last, packed (see review/suggest), and the newest log entry when
-- that began. They are in no log, and may be deleted at any time: no result follows from them.
CREATE TABLE mined (
    id   INTEGER PRIMARY KEY CHECK (id = 1),
    seq  INTEGER NOT NULL,
    at   INTEGER NOT NULL,
    body BLOB NOT NULL
);
