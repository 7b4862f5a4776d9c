-- +goose Up

-- The order by URL is that of the hosts by name, and within a host that of what follows it: the path and the query. So the pages of
-- a site are together whatever their scheme and port, and one index serves all URLs, those of a host and those of many hosts.
-- It holds less than the URLs did. What has no canonical URL has no host, and the original is its path. It is a BLOB because
-- substr and instr take bytes that are no UTF-8 for something else in a text.
DROP VIEW restated;
DROP INDEX item_url;
ALTER TABLE item DROP COLUMN sort_url;
ALTER TABLE item ADD COLUMN sort_path BLOB GENERATED ALWAYS AS (CASE
    WHEN canonical = '' THEN CAST(original AS BLOB)
    WHEN instr(substr(CAST(canonical AS BLOB), 9), x'2f') = 0 THEN x''
    ELSE substr(CAST(canonical AS BLOB), 8 + instr(substr(CAST(canonical AS BLOB), 9), x'2f')) END) VIRTUAL;
CREATE INDEX item_path ON item (host_id, sort_path, id, open);

CREATE VIEW restated AS
SELECT s.id, i.rev + 1 AS rev, i.original_key, i.original, i.file_id, i.field_id, i.position, iif(s.title = '', i.title, s.title) AS title,
    s.canonical, s.page_key, s.verdict, s.reason, s.flags, s.unknown, s.in_host_id, s.host_id, s.link_type, s.language, s.via,
    s.status, i.batch_id, i.approved, i.notes, s.was_open, s.open, i.seal, iif(s.title = '', i.title_seal, s.title_seal) AS title_seal,
    CASE
        WHEN s.canonical = '' THEN CAST(i.original AS BLOB)
        WHEN instr(substr(CAST(s.canonical AS BLOB), 9), x'2f') = 0 THEN x''
        ELSE substr(CAST(s.canonical AS BLOB), 8 + instr(substr(CAST(s.canonical AS BLOB), 9), x'2f')) END AS sort_path
FROM staged s CROSS JOIN item i ON i.id = s.id;

PRAGMA user_version = 5;
