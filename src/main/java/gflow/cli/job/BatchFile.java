package gflow.cli.job;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static java.nio.charset.StandardCharsets.UTF_8;

import gflow.cli.frame.Call;
import gflow.cli.frame.Refused;
import gflow.cli.frame.UserFiles;
import gflow.cli.step.StepPrograms;
import gflow.script.order.ScriptFault;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;

/** Tells whether a word is a script, and reads it; what cannot run is refused before it waits. */
final class BatchFile {
  private static final int HEAD = 8192;
  private static final String ELF = "\177ELF";
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
    if (!word.contains("/") && StepPrograms.onPath(call, call.path(""), word).isPresent()) {
      sayWhichIsTaken(call, word, path);
      return Optional.empty();
    }
    if (Files.isDirectory(path) && word.contains("/")) {
      throw new Refused(word + " is a directory, not a script or program");
    }
    if (!Files.isRegularFile(path)) {
      return missing(call, word, Files.isDirectory(path));
    }
    if (isProgram(path, word)) {
      return Optional.empty();
    }
    byte[] text = UserFiles.bytes(path, word);
    check(text, word);
    return Optional.of(text);
  }

  /** A program may come later, from a job before it; a script must be there to be copied. */
  private static Optional<byte[]> missing(Call call, String word, boolean folder) throws Refused {
    if (!folder && SHELL_ENDS.stream().anyMatch(word::endsWith)) {
      throw new Refused("there is no script " + word + " in " + call.folder());
    }
    return Optional.empty();
  }

  private static void sayWhichIsTaken(Call call, String word, Path here) {
    if (call.invocation().terminal().stderrIsTerminal() && Files.isRegularFile(here)) {
      call.problem("runs the program " + word + " of PATH; write ./" + word + " for the file here");
    }
  }

  private static boolean isProgram(Path path, String word) throws Refused {
    String head = head(path, word);
    if (head.startsWith(ELF)) {
      return true;
    }
    boolean text = head.indexOf('\0') < 0;
    if (!text && !Files.isExecutable(path)) {
      throw new Refused(word + " is binary and not executable: neither a script nor a program");
    }
    return !text;
  }

  private static String head(Path path, String word) throws Refused {
    try (InputStream in = Files.newInputStream(path)) {
      return new String(in.readNBytes(HEAD), ISO_8859_1);
    } catch (IOException e) {
      throw new Refused(word + ": " + UserFiles.why(e));
    }
  }

  /** What a shell would stumble over, of a script from a file or from stdin. */
  static void check(byte[] text, String name) throws Refused {
    List<ScriptFault> faults = ScriptFault.of(text);
    if (faults.equals(List.of(ScriptFault.NO_READER))) {
      checkKind(name);
      return;
    }
    if (!faults.isEmpty()) {
      throw new Refused(faults.getFirst().line(name, text));
    }
    checkReader(text, name);
  }

  /** Without a reader the daemon refuses it; here is known what was meant. */
  private static void checkKind(String name) throws Refused {
    if (OTHER_ENDS.stream().anyMatch(name::endsWith)) {
      throw new Refused(
          "%s has no #! line, so a shell would run it; write gbatch python %s or the like"
              .formatted(name, name));
    }
  }

  /** The job runs on this machine, so whoever is to read the script must be here. */
  private static void checkReader(byte[] text, String name) throws Refused {
    String line = new String(text, UTF_8).lines().findFirst().orElse("");
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
}
