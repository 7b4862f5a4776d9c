-- The items that a change of very many concerns and that are not brought up to date with it yet. Such a change is in
-- force from its log entry on, and the items follow in sets (store/sqlite/large_doc.go). seq is the newest entry that
-- concerns the item. decides: another decision of it is in force; computes: its result follows from other rules.
-- The columns from batch_id to confirms are a decision, as in the table decision, which gets it when the item follows;
-- kind is NULL if there is none. rev is the revision that the reviewer saw, 0 for any.
CREATE TABLE pending (
    item_id   INTEGER PRIMARY KEY,
    seq       INTEGER NOT NULL,
    decides   INTEGER NOT NULL,
    computes  INTEGER NOT NULL,
    rev       INTEGER NOT NULL DEFAULT 0,
    batch_id  INTEGER,
    kind      INTEGER,
    canonical TEXT,
    seen      TEXT,
    note      TEXT,
    record_id INTEGER,
    confirms  INTEGER
);

-- One row: about how many items are pending, for people to read.
CREATE TABLE work (
    id INTEGER PRIMARY KEY CHECK (id = 1),
    n  INTEGER NOT NULL
);
INSERT INTO work (id, n) VALUES (1, 0);

-- A staged change that is in force goes on as a pending one.
UPDATE item SET title = s.title, title_seal = s.title_seal FROM staged s
    WHERE s.id = item.id AND s.title <> '' AND (SELECT state FROM stage) = 2;
INSERT INTO pending (item_id, seq, decides, computes)
    SELECT id, (SELECT max(seq) FROM log), 0, 1 FROM staged WHERE (SELECT state FROM stage) = 2 AND
        (SELECT batch FROM stage) = 0;
INSERT INTO pending (item_id, seq, decides, computes, batch_id, kind, canonical, seen, note, confirms)
    SELECT item_id, (SELECT max(seq) FROM log), 1, 0, iif(kind IS NULL, NULL, (SELECT batch FROM stage)), kind,
        canonical, seen, note, confirms
    FROM staged_decision WHERE (SELECT state FROM stage) = 2 AND (SELECT batch FROM stage) > 0;
UPDATE work SET n = (SELECT count(*) FROM pending);
DROP VIEW staged_item;
DROP VIEW staged_decision_item;
DROP TABLE staged;
DROP TABLE staged_decision;
DROP TABLE stage;

-- The number of items for each combination of the columns before n. Every write keeps it. Each is counted by its host,
-- and for all hosts together, with host_id and in_host_id 0.
CREATE TABLE item_count_new (
    host_id      INTEGER NOT NULL,
    in_host_id   INTEGER NOT NULL,
    place_set_id INTEGER NOT NULL,
    verdict      INTEGER NOT NULL,
    status       INTEGER NOT NULL,
    open         INTEGER NOT NULL,
    was_open     INTEGER NOT NULL,
    flags        INTEGER NOT NULL,
    n            INTEGER NOT NULL,
    PRIMARY KEY (host_id, in_host_id, place_set_id, verdict, status, open, was_open, flags)
) WITHOUT ROWID;
INSERT INTO item_count_new SELECT host_id, in_host_id, place_set_id, verdict, status, open, was_open, flags, n
    FROM item_count WHERE staged = 0;
DROP TABLE item_count;
ALTER TABLE item_count_new RENAME TO item_count;
CREATE INDEX item_count_in_host ON item_count (in_host_id) WHERE in_host_id <> host_id;
