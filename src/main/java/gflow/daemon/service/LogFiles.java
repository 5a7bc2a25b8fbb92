package gflow.daemon.service;

import gflow.job.Job;
import java.nio.file.Path;
import java.util.Optional;

/** Where the output of tasks goes; empty = nowhere. */
public interface LogFiles {
  Optional<Path> out(Job job, int offset);

  /** Where what a task's GPUs do is written. */
  Optional<Path> gpuLog(Job job, int offset);

  /** Only where errors go to a file of their own. */
  Optional<Path> err(Job job, int offset);
}
