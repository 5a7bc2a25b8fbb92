package gflow.same;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.TreeMap;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.Stream;

/** One case in one world: its commands, then until its last job is over, then what there is. */
final class Trial {
  private static final Duration PATIENCE = Duration.ofSeconds(200);
  private static final String SCRIPT = "job.sh";

  private final World world;
  private final Case which;

  Trial(World world, Case which) {
    this.world = world;
    this.which = which;
  }

  Answer answer() throws IOException {
    Path folder = world.folder(which);
    Files.writeString(folder.resolve(SCRIPT), which.text());
    Path out = folder.resolveSibling(which.name() + ".out");
    Path err = folder.resolveSibling(which.name() + ".err");
    int code = world.run(folder, which.calls(), out, err);
    await(folder);
    var seen =
        new Seen(
            folder,
            code,
            Files.readString(out),
            Files.readString(err),
            jobs(folder),
            files(folder));
    return new Normaliser(seen, world.said("hostname -s").strip()).answer();
  }

  private void await(Path folder) throws IOException {
    long end = System.nanoTime() + PATIENCE.toNanos();
    while (world.said("squeue -h -o %Z").lines().anyMatch(dir -> Path.of(dir).startsWith(folder))) {
      if (System.nanoTime() > end) {
        throw new AssertionError(which.name() + " left jobs:\n" + world.said("squeue"));
      }
      LockSupport.parkNanos(Duration.ofMillis(100).toNanos());
    }
  }

  private List<String> jobs(Path folder) throws IOException {
    return world
        .said("scontrol -o show job")
        .lines()
        .filter(job -> job.matches(".* WorkDir=" + folder + "[ /].*"))
        // One that Slurm refused, and remembers for a while.
        .filter(job -> !job.contains(" Reason=BadConstraints "))
        .toList();
  }

  private static TreeMap<String, String> files(Path folder) throws IOException {
    var files = new TreeMap<String, String>();
    try (Stream<Path> all = Files.walk(folder)) {
      for (Path file : all.filter(Files::isRegularFile).toList()) {
        String name = folder.relativize(file).toString();
        if (!name.equals(SCRIPT)) {
          files.put(name, Files.readString(file));
        }
      }
    }
    return files;
  }
}
