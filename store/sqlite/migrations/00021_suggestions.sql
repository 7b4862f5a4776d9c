-- The parts that suggestions are mined from and made of, packed (see review/suggest). They are in no log, and may be
-- emptied together with mining.body at any time: no result follows from them.
CREATE TABLE mined (
    id   INTEGER PRIMARY KEY,
    kind INTEGER NOT NULL,
    host TEXT NOT NULL,
    name TEXT NOT NULL,
    body BLOB NOT NULL
);
CREATE UNIQUE INDEX mined_part ON mined (kind, host, name);
CREATE INDEX mined_name ON mined (kind, name);

-- One row: the state of the mining. token rises when parts are stored. body is NULL until all of them are. Hosts are
-- marked as stale once token is above 0.
CREATE TABLE mining (
    id    INTEGER PRIMARY KEY CHECK (id = 1),
    token INTEGER NOT NULL,
    body  BLOB
);
INSERT INTO mining (id, token, body) VALUES (1, 0, NULL);

-- The hosts with URLs that changed since they were mined. marks is the number of transactions that changed some, 0 if
-- none is in force. With staged = 1 the staged change will change some.
CREATE TABLE stale_host (
    host_id INTEGER PRIMARY KEY REFERENCES host (id),
    marks   INTEGER NOT NULL,
    staged  INTEGER NOT NULL DEFAULT 0
);
CREATE INDEX stale_host_staged ON stale_host (staged) WHERE staged = 1;

-- The suggestions that a person does not want. pages is the number of pages that spoke for one at that time. The log
-- does not have them.
CREATE TABLE dismissed (
    id       TEXT PRIMARY KEY,
    pages    INTEGER NOT NULL,
    reviewer TEXT NOT NULL,
    at       INTEGER NOT NULL
) WITHOUT ROWID;
