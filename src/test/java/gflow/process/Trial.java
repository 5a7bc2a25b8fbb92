package gflow.process;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;

/** Real processes for tests: starts them, waits for them, and sees that none is left. */
interface Trial {
  List<String> PATH = List.of("PATH=/usr/bin:/bin");

  @BeforeAll
  static void adoptOrphans() {
    Subreaper.become();
  }

  @AfterAll
  static void nothing_is_left_behind() {
    long self = ProcessHandle.current().pid();
    long session = Proc.stat(self).orElseThrow().session();
    Children.orphans();
    assertThat(Proc.children(self).stream().flatMap(pid -> Proc.stat(pid).stream()))
        .filteredOn(stat -> stat.session() != session)
        .isEmpty();
  }

  /** A shell script that writes both outputs to {@code out} in the folder. */
  static Spawn sh(Path folder, String script, String... arguments) {
    return sh(folder, PATH, script, arguments);
  }

  static Spawn sh(Path folder, List<String> env, String script, String... arguments) {
    var argv = new java.util.ArrayList<>(List.of("/bin/sh", "-c", script, "sh"));
    argv.addAll(List.of(arguments));
    return new Spawn(
        argv,
        environment(env),
        folder.toString(),
        new Stdio.Null(),
        new Stdio.Write(folder.resolve("out").toString(), false, 0600),
        new Stdio.SameAsStdout(),
        List.of());
  }

  /** The block of these entries, each {@code NAME=value}. */
  static byte[] environment(List<String> entries) {
    return String.join("", entries.stream().map(entry -> entry + "\0").toList()).getBytes(UTF_8);
  }

  /** Starts it and waits for its end. */
  static ProcessEnd run(Launcher launcher, Spawn spawn) throws Exception {
    try (var watch = new ProcessWatch()) {
      return ended(watch, launcher.spawn(spawn)).get(30, TimeUnit.SECONDS);
    }
  }

  static ProcessEnd run(Spawn spawn) throws Exception {
    return run(Launcher.best(), spawn);
  }

  static CompletableFuture<ProcessEnd> ended(ProcessWatch watch, long pid) {
    var end = new CompletableFuture<ProcessEnd>();
    watch.child(pid, end::complete);
    return end;
  }

  /** Waits for what another process will do; fails after half a minute. */
  static void until(java.util.function.BooleanSupplier condition) {
    for (int i = 0; i < 6000; i++) {
      if (condition.getAsBoolean()) {
        return;
      }
      Pause.millis(5);
    }
    throw new AssertionError("it did not happen");
  }
}
