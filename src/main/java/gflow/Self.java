package gflow;

import gflow.job.Owner;
import gflow.process.Proc;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/** Who runs this process, by the kernel's word. */
final class Self {
  private Self() {}

  static Owner owner() throws IOException {
    Proc.Status status = Proc.status(ProcessHandle.current().pid()).orElseThrow();
    String name = Files.getOwner(Path.of("/proc/self")).getName();
    return new Owner(status.uid(), status.gid(), name);
  }
}
