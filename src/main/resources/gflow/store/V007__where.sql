-- Another engine that has the attempt, and what that calls it; both are empty of one on this machine.
ALTER TABLE attempt ADD COLUMN engine TEXT NOT NULL DEFAULT '';
ALTER TABLE attempt ADD COLUMN engine_id TEXT NOT NULL DEFAULT '';
