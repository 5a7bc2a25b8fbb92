package gflow.cli.job;

import gflow.cli.frame.Call;
import gflow.cli.frame.Refused;
import gflow.cli.frame.UserFiles;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;

/** Tells whether a word is a script, and reads it; what cannot run is refused before it waits. */
final class BatchFile {
  private static final int HEAD = 8192;
  private static final byte[] ELF = {0x7f, 'E', 'L', 'F'};
  private static final List<String> SHELL_ENDS = List.of(".sh", ".bash", ".slurm", ".sbatch");
  private static final List<String> OTHER_ENDS =
      List.of(".py", ".R", ".r", ".jl", ".pl", ".rb", ".js", ".m");

  private BatchFile() {}

  /**
   * The text of the script that the word names; empty if it is a program. A bare word is a program
   * if PATH has one: else whoever may write this folder decides what {@code python3} means.
   */
  static Optional<byte[]> find(Call call, String word) throws Refused {
    Path path = call.path(word);
    if (!word.contains("/") && onPath(call, word)) {
      sayWhichIsTaken(call, word, path);
      return Optional.empty();
    }
    if (Files.isDirectory(path)) {
      if (word.contains("/")) {
        throw new Refused(word + " is a directory, not a script or program");
      }
      return Optional.empty();
    }
    if (!Files.isRegularFile(path)) {
      return missing(call, word);
    }
    if (isProgram(path, word)) {
      return Optional.empty();
    }
    byte[] text = UserFiles.bytes(path, word);
    check(text, word);
    return Optional.of(text);
  }

  /** A program may come later, from a job before it; a script must be there to be copied. */
  private static Optional<byte[]> missing(Call call, String word) throws Refused {
    boolean script = SHELL_ENDS.stream().anyMatch(word::endsWith);
    if (script) {
      throw new Refused(
          "there is no script " + word + " in " + call.invocation().origin().folder());
    }
    return Optional.empty();
  }

  private static boolean onPath(Call call, String word) {
    String path = call.variable("PATH").orElse("/usr/bin:/bin");
    return Arrays.stream(path.split(":", -1))
        .map(folder -> call.path(folder).resolve(word))
        .anyMatch(file -> Files.isExecutable(file) && !Files.isDirectory(file));
  }

  private static void sayWhichIsTaken(Call call, String word, Path here) {
    if (call.invocation().terminal().stderrIsTerminal() && Files.isRegularFile(here)) {
      call.problem("runs the program " + word + " of PATH; write ./" + word + " for the file here");
    }
  }

  private static boolean isProgram(Path path, String word) throws Refused {
    byte[] head = head(path, word);
    if (head.length >= ELF.length && Arrays.equals(ELF, Arrays.copyOf(head, ELF.length))) {
      return true;
    }
    if (!holds(head, (byte) 0)) {
      return false;
    }
    if (Files.isExecutable(path)) {
      return true;
    }
    throw new Refused(word + " is binary and not executable: neither a script nor a program");
  }

  private static byte[] head(Path path, String word) throws Refused {
    try (InputStream in = Files.newInputStream(path)) {
      return in.readNBytes(HEAD);
    } catch (IOException e) {
      throw new Refused(word + ": " + UserFiles.why(e));
    }
  }

  private static boolean holds(byte[] bytes, byte wanted) {
    for (byte one : bytes) {
      if (one == wanted) {
        return true;
      }
    }
    return false;
  }

  /** What a shell would stumble over, of a script from a file or from stdin. */
  static void check(byte[] text, String name) throws Refused {
    if (holds(text, (byte) 0)) {
      throw new Refused(name + " is binary, not a script");
    }
    if (blank(text)) {
      throw new Refused(name + " is empty: there is nothing to run");
    }
    if (firstLineEndsWithReturn(text)) {
      throw new Refused(
          name
              + " line 1: Windows line end (CRLF), which a shell cannot read; run: sed -i 's/\\r"
              + "$//' "
              + name);
    }
    boolean shebang = text.length > 1 && text[0] == '#' && text[1] == '!';
    if (shebang) {
      checkReader(text, name);
    }
    if (!shebang && OTHER_ENDS.stream().anyMatch(name::endsWith)) {
      throw new Refused(
          name
              + " has no #! line, so a shell would run it; write gbatch python "
              + name
              + " or the like");
    }
  }

  /** The job runs on this machine, so whoever is to read the script must be here. */
  private static void checkReader(byte[] text, String name) throws Refused {
    String line = new String(text, StandardCharsets.UTF_8).lines().findFirst().orElse("");
    String reader = line.substring(2).strip().split("\\s", -1)[0];
    if (!reader.startsWith("/")) {
      throw new Refused(
          name + " line 1: " + line + " does not name a program by its path; write #!/bin/bash");
    }
    if (!Files.isExecutable(Path.of(reader))) {
      throw new Refused(
          name + " line 1: there is no program " + reader + "; write #!/bin/bash or the like");
    }
  }

  private static boolean blank(byte[] text) {
    for (byte one : text) {
      if (one > ' ' || one < 0) {
        return false;
      }
    }
    return true;
  }

  private static boolean firstLineEndsWithReturn(byte[] text) {
    for (int i = 1; i < text.length; i++) {
      if (text[i] == '\n') {
        return text[i - 1] == '\r';
      }
    }
    return false;
  }
}
