-- The machine's boot in which the attempt was given its resources. After a power cut its record may be lost
-- though it ran; attempts from before this column count as of an earlier boot.
ALTER TABLE attempt ADD COLUMN boot TEXT NOT NULL DEFAULT '';

-- task:count of tasks that are not over: attempts that never ran or were lost with the machine, which are no retries.
ALTER TABLE job ADD COLUMN spared TEXT NOT NULL DEFAULT '';
