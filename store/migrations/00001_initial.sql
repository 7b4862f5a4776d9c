-- +goose Up

-- Texts that many rows share are kept once. The empty text is a row too, so that no column is ever NULL for it.
CREATE TABLE host (
    id   INTEGER PRIMARY KEY,
    name TEXT NOT NULL UNIQUE
);
CREATE TABLE file (
    id   INTEGER PRIMARY KEY,
    name TEXT NOT NULL UNIQUE
);
CREATE TABLE field (
    id   INTEGER PRIMARY KEY,
    name TEXT NOT NULL UNIQUE
);

-- Every policy that the store was ever under.
CREATE TABLE policy (
    id     INTEGER PRIMARY KEY,
    name   TEXT NOT NULL,
    digest TEXT NOT NULL UNIQUE,
    yaml   BLOB NOT NULL
);

-- One row: the policy that the results were computed under, and the generation of the rules.
CREATE TABLE meta (
    id        INTEGER PRIMARY KEY CHECK (id = 1),
    policy_id INTEGER REFERENCES policy (id),
    gen       INTEGER NOT NULL
);
INSERT INTO meta (id, policy_id, gen) VALUES (1, NULL, 0);

-- The append-only log. Times are milliseconds since 1970, UTC.
CREATE TABLE log (
    seq      INTEGER PRIMARY KEY,
    at       INTEGER NOT NULL,
    reviewer TEXT NOT NULL,
    action   TEXT NOT NULL,
    batch_id INTEGER NOT NULL,
    summary  TEXT NOT NULL,
    body     BLOB NOT NULL,
    prev     BLOB NOT NULL,
    hash     BLOB NOT NULL
);

-- What a person did at once. undone_seq is the log entry that took it back, 0 while it stands.
CREATE TABLE batch (
    id         INTEGER PRIMARY KEY,
    seq        INTEGER NOT NULL REFERENCES log (seq),
    reviewer   TEXT NOT NULL,
    at         INTEGER NOT NULL,
    action     TEXT NOT NULL,
    summary    TEXT NOT NULL,
    undone_seq INTEGER NOT NULL DEFAULT 0,
    undone_by  TEXT NOT NULL DEFAULT ''
);
CREATE INDEX batch_reviewer ON batch (reviewer, seq);
CREATE INDEX batch_undone ON batch (undone_by, undone_seq) WHERE undone_seq > 0;

-- One row for each URL. original_key is the first half of the SHA-256 of original: a unique index over 16 bytes is several
-- times smaller and faster than one over the text. unknown holds the names of the parameters behind unknown-param,
-- query-escaped, each between two "&", so that one can be looked for and any byte comes back. batch_id is that of the
-- decision that stands.
CREATE TABLE item (
    id           INTEGER PRIMARY KEY,
    rev          INTEGER NOT NULL,
    original_key BLOB NOT NULL,
    original     TEXT NOT NULL,
    file_id      INTEGER NOT NULL REFERENCES file (id),
    field_id     INTEGER NOT NULL REFERENCES field (id),
    position     TEXT NOT NULL,
    title        TEXT NOT NULL,
    canonical    TEXT NOT NULL,
    page_key     BLOB,
    verdict      INTEGER NOT NULL,
    reason       INTEGER NOT NULL,
    flags        INTEGER NOT NULL,
    unknown      TEXT NOT NULL,
    in_host_id   INTEGER NOT NULL REFERENCES host (id),
    host_id      INTEGER NOT NULL REFERENCES host (id),
    link_type    INTEGER NOT NULL,
    language     TEXT NOT NULL,
    via          TEXT NOT NULL, -- the hosts in between, each between two spaces
    status       INTEGER NOT NULL,
    batch_id     INTEGER REFERENCES batch (id),
    approved     TEXT,
    notes        INTEGER NOT NULL DEFAULT 0,
    was_open     INTEGER NOT NULL, -- whether it ever waited for a person

    -- Waits for a person: pending, or approved with the flag changed-since-approval (bit 16). It is not a generated column,
    -- because SQLite does not read those out of an index alone.
    open INTEGER NOT NULL CHECK (open = (status = 0 OR (status = 2 AND flags & 65536 <> 0))),
    sort_url TEXT GENERATED ALWAYS AS (CASE canonical WHEN '' THEN original ELSE canonical END) VIRTUAL
);
CREATE UNIQUE INDEX item_original ON item (original_key);
CREATE INDEX item_page ON item (page_key) WHERE page_key IS NOT NULL;
CREATE INDEX item_approved ON item (approved) WHERE approved IS NOT NULL;
CREATE INDEX item_in_host ON item (in_host_id) WHERE in_host_id <> host_id;
CREATE INDEX item_via ON item (via) WHERE via > '';
-- The orders, each with what lets a page skip rows without reading them.
CREATE INDEX item_open ON item (id, status, flags, host_id, file_id, field_id) WHERE open = 1;
CREATE INDEX item_open_host ON item (host_id) WHERE open = 1;
CREATE INDEX item_host ON item (host_id, id, open, status, flags);
CREATE INDEX item_status ON item (status, id, open, flags);
CREATE INDEX item_url ON item (sort_url, id, open);
-- What the facets count, in the order in which they group.
CREATE INDEX item_facet ON item (status, flags, host_id, file_id, field_id, open);

-- How many items there are of each kind: kept by every write, for the status line cannot count a million rows.
CREATE TABLE total (
    verdict  INTEGER NOT NULL,
    open     INTEGER NOT NULL,
    was_open INTEGER NOT NULL,
    n        INTEGER NOT NULL,
    PRIMARY KEY (verdict, open, was_open)
) WITHOUT ROWID;

-- Every decision ever made, undone ones too.
CREATE TABLE decision (
    item_id   INTEGER NOT NULL REFERENCES item (id),
    batch_id  INTEGER NOT NULL REFERENCES batch (id),
    kind      INTEGER NOT NULL,
    canonical TEXT NOT NULL,
    seen      TEXT NOT NULL,
    note      TEXT NOT NULL,
    PRIMARY KEY (item_id, batch_id)
) WITHOUT ROWID;
CREATE INDEX decision_batch ON decision (batch_id, kind);

CREATE TABLE note (
    id       INTEGER PRIMARY KEY,
    item_id  INTEGER NOT NULL REFERENCES item (id),
    batch_id INTEGER NOT NULL REFERENCES batch (id),
    text     TEXT NOT NULL
);
CREATE INDEX note_item ON note (item_id);
CREATE INDEX note_batch ON note (batch_id);

-- The overrides as they are now, and what each batch changed about them. rule, before and after are JSON.
CREATE TABLE override (
    id       INTEGER PRIMARY KEY AUTOINCREMENT,
    host     TEXT NOT NULL,
    path     TEXT NOT NULL,
    rule     TEXT NOT NULL,
    reviewer TEXT NOT NULL,
    at       INTEGER NOT NULL,
    batch_id INTEGER NOT NULL REFERENCES batch (id),
    UNIQUE (host, path)
);
CREATE TABLE batch_rule (
    id       INTEGER PRIMARY KEY,
    batch_id INTEGER NOT NULL REFERENCES batch (id),
    before   TEXT,
    after    TEXT
);
CREATE INDEX batch_rule_batch ON batch_rule (batch_id);

-- What the network said, of URLs as JSON and of hosts. https is NULL while it is not known.
CREATE TABLE evidence (
    item_id INTEGER PRIMARY KEY REFERENCES item (id),
    body    TEXT NOT NULL
);
CREATE TABLE host_evidence (
    host_id   INTEGER PRIMARY KEY REFERENCES host (id),
    https     INTEGER,
    preferred TEXT NOT NULL
);

-- +goose StatementBegin
CREATE TRIGGER log_no_update BEFORE UPDATE ON log
BEGIN SELECT RAISE(ABORT, 'the log is append-only'); END;
-- +goose StatementEnd
-- +goose StatementBegin
CREATE TRIGGER log_no_delete BEFORE DELETE ON log
BEGIN SELECT RAISE(ABORT, 'the log is append-only'); END;
-- +goose StatementEnd
-- +goose StatementBegin
CREATE TRIGGER decision_no_update BEFORE UPDATE ON decision
BEGIN SELECT RAISE(ABORT, 'decisions are append-only'); END;
-- +goose StatementEnd
-- +goose StatementBegin
CREATE TRIGGER decision_no_delete BEFORE DELETE ON decision
BEGIN SELECT RAISE(ABORT, 'decisions are append-only'); END;
-- +goose StatementEnd
-- +goose StatementBegin
CREATE TRIGGER note_no_update BEFORE UPDATE ON note
BEGIN SELECT RAISE(ABORT, 'notes are append-only'); END;
-- +goose StatementEnd
-- +goose StatementBegin
CREATE TRIGGER note_no_delete BEFORE DELETE ON note
BEGIN SELECT RAISE(ABORT, 'notes are append-only'); END;
-- +goose StatementEnd

PRAGMA user_version = 1;
