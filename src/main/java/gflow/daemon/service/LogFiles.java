package gflow.daemon.service;

import gflow.job.Job;
import java.nio.file.Path;
import java.util.Optional;

/** Where the output of tasks goes; empty = nowhere. */
public interface LogFiles {
  Optional<Path> out(Job job, int offset);

  /** Where what a task's GPUs do is written. */
  Optional<Path> gpuLog(Job job, int offset);

  /** Of a group: what the logs of its roles begin with, in a folder. */
  default Optional<String> roles(Job job, int offset) {
    return Optional.empty();
  }

  /** Only where errors go to a file of their own. */
  Optional<Path> err(Job job, int offset);
}
