package gflow.daemon;

import gflow.daemon.service.LogFiles;
import gflow.job.Job;
import gflow.job.RequestedOptions;
import gflow.script.value.GpuLogSyntax;
import java.nio.file.Path;
import java.util.Optional;

/** Nothing is kept. */
public final class NoLogs implements LogFiles {
  @Override
  public Optional<Path> out(Job job, int offset) {
    return Optional.empty();
  }

  @Override
  public Optional<Path> gpuLog(Job job, int offset) {
    return Optional.ofNullable(job.spec().asked().options().get(RequestedOptions.GPU_LOG))
        .map(text -> Path.of(GpuLogSyntax.kept(text).file()));
  }

  @Override
  public Optional<Path> err(Job job, int offset) {
    return Optional.empty();
  }
}
