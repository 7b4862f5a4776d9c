-- The order by record: the name, or else the ID.
CREATE INDEX record_name ON record (iif(name = '', key, name));

-- The count of the items as a batch decided leaves out those that are gone.
DROP INDEX IF EXISTS item_decided;
DELETE FROM index_to_build WHERE name = 'item_decided';
CREATE INDEX item_decided ON item (ifnull(batch_id, 0), id, open, settled_by, place_set_id);
