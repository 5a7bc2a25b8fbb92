package gflow.daemon;

import gflow.job.JobSpec;
import gflow.job.TaskId;
import gflow.local.Places;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;

/** Finds out before a job is taken in what would make it fail in silence later. */
final class Scenes implements Submitting.SceneCheck {
  private final Places places;

  Scenes(Places places) {
    this.places = places;
  }

  @Override
  public Optional<String> problem(JobSpec spec) {
    Path folder = Path.of(spec.scene().folder());
    if (!Files.isDirectory(folder)) {
      return Optional.of("there is no folder " + folder + " (--chdir)");
    }
    var task = new TaskId(new gflow.job.JobId(1));
    Optional<String> out =
        spec.scene().output().out().isEmpty()
            ? writable(places.logs(), "log folder")
            : places.out(spec, task).flatMap(p -> writable(p.getParent(), "folder of --output"));
    return out.or(
        () -> places.err(spec, task).flatMap(p -> writable(p.getParent(), "folder of --error")));
  }

  private static Optional<String> writable(Path folder, String what) {
    if (!Files.isDirectory(folder)) {
      return Optional.of("the " + what + " " + folder + " does not exist (make it first)");
    }
    return Files.isWritable(folder)
        ? Optional.empty()
        : Optional.of("the " + what + " " + folder + " cannot be written to");
  }
}
