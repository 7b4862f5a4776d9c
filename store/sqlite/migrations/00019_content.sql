-- The contents of pages, each stored once. hash is the SHA-256 of the content as JSON, body is that JSON, compressed by
-- DEFLATE (RFC 1951). They are in no log and may be emptied together with item_content: no result follows from them.
CREATE TABLE content (
    id   INTEGER PRIMARY KEY,
    hash BLOB NOT NULL UNIQUE,
    body BLOB NOT NULL
);

-- The last two versions of the content of an item's page. number rises with each version of the item. at is the time
-- when a probe read the version first.
CREATE TABLE item_content (
    item_id    INTEGER NOT NULL REFERENCES item (id),
    number     INTEGER NOT NULL,
    at         INTEGER NOT NULL,
    content_id INTEGER NOT NULL REFERENCES content (id),
    PRIMARY KEY (item_id, number)
) WITHOUT ROWID;
CREATE INDEX item_content_content ON item_content (content_id);
