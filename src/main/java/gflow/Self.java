package gflow;

import gflow.job.Owner;
import gflow.process.Proc;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;

/** Who runs this process, by the kernel's word, and from where. */
final class Self {
  private Self() {}

  static Owner owner() throws IOException {
    Proc.Status status = Proc.status(ProcessHandle.current().pid()).orElseThrow();
    String name = Files.getOwner(Path.of("/proc/self")).getName();
    return new Owner(status.uid(), status.gid(), name);
  }

  /** The launcher of this program. */
  static Path launcher() {
    return Path.of(System.getProperty("gflow.home", "."), "bin", "gflow");
  }

  /**
   * The folder of the program with Slurm's names for our commands. Of an installed one by the link
   * to the current version: a job may outlive the folder of this one.
   */
  static Optional<Path> slurmsNames() throws IOException {
    String home = System.getProperty("gflow.home");
    if (home == null) {
      return Optional.empty();
    }
    Path here = Path.of(home).toAbsolutePath();
    Path current = here.resolveSibling("current");
    boolean installed = Files.isSymbolicLink(current) && Files.isSameFile(current, here);
    return Optional.of((installed ? current : here).resolve("slurm")).filter(Files::isDirectory);
  }
}
