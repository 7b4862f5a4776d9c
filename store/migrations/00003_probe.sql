-- +goose Up

-- meta.gen rises with every change of policy, overrides or evidence; these say at which gen the rules, and what is known of
-- hosts, last changed. A change that was computed before may still be written if only evidence came in between.
ALTER TABLE meta ADD COLUMN rules_gen INTEGER NOT NULL DEFAULT 0;
ALTER TABLE meta ADD COLUMN hosts_gen INTEGER NOT NULL DEFAULT 0;
UPDATE meta SET rules_gen = gen, hosts_gen = gen;

-- due is when to look again; 0 for evidence of which nobody knows how old it is. gen is the generation that the evidence
-- started, 0 if it came with its item.
ALTER TABLE evidence ADD COLUMN due INTEGER NOT NULL DEFAULT 0;
ALTER TABLE evidence ADD COLUMN gen INTEGER NOT NULL DEFAULT 0;
CREATE INDEX evidence_gen ON evidence (gen) WHERE gen > 0;

-- spread is 0 while not all URLs on the host have been computed with what is known of it.
ALTER TABLE host_evidence ADD COLUMN gen INTEGER NOT NULL DEFAULT 0;
ALTER TABLE host_evidence ADD COLUMN spread INTEGER NOT NULL DEFAULT 1;
CREATE INDEX host_evidence_gen ON host_evidence (gen) WHERE gen > 0;
CREATE INDEX host_evidence_unspread ON host_evidence (host_id) WHERE spread = 0;

-- What could not be asked yet: not before until.
CREATE TABLE postponed (
    item_id INTEGER PRIMARY KEY REFERENCES item (id),
    until   INTEGER NOT NULL,
    why     TEXT NOT NULL
);

-- What a prober remembers of hosts and their robots.txt, to ask nothing twice. Nothing is concluded from it, and it may be
-- emptied at any time. status is 0 where the server could not be reached; https is NULL while it is not known.
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

-- The probe that runs, if one does.
CREATE TABLE lease (
    id       INTEGER PRIMARY KEY CHECK (id = 1),
    reviewer TEXT NOT NULL,
    machine  TEXT NOT NULL,
    pid      INTEGER NOT NULL,
    since    INTEGER NOT NULL,
    until    INTEGER NOT NULL
);

PRAGMA user_version = 3;
