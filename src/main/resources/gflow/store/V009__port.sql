-- The port that the attempt has to itself; 0 = none.
ALTER TABLE attempt ADD COLUMN port INTEGER NOT NULL DEFAULT 0;
