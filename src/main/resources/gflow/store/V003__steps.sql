-- A program inside an attempt that was given a part of what that has: 42.0 is step 0 of task_number 42.
CREATE TABLE step (
  task_number INTEGER NOT NULL,
  attempt INTEGER NOT NULL,
  step INTEGER NOT NULL,
  job_id INTEGER NOT NULL,
  name TEXT NOT NULL,
  tasks INTEGER NOT NULL,
  overlap INTEGER NOT NULL,               -- 1: shares its part with other steps
  gpus TEXT NOT NULL,                     -- JSON as in attempt
  cpus INTEGER NOT NULL,                  -- how many, and which: a job may count CPUs without having any
  cpu_ids TEXT NOT NULL,
  memory INTEGER NOT NULL,
  pid INTEGER NOT NULL,                   -- the process that the part belongs to, by pid and start time
  pid_start INTEGER NOT NULL,
  started_at INTEGER NOT NULL,
  end_by INTEGER,                         -- when it shall end at the latest, and why: TIMEOUT or CANCELLED
  end_why TEXT,
  ended_at INTEGER,                       -- from here on: known once it is over
  exit_code INTEGER,
  exit_signal INTEGER,
  PRIMARY KEY (task_number, attempt, step)
) WITHOUT ROWID;
CREATE INDEX step_live ON step (task_number) WHERE ended_at IS NULL;
