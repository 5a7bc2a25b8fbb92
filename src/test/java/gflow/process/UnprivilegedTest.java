package gflow.process;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.File;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The same as an ordinary user, who can write no cgroup and look at no process of others. */
class UnprivilegedTest {
  private static final int NOBODY = 65534;

  @Test
  void every_thicket_ends_whole_for_an_ordinary_user(@TempDir Path folder) throws Exception {
    var status = Proc.status(ProcessHandle.current().pid()).orElseThrow();
    var setpriv = new File("/usr/bin/setpriv");
    assumeTrue(status.uid() != 0 || setpriv.canExecute(), "skipped: root without setpriv");
    open(folder);
    var work = open(Files.createDirectory(folder.resolve("work")));
    var command = new ArrayList<String>();
    if (status.uid() == 0) {
      String id = "" + NOBODY;
      command.addAll(List.of("" + setpriv, "--reuid", id, "--regid", id, "--clear-groups"));
    }
    // Copied: an ordinary user may not be able to read where we were built.
    var classes = copyClasses(Files.createDirectory(folder.resolve("classes")));
    command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    command.addAll(List.of("--enable-native-access=ALL-UNNAMED", "-XX:+UseSerialGC", "-Xmx64m"));
    command.addAll(List.of("-cp", classes.toString()));
    command.addAll(List.of("gflow.process.UnprivilegedMain", work.toString()));
    var process = new ProcessBuilder(command).redirectErrorStream(true).start();
    var said = new String(process.getInputStream().readAllBytes(), UTF_8).lines().toList();

    var expected = new ArrayList<String>();
    expected.add("uid " + (status.uid() == 0 ? NOBODY : status.uid()));
    for (var thicket : Thicket.values()) {
      expected.add(thicket + " true true 0");
    }
    assertThat(said).isEqualTo(expected);
    assertThat(process.waitFor()).isZero();
  }

  private static Path open(Path folder) throws IOException {
    return Files.setPosixFilePermissions(folder, PosixFilePermissions.fromString("rwxrwxrwx"));
  }

  /** Of this package and what its tests are made of. */
  private static Path copyClasses(Path to) throws Exception {
    open(to);
    for (var type : List.of(Launcher.class, Trial.class)) {
      var from = Path.of(type.getProtectionDomain().getCodeSource().getLocation().toURI());
      if (Files.isDirectory(from)) {
        copyPackage(from.resolve("gflow/process"), to.resolve("gflow/process"));
      }
    }
    return to;
  }

  private static void copyPackage(Path from, Path to) throws IOException {
    Files.createDirectories(to);
    try (var files = Files.list(from)) {
      files.forEach(file -> copy(file, to.resolve(file.getFileName())));
    }
    for (var folder : List.of(to, to.getParent())) {
      open(folder);
    }
  }

  private static void copy(Path file, Path to) {
    try {
      Files.copy(file, to);
      Files.setPosixFilePermissions(to, PosixFilePermissions.fromString("rw-r--r--"));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
