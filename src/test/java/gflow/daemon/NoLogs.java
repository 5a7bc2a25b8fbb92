package gflow.daemon;

import gflow.daemon.service.LogFiles;
import gflow.job.Job;
import java.nio.file.Path;
import java.util.Optional;

/** Nothing is kept. */
public final class NoLogs implements LogFiles {
  @Override
  public Optional<Path> out(Job job, int offset) {
    return Optional.empty();
  }

  @Override
  public Optional<Path> err(Job job, int offset) {
    return Optional.empty();
  }
}
