-- An override can be for a field, empty: none. SQLite cannot change a UNIQUE otherwise.
CREATE TABLE override_new (
    id       INTEGER PRIMARY KEY AUTOINCREMENT,
    host     TEXT NOT NULL,
    path     TEXT NOT NULL,
    field    TEXT NOT NULL,
    rule     TEXT NOT NULL,
    reviewer TEXT NOT NULL,
    at       INTEGER NOT NULL,
    batch_id INTEGER NOT NULL REFERENCES batch (id),
    UNIQUE (host, path, field)
);
INSERT INTO override_new SELECT id, host, path, '', rule, reviewer, at, batch_id FROM override;
UPDATE sqlite_sequence SET seq = (SELECT seq FROM sqlite_sequence WHERE name = 'override')
    WHERE name = 'override_new' AND EXISTS (SELECT 1 FROM sqlite_sequence WHERE name = 'override');
DROP TABLE override;
ALTER TABLE override_new RENAME TO override;
