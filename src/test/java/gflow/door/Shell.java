package gflow.door;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;

/** Runs shell text with links to the launcher on PATH; the text goes by a file, byte for byte. */
final class Shell {
  private static final List<String> LINKS =
      List.of("gflow", "gflowd", "gbatch", "gqueue", "gcancel", "ginfo", "gjob", "gctl", "gstats");

  record Result(int code, byte[] outBytes, String err) {
    String out() {
      return new String(outBytes, UTF_8);
    }
  }

  private final Path root;
  private int scripts;

  Shell(Path root) throws IOException {
    this.root = root;
    var bin = Files.createDirectories(root.resolve("bin"));
    for (String link : LINKS) {
      Files.createSymbolicLink(bin.resolve(link), Path.of("gflow").toAbsolutePath());
    }
    // A launcher that finds no door would build the program.
    Files.writeString(bin.resolve("mvn"), "#!/bin/sh\nexit 1\n");
    assertTrue(bin.resolve("mvn").toFile().setExecutable(true));
  }

  Path door() {
    return root.resolve("home/run/door");
  }

  Process start(String text) throws IOException {
    int number = ++scripts;
    var script = root.resolve("script" + number);
    Files.writeString(script, text);
    var builder = new ProcessBuilder("sh", script.toString());
    builder.directory(root.toFile());
    builder.environment().put("PATH", root.resolve("bin") + ":" + System.getenv("PATH"));
    builder.environment().put("GFLOW_HOME", root.resolve("home").toString());
    builder.redirectInput(Path.of("/dev/null").toFile());
    builder.redirectOutput(root.resolve("out" + number).toFile());
    builder.redirectError(root.resolve("err" + number).toFile());
    return builder.start();
  }

  Result run(String text) throws IOException, InterruptedException {
    int number = scripts + 1;
    return result(start(text), number);
  }

  Result result(Process process, int number) throws IOException, InterruptedException {
    if (!process.waitFor(60, TimeUnit.SECONDS)) {
      process.destroyForcibly();
      throw new AssertionError("no answer: " + Files.readString(root.resolve("script" + number)));
    }
    return new Result(
        process.exitValue(),
        Files.readAllBytes(root.resolve("out" + number)),
        Files.readString(root.resolve("err" + number)));
  }
}
