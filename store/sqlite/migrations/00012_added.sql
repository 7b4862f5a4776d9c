-- Each transaction that adds items has a log entry over their input. It belongs to no batch: its batch_id is the
-- negative number of the first entry of the same intake. Of an intake the log shows the newest entry.
CREATE INDEX log_run ON log (batch_id, seq) WHERE batch_id < 0;

-- The store covers the items that are there by an entry when it opens the file. They count as read as they are now.
UPDATE evidence SET gen = 0 WHERE gen > 0;
