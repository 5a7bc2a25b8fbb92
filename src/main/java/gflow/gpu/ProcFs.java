package gflow.gpu;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;

/** Who a process is, from /proc. */
record ProcFs(Path root) {
  private static final int LONGEST = 64;

  record Seen(String user, String command) {}

  /** Empty if there is no such process, or none that we may see. */
  Optional<Seen> look(long pid) {
    Path process = root.resolve(Long.toString(pid));
    try {
      return Optional.of(new Seen(Files.getOwner(process).getName(), command(process)));
    } catch (IOException | UnsupportedOperationException e) {
      return Optional.empty();
    }
  }

  /** The program's base name, since comm holds 15 letters and a thread may rename it. */
  private static String command(Path process) throws IOException {
    String words = text(process.resolve("cmdline"));
    String first = words.split("\0", 2)[0];
    if (first.isBlank()) {
      first = text(process.resolve("comm"));
    }
    if (first.startsWith("/")) {
      first = first.substring(first.lastIndexOf('/') + 1);
    } else {
      // A title that the process gave itself, such as "worker: step 7/100".
      first = first.strip().split(" ", 2)[0];
      first = first.substring(first.lastIndexOf('/') + 1);
    }
    return tame(first.strip());
  }

  private static String text(Path file) throws IOException {
    try (var in = Files.newInputStream(file)) {
      return new String(in.readNBytes(4096), UTF_8);
    }
  }

  /** Any user chooses the name of his process, and we print it: no control codes, no novels. */
  private static String tame(String name) {
    String plain = name.replaceAll("\\p{Cntrl}", "?");
    String cut = plain.length() > LONGEST ? plain.substring(0, LONGEST) : plain;
    return cut.isEmpty() ? GpuProcess.UNSEEN : cut;
  }
}
