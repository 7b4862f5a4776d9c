-- PRAGMA user_version alone tells which steps a database has.
DROP TABLE IF EXISTS goose_db_version;
