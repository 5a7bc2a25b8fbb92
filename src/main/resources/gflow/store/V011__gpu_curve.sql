-- What attempts made of their GPUs over time; apart, so that nobody reads it who does not draw it.
CREATE TABLE gpu_curve (
  task_number INTEGER NOT NULL,
  attempt INTEGER NOT NULL,
  curve BLOB NOT NULL,
  PRIMARY KEY (task_number, attempt)
) WITHOUT ROWID;
