-- The checks of an item's link in short (see sqlite/link.go); 0: there were none.
ALTER TABLE item ADD COLUMN link INTEGER NOT NULL DEFAULT 0;

-- The checks of an item's link, packed (health.Record). They are in no log: no result follows from them.
CREATE TABLE link_history (
    item_id INTEGER PRIMARY KEY REFERENCES item (id),
    body    BLOB NOT NULL
);

-- The end of the last pause that a host asked for, 0 for none.
ALTER TABLE probed_host ADD COLUMN not_before INTEGER NOT NULL DEFAULT 0;

-- The time of the last report on the links of a filter, which is given in words, in milliseconds since 1970.
CREATE TABLE link_report (
    filter TEXT PRIMARY KEY,
    at     INTEGER NOT NULL
) WITHOUT ROWID;

-- The running probe (1), if there is one, and the running watch (2).
DROP TABLE lease;
CREATE TABLE lease (
    id       INTEGER PRIMARY KEY CHECK (id IN (1, 2)),
    reviewer TEXT NOT NULL,
    machine  TEXT NOT NULL,
    pid      INTEGER NOT NULL,
    since    INTEGER NOT NULL,
    until    INTEGER NOT NULL
);

-- An approved or accepted item waits for a person too if a check of its link raised a flag.
PRAGMA writable_schema = ON;
UPDATE sqlite_schema SET sql = replace(sql, '(status = 0 OR (status = 2 AND flags & 65536 <> 0))',
    '(status = 0 OR (status = 2 AND flags & 8192000 <> 0) OR (status = 1 AND flags & 8126464 <> 0))')
    WHERE name = 'item';
PRAGMA writable_schema = RESET;

DROP VIEW staged_item;
DROP VIEW staged_decision_item;

-- The items of staged as they will be in item, column by column.
CREATE VIEW staged_item AS
SELECT s.id, i.rev + 1 AS rev, i.original_key, i.original, i.file_id, i.field_id, i.position,
    iif(s.title = '', i.title, s.title) AS title, s.canonical, s.page_key, s.verdict, s.reason, s.flags, s.unknown,
    s.in_host_id, s.host_id, s.link_type, s.language, s.via, s.status, i.batch_id, i.approved, i.notes, s.was_open,
    s.open, i.seal, iif(s.title = '', i.title_seal, s.title_seal) AS title_seal,
    CASE
        WHEN s.canonical = '' THEN CAST(i.original AS BLOB)
        WHEN instr(substr(CAST(s.canonical AS BLOB), 9), x'2f') = 0 THEN x''
        ELSE substr(CAST(s.canonical AS BLOB), 8 + instr(substr(CAST(s.canonical AS BLOB), 9), x'2f'))
        END AS sort_path, i.place_set_id, i.settled_by, i.link
FROM staged s CROSS JOIN item i ON i.id = s.id;

-- The items of staged_decision as they will be in item, column by column.
CREATE VIEW staged_decision_item AS
SELECT i.id, i.rev + 1 AS rev, i.original_key, i.original, i.file_id, i.field_id, i.position, i.title, i.canonical,
    i.page_key, i.verdict, i.reason, s.flags, i.unknown, i.in_host_id, i.host_id, i.link_type, i.language, i.via,
    s.status, iif(s.kind IS NULL, s.batch_id, (SELECT batch FROM stage)) AS batch_id, s.approved, i.notes, s.was_open,
    s.open, i.seal, i.title_seal, i.sort_path, i.place_set_id, s.settled_by, i.link
FROM staged_decision s CROSS JOIN item i ON i.id = s.item_id;
