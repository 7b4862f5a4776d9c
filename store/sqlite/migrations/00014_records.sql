-- The objects of the files that cite, in the order in which they were read. A text has one row for the file as a
-- whole, which is no record. match finds a record when its file is read again: a hash of its id or name (see
-- sqlite/record.go), 0 for a file as a whole. attributes is a text with every value behind its name. seal is a checksum
-- over the texts.
CREATE TABLE record (
    id         INTEGER PRIMARY KEY,
    file_id    INTEGER NOT NULL REFERENCES file (id),
    match      INTEGER NOT NULL,
    is_record  INTEGER NOT NULL,
    path       TEXT NOT NULL,
    key        TEXT NOT NULL,
    name       TEXT NOT NULL,
    attributes TEXT NOT NULL,
    seal       INTEGER NOT NULL
);
CREATE UNIQUE INDEX record_match ON record (file_id, match);

-- The fields and paths of occurrences in their records. The first byte of path tells of which kind it is (see
-- sqlite/occurrence.go).
CREATE TABLE place (
    id       INTEGER PRIMARY KEY,
    field_id INTEGER NOT NULL REFERENCES field (id),
    path     TEXT NOT NULL,
    UNIQUE (field_id, path)
);

-- The places where URLs stand, in the order in which they were read. gone is the number of the log entry that found an
-- occurrence missing, 0 while it is there. line and col are 0 if they are not known.
CREATE TABLE occurrence (
    id        INTEGER PRIMARY KEY,
    item_id   INTEGER NOT NULL REFERENCES item (id),
    record_id INTEGER NOT NULL REFERENCES record (id),
    place_id  INTEGER NOT NULL REFERENCES place (id),
    line      INTEGER NOT NULL,
    col       INTEGER NOT NULL,
    gone      INTEGER NOT NULL
);
CREATE INDEX occurrence_item ON occurrence (item_id);
CREATE INDEX occurrence_record ON occurrence (record_id);

-- The sets of files and fields in which an item is cited, each stored once. members has them as text, file:field, in
-- order. Set 0 is the empty one: nothing cites an item with it any more, and the item does not wait for a person.
CREATE TABLE place_set (
    id      INTEGER PRIMARY KEY,
    members TEXT NOT NULL UNIQUE
);
CREATE TABLE place_set_member (
    set_id   INTEGER NOT NULL REFERENCES place_set (id),
    file_id  INTEGER NOT NULL REFERENCES file (id),
    field_id INTEGER NOT NULL REFERENCES field (id),
    PRIMARY KEY (set_id, file_id, field_id)
) WITHOUT ROWID;
INSERT INTO place_set (id, members) VALUES (0, '');
INSERT INTO place_set (members) SELECT file_id || ':' || field_id FROM item GROUP BY file_id, field_id;
INSERT INTO place_set_member SELECT s.id, i.file_id, i.field_id FROM (SELECT DISTINCT file_id, field_id FROM item) i
    CROSS JOIN place_set s ON s.members = i.file_id || ':' || i.field_id;

-- Each item has the place where it was read first as its one occurrence, with the number of the item.
INSERT INTO record (file_id, match, is_record, path, key, name, attributes, seal)
    SELECT DISTINCT file_id, 0, 0, '', '', '', '', 0 FROM item ORDER BY file_id;
INSERT INTO place (field_id, path) SELECT DISTINCT field_id, '@' FROM item ORDER BY field_id;
INSERT INTO occurrence SELECT i.id, i.id, r.id, p.id, CAST(i.position AS INTEGER),
    iif(instr(i.position, ':') = 0, 0, CAST(substr(i.position, instr(i.position, ':') + 1) AS INTEGER)), 0
    FROM item i CROSS JOIN record r ON r.file_id = i.file_id AND r.match = 0
    CROSS JOIN place p ON p.field_id = i.field_id AND p.path = '@' ORDER BY i.id;

-- No log entry covers these yet: the store appends some when it opens the file.
ALTER TABLE meta ADD COLUMN uncovered INTEGER NOT NULL DEFAULT 0;
UPDATE meta SET uncovered = (SELECT coalesce(max(id), 0) FROM occurrence);

-- place_set_id takes the place of file_id and field_id, which stay as the place where the URL was read first. SQLite
-- cannot change a CHECK otherwise.
DROP VIEW staged_item;
DROP VIEW staged_decision_item;
DROP INDEX IF EXISTS item_open;
DELETE FROM index_to_build WHERE name = 'item_open';
ALTER TABLE item ADD COLUMN place_set_id INTEGER NOT NULL DEFAULT 0;
UPDATE item SET place_set_id = (SELECT s.id FROM place_set s WHERE s.members = file_id || ':' || field_id);
PRAGMA writable_schema = ON;
UPDATE sqlite_schema SET sql = replace(replace(sql, '(status = 0 OR (status = 2 AND flags & 65536 <> 0))',
    '(place_set_id <> 0 AND (status = 0 OR (status = 2 AND flags & 65536 <> 0)))'),
    'place_set_id INTEGER NOT NULL DEFAULT 0', 'place_set_id INTEGER NOT NULL REFERENCES place_set (id)')
    WHERE name = 'item';
PRAGMA writable_schema = RESET;
CREATE INDEX item_open ON item (id, status, flags, host_id, place_set_id) WHERE open = 1;

CREATE TABLE item_count_new (
    host_id      INTEGER NOT NULL,
    in_host_id   INTEGER NOT NULL,
    place_set_id INTEGER NOT NULL,
    verdict      INTEGER NOT NULL,
    status       INTEGER NOT NULL,
    open         INTEGER NOT NULL,
    was_open     INTEGER NOT NULL,
    flags        INTEGER NOT NULL,
    staged       INTEGER NOT NULL,
    n            INTEGER NOT NULL,
    PRIMARY KEY (host_id, in_host_id, place_set_id, verdict, status, open, was_open, flags, staged)
) WITHOUT ROWID;
INSERT INTO item_count_new SELECT c.host_id, c.in_host_id, s.id, c.verdict, c.status, c.open, c.was_open, c.flags,
    c.staged, c.n FROM item_count c CROSS JOIN place_set s ON s.members = c.file_id || ':' || c.field_id;
DROP TABLE item_count;
ALTER TABLE item_count_new RENAME TO item_count;
CREATE INDEX item_count_in_host ON item_count (in_host_id) WHERE in_host_id <> host_id;
CREATE INDEX item_count_staged ON item_count (staged) WHERE staged = 1;

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
        END AS sort_path, i.place_set_id
FROM staged s CROSS JOIN item i ON i.id = s.id;

-- The items of staged_decision as they will be in item, column by column.
CREATE VIEW staged_decision_item AS
SELECT i.id, i.rev + 1 AS rev, i.original_key, i.original, i.file_id, i.field_id, i.position, i.title, i.canonical,
    i.page_key, i.verdict, i.reason, s.flags, i.unknown, i.in_host_id, i.host_id, i.link_type, i.language, i.via,
    s.status, iif(s.kind IS NULL, s.batch_id, (SELECT batch FROM stage)) AS batch_id, s.approved, i.notes, s.was_open,
    s.open, i.seal, i.title_seal, i.sort_path, i.place_set_id
FROM staged_decision s CROSS JOIN item i ON i.id = s.item_id;

-- The search also has the texts of records, in rows of negative numbers (see sqlite/search.go). records is the last
-- record that was indexed when it was new; record_dirty holds those with a newer text.
ALTER TABLE search_state ADD COLUMN records INTEGER NOT NULL DEFAULT 0;
CREATE TABLE record_dirty (
    record_id INTEGER PRIMARY KEY REFERENCES record (id)
);
