-- The texts of item_search and record_search are folded, by review.Fold, except those of the items and the records up to
-- these IDs. A search looks into all of those until Maintain has folded them (fold.go).
CREATE TABLE search_unfolded (
    items   bigint NOT NULL,
    records bigint NOT NULL
);
INSERT INTO search_unfolded (items, records) VALUES ((SELECT coalesce(max(item_id), 0) FROM item_search),
    (SELECT coalesce(max(record_id), 0) FROM record_search));
