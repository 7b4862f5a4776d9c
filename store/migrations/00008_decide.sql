-- +goose Up

-- A decision on very many items, and taking one back or bringing it back, is staged too: where it leaves each item. kind is NULL
-- where an older decision comes to stand again; it is that of batch_id, NULL for none. Else it is a new one, of the batch stage.batch.
CREATE TABLE staged_decision (
    item_id   INTEGER PRIMARY KEY REFERENCES item (id),
    kind      INTEGER,
    canonical TEXT,
    seen      TEXT,
    note      TEXT,
    batch_id  INTEGER,
    approved  TEXT,
    status    INTEGER NOT NULL,
    flags     INTEGER NOT NULL,
    open      INTEGER NOT NULL,
    was_open  INTEGER NOT NULL
);

-- The batch whose decisions are staged, from when they stand; 0 where what is staged are no decisions.
ALTER TABLE stage ADD COLUMN batch INTEGER NOT NULL DEFAULT 0;

-- The items of staged_decision as they will be in item, column by column.
CREATE VIEW redecided AS
SELECT i.id, i.rev + 1 AS rev, i.original_key, i.original, i.file_id, i.field_id, i.position, i.title, i.canonical, i.page_key, i.verdict,
    i.reason, s.flags, i.unknown, i.in_host_id, i.host_id, i.link_type, i.language, i.via, s.status,
    iif(s.kind IS NULL, s.batch_id, (SELECT batch FROM stage)) AS batch_id, s.approved, i.notes, s.was_open, s.open, i.seal, i.title_seal,
    i.sort_path
FROM staged_decision s CROSS JOIN item i ON i.id = s.item_id;

PRAGMA user_version = 8;
