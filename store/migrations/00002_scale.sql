-- +goose Up

-- How many items there are of each kind: kept by every write, for a million rows cannot be counted between two keys. Besides
-- the rows of each host there are rows of all hosts together, with host_id and in_host_id 0. A row with staged 1 is what the
-- change in staged adds; it counts from when the change stands (stage.state 2). It takes the place of the index item_facet
-- and of the table total, which counted less.
CREATE TABLE tally (
    host_id    INTEGER NOT NULL,
    in_host_id INTEGER NOT NULL,
    file_id    INTEGER NOT NULL,
    field_id   INTEGER NOT NULL,
    verdict    INTEGER NOT NULL,
    status     INTEGER NOT NULL,
    open       INTEGER NOT NULL,
    was_open   INTEGER NOT NULL,
    flags      INTEGER NOT NULL,
    staged     INTEGER NOT NULL,
    n          INTEGER NOT NULL,
    PRIMARY KEY (host_id, in_host_id, file_id, field_id, verdict, status, open, was_open, flags, staged)
) WITHOUT ROWID;
INSERT INTO tally SELECT host_id, in_host_id, file_id, field_id, verdict, status, open, was_open, flags, 0, count(*)
    FROM item GROUP BY 1, 2, 3, 4, 5, 6, 7, 8, 9;
INSERT INTO tally SELECT 0, 0, file_id, field_id, verdict, status, open, was_open, flags, 0, sum(n)
    FROM tally GROUP BY 3, 4, 5, 6, 7, 8, 9;
CREATE INDEX tally_in_host ON tally (in_host_id) WHERE in_host_id <> host_id;
CREATE INDEX tally_staged ON tally (staged) WHERE staged = 1;
DROP INDEX item_facet;
DROP TABLE total;

-- A change of so many items that others would wait for it is written to staged piece by piece, made to stand at once, and then
-- folded into item piece by piece. state is 0 where there is none (rows left in staged mean nothing), 1 while it is being
-- written, 2 from when it stands until it is folded. token rises with every change that begins, step with every piece of it.
CREATE TABLE stage (
    id    INTEGER PRIMARY KEY CHECK (id = 1),
    state INTEGER NOT NULL,
    token INTEGER NOT NULL,
    step  INTEGER NOT NULL
);
INSERT INTO stage (id, state, token, step) VALUES (1, 0, 0, 0);
CREATE TABLE staged (
    id         INTEGER PRIMARY KEY REFERENCES item (id),
    title      TEXT NOT NULL, -- empty: as it is
    canonical  TEXT NOT NULL,
    page_key   BLOB,
    verdict    INTEGER NOT NULL,
    reason     INTEGER NOT NULL,
    flags      INTEGER NOT NULL,
    unknown    TEXT NOT NULL,
    in_host_id INTEGER NOT NULL REFERENCES host (id),
    host_id    INTEGER NOT NULL REFERENCES host (id),
    link_type  INTEGER NOT NULL,
    language   TEXT NOT NULL,
    via        TEXT NOT NULL,
    status     INTEGER NOT NULL,
    open       INTEGER NOT NULL,
    was_open   INTEGER NOT NULL
);
-- The staged items as they will be in item, column by column.
CREATE VIEW restated AS
SELECT s.id, i.rev + 1 AS rev, i.original_key, i.original, i.file_id, i.field_id, i.position, iif(s.title = '', i.title, s.title) AS title,
    s.canonical, s.page_key, s.verdict, s.reason, s.flags, s.unknown, s.in_host_id, s.host_id, s.link_type, s.language, s.via,
    s.status, i.batch_id, i.approved, i.notes, s.was_open, s.open, iif(s.canonical = '', i.original, s.canonical) AS sort_url
FROM staged s CROSS JOIN item i ON i.id = s.id;

-- Which items have which three bytes in a row in one of their texts, so that a search has few to look into: see search.go.
-- search_state.upto is the last item that was indexed when it was new; search_dirty are those with a newer text.
CREATE VIRTUAL TABLE search USING fts5 (text, content = '', contentless_delete = 1, detail = none, tokenize = 'trigram');
CREATE TABLE search_state (
    id   INTEGER PRIMARY KEY CHECK (id = 1),
    upto INTEGER NOT NULL
);
INSERT INTO search_state (id, upto) VALUES (1, 0);
CREATE TABLE search_dirty (
    item_id INTEGER PRIMARY KEY REFERENCES item (id)
);

PRAGMA user_version = 2;
