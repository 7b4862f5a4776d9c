-- The index of the search has folded texts now, as review.Fold writes them. ASCII is indexed as before; what had another
-- text is indexed anew. Its text has more bytes than characters.
INSERT INTO search_dirty (item_id)
    SELECT id FROM item WHERE octet_length(original) > length(original) OR octet_length(title) > length(title)
        OR octet_length(canonical) > length(canonical)
    UNION SELECT id FROM staged WHERE octet_length(title) > length(title) OR octet_length(canonical) > length(canonical)
    UNION SELECT item_id FROM decision WHERE octet_length(canonical) > length(canonical)
        OR octet_length(note) > length(note)
    UNION SELECT item_id FROM staged_decision WHERE octet_length(canonical) > length(canonical)
        OR octet_length(note) > length(note)
    UNION SELECT item_id FROM note WHERE octet_length(text) > length(text)
    ON CONFLICT DO NOTHING;
INSERT INTO record_dirty (record_id)
    SELECT id FROM record WHERE octet_length(key) > length(key) OR octet_length(name) > length(name)
        OR octet_length(attributes) > length(attributes)
    ON CONFLICT DO NOTHING;
