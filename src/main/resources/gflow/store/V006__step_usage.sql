-- What a step used, as far as it is known.
ALTER TABLE step ADD COLUMN cpu_seconds REAL;
ALTER TABLE step ADD COLUMN peak_memory INTEGER;
