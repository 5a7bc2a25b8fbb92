-- What attempts were seen to do with their GPUs: percent of the time, and bytes of their own.
ALTER TABLE attempt ADD COLUMN gpu_looks INTEGER;
ALTER TABLE attempt ADD COLUMN gpu_use INTEGER;
ALTER TABLE attempt ADD COLUMN gpu_use_peak INTEGER;
ALTER TABLE attempt ADD COLUMN gpu_memory INTEGER;
ALTER TABLE attempt ADD COLUMN gpu_memory_peak INTEGER;
