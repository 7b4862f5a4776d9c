-- +goose Up

-- A seal is a checksum over what no rule and no log can give again, so that visto check finds a byte of it that changed: see
-- seal.go. It is NULL for what was written before there were seals. item.seal is over the original and where it was found,
-- item.title_seal over the title, which may change, and evidence.seal over its body.
ALTER TABLE item ADD COLUMN seal INTEGER;
ALTER TABLE item ADD COLUMN title_seal INTEGER;
ALTER TABLE staged ADD COLUMN title_seal INTEGER;
ALTER TABLE evidence ADD COLUMN seal INTEGER;

DROP VIEW restated;
CREATE VIEW restated AS
SELECT s.id, i.rev + 1 AS rev, i.original_key, i.original, i.file_id, i.field_id, i.position, iif(s.title = '', i.title, s.title) AS title,
    s.canonical, s.page_key, s.verdict, s.reason, s.flags, s.unknown, s.in_host_id, s.host_id, s.link_type, s.language, s.via,
    s.status, i.batch_id, i.approved, i.notes, s.was_open, s.open, iif(s.canonical = '', i.original, s.canonical) AS sort_url,
    i.seal, iif(s.title = '', i.title_seal, s.title_seal) AS title_seal
FROM staged s CROSS JOIN item i ON i.id = s.id;

PRAGMA user_version = 4;
