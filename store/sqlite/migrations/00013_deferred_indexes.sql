-- The indexes of item that are missing while many items are added to a new database: it is faster to build them
-- afterwards. Queries are right without them. Whoever opens the file next builds those that a killed program left.
CREATE TABLE index_to_build (
    name TEXT PRIMARY KEY
) WITHOUT ROWID;
