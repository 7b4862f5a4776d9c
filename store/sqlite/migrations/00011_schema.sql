-- Times are milliseconds since 1970, UTC.

-- Texts that many rows share are stored once. The empty text is a row too, so that no column is ever NULL for it.
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

-- Every policy that results were ever computed under.
CREATE TABLE policy (
    id     INTEGER PRIMARY KEY,
    name   TEXT NOT NULL,
    digest TEXT NOT NULL UNIQUE,
    yaml   BLOB NOT NULL
);

-- One row: the current policy and the generations. gen rises with every change of policy, overrides or evidence.
-- rules_gen and hosts_gen are the generations of the last change of the rules and of the host evidence. A change
-- that was computed before may still be written if only evidence came in between.
CREATE TABLE meta (
    id        INTEGER PRIMARY KEY CHECK (id = 1),
    policy_id INTEGER REFERENCES policy (id),
    gen       INTEGER NOT NULL,
    rules_gen INTEGER NOT NULL,
    hosts_gen INTEGER NOT NULL
);
INSERT INTO meta (id, policy_id, gen, rules_gen, hosts_gen) VALUES (1, NULL, 0, 0, 0);

-- The append-only log. hash is SHA-256 over all other columns; prev is the hash of the entry before.
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

-- One action of a person. undone_seq is the log entry that undid it, 0 while it is in force.
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

-- One row for each URL. original_key is the first half of the SHA-256 of original: a unique index over 16 bytes is
-- several times smaller and faster than one over the text. unknown holds the names of the parameters behind
-- unknown-param, each query-escaped and between two "&", so that one name can be searched for and every byte
-- survives. batch_id is the batch of the decision in force. seal and title_seal are checksums over the given
-- columns, which no rule and no log can restore: seal covers the original and its source, title_seal the title,
-- which evidence may replace (see sqlite/seal.go).
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

    -- Waits for a person: pending, or approved with the flag changed-since-approval (bit 16). It is not a
    -- generated column because SQLite does not read those from an index alone.
    open INTEGER NOT NULL CHECK (open = (status = 0 OR (status = 2 AND flags & 65536 <> 0))),
    seal       INTEGER NOT NULL,
    title_seal INTEGER NOT NULL,

    -- The path and query of the canonical URL. The order by URL is by host name, then by this column: the pages of
    -- a site stay together whatever their scheme and port, and one index serves all hosts, one host and many. An
    -- item without a canonical URL has no host, and its original is its path. The type is BLOB because substr and
    -- instr misread texts that are not UTF-8.
    sort_path BLOB GENERATED ALWAYS AS (CASE
        WHEN canonical = '' THEN CAST(original AS BLOB)
        WHEN instr(substr(CAST(canonical AS BLOB), 9), x'2f') = 0 THEN x''
        ELSE substr(CAST(canonical AS BLOB), 8 + instr(substr(CAST(canonical AS BLOB), 9), x'2f')) END) VIRTUAL
);
CREATE UNIQUE INDEX item_original ON item (original_key);
CREATE INDEX item_page ON item (page_key) WHERE page_key IS NOT NULL;
CREATE INDEX item_approved ON item (approved) WHERE approved IS NOT NULL;
CREATE INDEX item_in_host ON item (in_host_id) WHERE in_host_id <> host_id;
CREATE INDEX item_via ON item (via) WHERE via > '';

-- The orders of pages. Each index also holds the columns by which a page skips rows without reading them.
CREATE INDEX item_open ON item (id, status, flags, host_id, file_id, field_id) WHERE open = 1;
CREATE INDEX item_open_host ON item (host_id) WHERE open = 1;
CREATE INDEX item_host ON item (host_id, id, open, status, flags);
CREATE INDEX item_status ON item (status, id, open, flags);
CREATE INDEX item_path ON item (host_id, sort_path, id, open);
-- By decision: a batch is later than another if its number is larger; undecided items come first.
CREATE INDEX item_decided ON item (ifnull(batch_id, 0), id, open);

-- The number of items for each combination of the columns before staged and n. Every write keeps it, because a
-- million rows cannot be counted between two keys. Besides the rows of each host there are rows of all hosts
-- together, with host_id and in_host_id 0. Rows with staged = 1 are the differences that the staged change makes;
-- they count once that change is in force (stage.state 2).
CREATE TABLE item_count (
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
CREATE INDEX item_count_in_host ON item_count (in_host_id) WHERE in_host_id <> host_id;
CREATE INDEX item_count_staged ON item_count (staged) WHERE staged = 1;

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

-- The current overrides, and the changes that each batch made to them. rule, before and after are JSON.
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

-- Filters and orders that reviewers named, shared by all who work on the database. body is JSON (review/view.go).
-- They are no decisions, and the log does not have them.
CREATE TABLE saved_view (
    name     TEXT PRIMARY KEY,
    body     TEXT NOT NULL,
    reviewer TEXT NOT NULL,
    at       INTEGER NOT NULL
) WITHOUT ROWID;

-- The evidence of an item, as JSON with its seal. due is the time of the next look, 0 for evidence of unknown age.
-- gen is the generation that the evidence started, 0 if it came with its item.
CREATE TABLE evidence (
    item_id INTEGER PRIMARY KEY REFERENCES item (id),
    body    TEXT NOT NULL,
    due     INTEGER NOT NULL DEFAULT 0,
    gen     INTEGER NOT NULL DEFAULT 0,
    seal    INTEGER NOT NULL
);
CREATE INDEX evidence_gen ON evidence (gen) WHERE gen > 0;

-- The evidence of a host. https is NULL while unknown. propagated is 0 until all URLs on the host are computed with it.
CREATE TABLE host_evidence (
    host_id    INTEGER PRIMARY KEY REFERENCES host (id),
    https      INTEGER,
    preferred  TEXT NOT NULL,
    gen        INTEGER NOT NULL DEFAULT 0,
    propagated INTEGER NOT NULL DEFAULT 1
);
CREATE INDEX host_evidence_gen ON host_evidence (gen) WHERE gen > 0;
CREATE INDEX host_evidence_pending ON host_evidence (host_id) WHERE propagated = 0;

-- Items that a probe may not ask before until.
CREATE TABLE postponed (
    item_id INTEGER PRIMARY KEY REFERENCES item (id),
    until   INTEGER NOT NULL,
    why     TEXT NOT NULL
);

-- The memory of the prober, so that it asks nothing twice. No result follows from it, and it may be emptied at any
-- time. status is 0 for an unreachable server; https is NULL while unknown.
CREATE TABLE robots (
    origin TEXT PRIMARY KEY,
    at     INTEGER NOT NULL,
    status INTEGER NOT NULL,
    body   BLOB NOT NULL
);
CREATE TABLE probed_host (
    host      TEXT PRIMARY KEY,
    at        INTEGER NOT NULL,
    https     INTEGER,
    preferred TEXT NOT NULL
) WITHOUT ROWID;

-- The running probe, if there is one.
CREATE TABLE lease (
    id       INTEGER PRIMARY KEY CHECK (id = 1),
    reviewer TEXT NOT NULL,
    machine  TEXT NOT NULL,
    pid      INTEGER NOT NULL,
    since    INTEGER NOT NULL,
    until    INTEGER NOT NULL
);

-- A change of so many items that others would wait for it is staged in chunks, put in force at once, and applied
-- to item in chunks (see sqlite/large_doc.go). state is 0 with no such change (leftover rows mean nothing), 1
-- while it is being staged, 2 from when it is in force until it is applied. token rises with every change that
-- begins, step with every chunk of it. batch is the batch of the staged decisions once they are in force, 0 for a
-- change of rules.
CREATE TABLE stage (
    id    INTEGER PRIMARY KEY CHECK (id = 1),
    state INTEGER NOT NULL,
    token INTEGER NOT NULL,
    step  INTEGER NOT NULL,
    batch INTEGER NOT NULL DEFAULT 0
);
INSERT INTO stage (id, state, token, step) VALUES (1, 0, 0, 0);

-- New results of the rules, one row for each item that changes.
CREATE TABLE staged (
    id         INTEGER PRIMARY KEY REFERENCES item (id),
    title      TEXT NOT NULL, -- empty: unchanged
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
    was_open   INTEGER NOT NULL,
    title_seal INTEGER NOT NULL
);

-- New decisions, or the decisions that an undo or a redo puts in force again. kind is NULL for the latter, whose
-- decision is the one of batch_id, NULL for none. A new decision belongs to stage.batch.
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

-- The items of staged as they will be in item, column by column.
CREATE VIEW staged_item AS
SELECT s.id, i.rev + 1 AS rev, i.original_key, i.original, i.file_id, i.field_id, i.position,
    iif(s.title = '', i.title, s.title) AS title, s.canonical, s.page_key, s.verdict, s.reason, s.flags, s.unknown,
    s.in_host_id, s.host_id, s.link_type, s.language, s.via, s.status, i.batch_id, i.approved, i.notes, s.was_open,
    s.open, i.seal, iif(s.title = '', i.title_seal, s.title_seal) AS title_seal,
    CASE
        WHEN s.canonical = '' THEN CAST(i.original AS BLOB)
        WHEN instr(substr(CAST(s.canonical AS BLOB), 9), x'2f') = 0 THEN x''
        ELSE substr(CAST(s.canonical AS BLOB), 8 + instr(substr(CAST(s.canonical AS BLOB), 9), x'2f')) END AS sort_path
FROM staged s CROSS JOIN item i ON i.id = s.id;

-- The items of staged_decision as they will be in item, column by column.
CREATE VIEW staged_decision_item AS
SELECT i.id, i.rev + 1 AS rev, i.original_key, i.original, i.file_id, i.field_id, i.position, i.title, i.canonical,
    i.page_key, i.verdict, i.reason, s.flags, i.unknown, i.in_host_id, i.host_id, i.link_type, i.language, i.via,
    s.status, iif(s.kind IS NULL, s.batch_id, (SELECT batch FROM stage)) AS batch_id, s.approved, i.notes, s.was_open,
    s.open, i.seal, i.title_seal, i.sort_path
FROM staged_decision s CROSS JOIN item i ON i.id = s.item_id;

-- The index of the search: which items have which trigrams in one of their texts (see sqlite/search.go).
-- search_state.upto is the last item that was indexed when it was new; search_dirty holds the items with a newer
-- text. FTS5 would merge segments in the transaction that adds to them, hundreds of pages at a time, while others
-- wait: the store merges them in chunks instead.
CREATE VIRTUAL TABLE search
    USING fts5 (text, content = '', contentless_delete = 1, detail = none, tokenize = 'trigram');
INSERT INTO search (search, rank) VALUES ('automerge', 0);
CREATE TABLE search_state (
    id   INTEGER PRIMARY KEY CHECK (id = 1),
    upto INTEGER NOT NULL
);
INSERT INTO search_state (id, upto) VALUES (1, 0);
CREATE TABLE search_dirty (
    item_id INTEGER PRIMARY KEY REFERENCES item (id)
);

CREATE TRIGGER log_no_update BEFORE UPDATE ON log
BEGIN SELECT RAISE(ABORT, 'the log is append-only'); END;
CREATE TRIGGER log_no_delete BEFORE DELETE ON log
BEGIN SELECT RAISE(ABORT, 'the log is append-only'); END;
CREATE TRIGGER decision_no_update BEFORE UPDATE ON decision
BEGIN SELECT RAISE(ABORT, 'decisions are append-only'); END;
CREATE TRIGGER decision_no_delete BEFORE DELETE ON decision
BEGIN SELECT RAISE(ABORT, 'decisions are append-only'); END;
CREATE TRIGGER note_no_update BEFORE UPDATE ON note
BEGIN SELECT RAISE(ABORT, 'notes are append-only'); END;
CREATE TRIGGER note_no_delete BEFORE DELETE ON note
BEGIN SELECT RAISE(ABORT, 'notes are append-only'); END;
