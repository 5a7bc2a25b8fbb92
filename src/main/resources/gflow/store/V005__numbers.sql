-- 1: the number of an array is its own, and its first task has the next one. 0: they share it, as in arrays
-- from before this column, and as one task that is no array. A job owns the numbers id … id + base + count - 1.
ALTER TABLE job ADD COLUMN base INTEGER NOT NULL DEFAULT 0;
