-- All times are microseconds since 1970 (UTC): datetime(submitted_at / 1000000, 'unixepoch', 'localtime').
-- Sets of tasks are offsets from 0 in Slurm's way of writing: 0,5,9-12.

-- next_id: the next free job number, never lowered; host, boot_id: where the daemon last ran.
CREATE TABLE meta (
  key TEXT PRIMARY KEY,
  value TEXT NOT NULL
) WITHOUT ROWID;

-- What users set at run time and the daemon remembers: drained GPUs, limits.
CREATE TABLE setting (
  key TEXT PRIMARY KEY,
  value TEXT NOT NULL
) WITHOUT ROWID;

-- Scripts, environments (NUL-separated) and attached files, by their SHA-256.
CREATE TABLE blob (
  hash TEXT PRIMARY KEY,
  content BLOB NOT NULL,
  used_by INTEGER NOT NULL DEFAULT 0      -- how many jobs name it
);
CREATE INDEX blob_unused ON blob (hash) WHERE used_by = 0;

-- A job and how far it is. An array owns the numbers id … id + count - 1, one for each task.
CREATE TABLE job (
  id INTEGER PRIMARY KEY,
  count INTEGER NOT NULL,
  uid INTEGER NOT NULL,
  gid INTEGER NOT NULL,
  user TEXT NOT NULL,
  name TEXT NOT NULL,
  project TEXT,
  priority INTEGER NOT NULL,
  array TEXT,                             -- the array indices; the k-th belongs to task k
  submitted_at INTEGER NOT NULL,
  over INTEGER NOT NULL DEFAULT 0,        -- 1: nothing waits, is held or runs any more
  ended_at INTEGER NOT NULL,              -- the last end of one of its tasks so far
  waiting TEXT NOT NULL,
  held TEXT NOT NULL,
  next_attempts TEXT NOT NULL DEFAULT '', -- task:attempt of waiting tasks that were tried before
  completed INTEGER NOT NULL DEFAULT 0,
  failed TEXT NOT NULL DEFAULT '',       -- offsets of those that did not end well, with the dropped
  worst_status INTEGER NOT NULL DEFAULT 0,
  last_start_at INTEGER NOT NULL DEFAULT 0,
  dropped TEXT NOT NULL DEFAULT '',       -- tasks cancelled while they waited: no attempt
  dropped_count INTEGER NOT NULL DEFAULT 0,
  dropped_at INTEGER NOT NULL DEFAULT 0,
  dropped_why TEXT NOT NULL DEFAULT ''
);
CREATE INDEX job_unfinished ON job (id) WHERE over = 0;
CREATE INDEX job_over ON job (ended_at) WHERE over = 1;
CREATE INDEX job_dropped ON job (dropped_at) WHERE dropped_count > 0;
CREATE INDEX job_user ON job (uid, id);

-- What was asked for. Apart from job, because a sweep may be long and progress is written often.
CREATE TABLE spec (
  job_id INTEGER PRIMARY KEY,
  json TEXT NOT NULL
);

-- A try of a task that was given resources; task_number is the task's own job id.
CREATE TABLE attempt (
  task_number INTEGER NOT NULL,
  attempt INTEGER NOT NULL,
  job_id INTEGER NOT NULL,
  started_at INTEGER NOT NULL,
  gpus TEXT NOT NULL,                     -- JSON: uuid, index, thousandths, memory in bytes
  cpus TEXT NOT NULL,
  memory INTEGER NOT NULL,                -- bytes in the books, 0 = not asked for
  ending TEXT,                            -- CANCELLED, TIME_LIMIT, PROGRAM_ENDED: being ended
  ending_by TEXT,
  kill_at INTEGER,
  state TEXT,                             -- from here on: known once it is over
  exit_code INTEGER,
  exit_signal INTEGER,
  ended_at INTEGER,
  note TEXT,
  cpu_seconds REAL,
  peak_memory INTEGER,
  gpu_seconds REAL,
  PRIMARY KEY (task_number, attempt)
) WITHOUT ROWID;
CREATE INDEX attempt_live ON attempt (task_number) WHERE ended_at IS NULL;
CREATE INDEX attempt_ended ON attempt (ended_at, task_number) WHERE ended_at IS NOT NULL;

-- What was answered to a request, so that a repeated one gets the same answer.
CREATE TABLE answered (
  key TEXT PRIMARY KEY,
  answer TEXT NOT NULL,
  at INTEGER NOT NULL
) WITHOUT ROWID;

-- For people: attempts with local times, newest first.
CREATE VIEW history AS
SELECT
  a.task_number, a.attempt, j.name, j.user, j.project,
  coalesce(a.state, 'RUNNING') AS state, a.exit_code, a.exit_signal,
  datetime(j.submitted_at / 1000000, 'unixepoch', 'localtime') AS submitted,
  datetime(a.started_at / 1000000, 'unixepoch', 'localtime') AS started,
  datetime(a.ended_at / 1000000, 'unixepoch', 'localtime') AS ended,
  a.gpu_seconds, a.cpu_seconds, a.peak_memory, a.note
FROM attempt a JOIN job j ON j.id = a.job_id
ORDER BY a.started_at DESC;
