package gflow.daemon;

import gflow.daemon.service.LogFiles;
import gflow.job.Job;
import gflow.local.AttemptPaths;
import java.nio.file.Path;
import java.util.Optional;

/** The files that the local engine writes. */
record AttemptLogFiles(AttemptPaths places) implements LogFiles {
  @Override
  public Optional<Path> out(Job job, int offset) {
    return places.out(job.spec(), job.task(offset));
  }

  @Override
  public Optional<Path> err(Job job, int offset) {
    return places.err(job.spec(), job.task(offset));
  }

  @Override
  public Optional<String> roles(Job job, int offset) {
    return job.spec().isGroup()
        ? Optional.of(places.logsOfRoles(job.spec(), job.task(offset)))
        : Optional.empty();
  }

  @Override
  public Optional<Path> gpuLog(Job job, int offset) {
    return places.gpuLog(job.spec(), job.task(offset));
  }
}
