-- settled_by is the item whose approval settles this one, because it approves this one's original as its canonical
-- URL; NULL if there is none, or if the item has a decision of its own. batch_id is then the batch of that approval.
ALTER TABLE item ADD COLUMN settled_by INTEGER REFERENCES item (id);

-- Of several approvals of one URL the newest counts. It is not among the indexes that are built after a large load.
DROP INDEX IF EXISTS item_approved;
DELETE FROM index_to_build WHERE name = 'item_approved';
CREATE INDEX item_approved ON item (approved, batch_id) WHERE approved IS NOT NULL;

-- A decision counts for its own item alone, so the count of the items as a batch decided needs settled_by.
DROP INDEX IF EXISTS item_decided;
DELETE FROM index_to_build WHERE name = 'item_decided';
CREATE INDEX item_decided ON item (ifnull(batch_id, 0), id, open, settled_by);

ALTER TABLE staged_decision ADD COLUMN settled_by INTEGER REFERENCES item (id);
CREATE INDEX staged_decision_approved ON staged_decision (approved) WHERE approved IS NOT NULL;

-- Whether approvals are older than settled_by: the store settles by them when it opens the file.
ALTER TABLE meta ADD COLUMN unsettled INTEGER NOT NULL DEFAULT 0;
UPDATE meta SET unsettled = EXISTS (SELECT 1 FROM item WHERE approved IS NOT NULL);

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
        END AS sort_path, i.place_set_id, i.settled_by
FROM staged s CROSS JOIN item i ON i.id = s.id;

-- The items of staged_decision as they will be in item, column by column.
CREATE VIEW staged_decision_item AS
SELECT i.id, i.rev + 1 AS rev, i.original_key, i.original, i.file_id, i.field_id, i.position, i.title, i.canonical,
    i.page_key, i.verdict, i.reason, s.flags, i.unknown, i.in_host_id, i.host_id, i.link_type, i.language, i.via,
    s.status, iif(s.kind IS NULL, s.batch_id, (SELECT batch FROM stage)) AS batch_id, s.approved, i.notes, s.was_open,
    s.open, i.seal, i.title_seal, i.sort_path, i.place_set_id, s.settled_by
FROM staged_decision s CROSS JOIN item i ON i.id = s.item_id;
