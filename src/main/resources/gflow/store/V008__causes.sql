-- What an attempt died of, where its state and exit do not tell: GPU_MEMORY, GPU_FAULT, UNKNOWN.
ALTER TABLE attempt ADD COLUMN cause TEXT;

-- Of tasks that wait after a failure: task:time until which they rest.
ALTER TABLE job ADD COLUMN resting TEXT NOT NULL DEFAULT '';

-- Tasks that ran out of memory on a GPU that they shared: their next attempts have GPUs for themselves.
ALTER TABLE job ADD COLUMN alone TEXT NOT NULL DEFAULT '';
