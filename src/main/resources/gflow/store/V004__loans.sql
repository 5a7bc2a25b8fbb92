-- A whole card beyond its own that an elastic attempt had for a time; gpu is its UUID.
CREATE TABLE loan (
  task_number INTEGER NOT NULL,
  attempt INTEGER NOT NULL,
  taken_at INTEGER NOT NULL,
  gpu TEXT NOT NULL,
  job_id INTEGER NOT NULL,
  card TEXT NOT NULL,                     -- JSON as in attempt
  back_at INTEGER,                        -- known once it came back
  PRIMARY KEY (task_number, attempt, taken_at, gpu)
) WITHOUT ROWID;
-- No card twice, whatever else goes wrong.
CREATE UNIQUE INDEX loan_live ON loan (gpu) WHERE back_at IS NULL;

-- Microseconds of cards that it had on loan and gave back; gpu_seconds has them in it.
ALTER TABLE attempt ADD COLUMN lent INTEGER NOT NULL DEFAULT 0;
