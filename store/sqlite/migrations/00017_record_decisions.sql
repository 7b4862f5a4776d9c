-- A decision is for one record, or one file as a whole, that cites the URL, or for all (NULL).
ALTER TABLE decision ADD COLUMN record_id INTEGER REFERENCES record (id);
CREATE INDEX decision_record ON decision (record_id) WHERE record_id IS NOT NULL;
CREATE INDEX decision_record_canonical ON decision (canonical) WHERE record_id IS NOT NULL;
