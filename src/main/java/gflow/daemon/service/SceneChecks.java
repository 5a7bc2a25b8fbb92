package gflow.daemon.service;

import gflow.job.JobSpec;
import gflow.job.TaskId;
import gflow.local.AttemptPaths;
import gflow.local.OutputFolders;
import gflow.script.value.BadInput;
import gflow.script.value.Sizes;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/** Finds out before a job is taken in what would make it fail in silence later. */
public record SceneChecks(AttemptPaths places) implements Submitting.SceneCheck {
  @Override
  public Optional<String> problem(JobSpec spec) {
    Path folder = Path.of(spec.scene().folder());
    if (!Files.isDirectory(folder)) {
      return Optional.of("there is no folder " + folder + " (--chdir)");
    }
    String nodes = spec.labels().getOrDefault("nodelist", places.host());
    if (!List.of(places.host(), "localhost").contains(nodes.replaceFirst("\\..*", ""))) {
      return Optional.of("there is no node '" + nodes + "', this one is " + places.host());
    }
    Optional<String> room = tooLittleRoom(spec.labels().getOrDefault("tmp", "0"));
    if (room.isPresent()) {
      return room;
    }
    var task = new TaskId(new gflow.job.JobId(1));
    Optional<String> out =
        spec.writesLog()
            ? writable(places.logs(), "log folder")
            : places.out(spec, task).flatMap(p -> writable(p.getParent(), "folder of --output"));
    return out.or(
        () -> places.err(spec, task).flatMap(p -> writable(p.getParent(), "folder of --error")));
  }

  /** By all that there is, as in Slurm: how much of it is free when the job runs nobody knows. */
  private Optional<String> tooLittleRoom(String size) {
    try {
      if (Sizes.parse(size) == 0) {
        // Nobody asked, and to find the disk takes a look at all that is mounted.
        return Optional.empty();
      }
      long there = Files.getFileStore(OutputFolders.there(places.temporary())).getTotalSpace();
      return Sizes.parse(size) <= there
          ? Optional.empty()
          : Optional.of(
              "Need %s of temporary disk, there is %s (change --tmp)"
                  .formatted(size, Sizes.rounded(there)));
    } catch (BadInput e) {
      return Optional.of("tmp '" + size + "': " + e.getMessage());
    } catch (IOException e) {
      return Optional.empty();
    }
  }

  /** A folder with a pattern in its name is made when the job starts, each other one now. */
  @Override
  public void prepare(JobSpec spec) {
    var output = spec.scene().output();
    Stream.of(output.out(), output.err())
        .flatMap(Optional::stream)
        .map(file -> Path.of(spec.scene().folder()).resolve(file).getParent())
        .filter(folder -> folder.toString().indexOf('%') < 0)
        .forEach(folder -> OutputFolders.make(folder, spec.scene().umask()));
  }

  /** What is missing will be made, so the nearest that is there counts. */
  private static Optional<String> writable(Path folder, String what) {
    Path there = OutputFolders.there(folder);
    if (Files.isDirectory(there) && Files.isWritable(there)) {
      return Optional.empty();
    }
    String cannot = there.equals(folder) ? "cannot be written to" : "cannot be made in " + there;
    return Optional.of(
        Files.isDirectory(there)
            ? "the " + what + " " + folder + " " + cannot
            : "the " + what + " " + folder + ": " + there + " is no folder");
  }
}
