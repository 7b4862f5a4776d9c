-- Which reviewer an item is assigned to. It is in no log: no result follows from it.
CREATE TABLE assignment (
    item_id     INTEGER PRIMARY KEY REFERENCES item (id),
    reviewer    TEXT NOT NULL,
    assigned_by TEXT NOT NULL,
    at          INTEGER NOT NULL
);
CREATE INDEX assignment_reviewer ON assignment (reviewer);
