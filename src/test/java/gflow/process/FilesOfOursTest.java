package gflow.process;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Locks, pipes and CPUs. */
class FilesOfOursTest implements Trial {
  @TempDir Path folder;

  @Test
  void a_lock_has_one_holder_at_a_time() throws Exception {
    var path = folder.resolve("lock");
    int mine = FileLock.tryLock(path).orElseThrow();
    assertThat(FileLock.tryLock(path)).isEmpty();
    FileLock.close(mine);
    int again = FileLock.tryLock(path).orElseThrow();
    FileLock.close(again);
    assertThatThrownBy(() -> FileLock.tryLock(folder.resolve("no/lock")))
        .isInstanceOf(IOException.class)
        .hasMessageEndingWith("No such file or directory");
    Files.createSymbolicLink(folder.resolve("link"), path);
    assertThatThrownBy(() -> FileLock.tryLock(folder.resolve("link")))
        .isInstanceOf(IOException.class);
  }

  @Test
  void a_pipe_has_the_mode_asked_for_and_never_ends() throws Exception {
    var path = folder.resolve("in");
    Fifo.make(path, 0622);
    assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(path)))
        .isEqualTo("rw--w--w-");
    int in = Fifo.open(path);
    for (String knock : List.of("1234\n", "5\n")) {
      Trial.run(Trial.sh(folder, "echo " + knock.strip() + " > in"));
      var buffer = new byte[100];
      int got = Fifo.read(in, buffer);
      assertThat(new String(Arrays.copyOf(buffer, got), UTF_8)).isEqualTo(knock);
    }
    Fifo.close(in);
  }

  @Test
  void a_reader_that_is_gone_is_told() throws Exception {
    var path = folder.resolve("reply");
    Fifo.make(path, 0600);
    int reader = Fifo.open(path);
    try (var writer = Descriptor.toWrite(path.toString())) {
      assertThat(writer.write(new byte[] {1}, 0)).isEqualTo(1);
      assertThat(writer.deserted()).isFalse();
      Fifo.close(reader);
      assertThat(writer.write(new byte[] {2}, 0)).isEqualTo(-1);
      assertThat(writer.deserted()).isTrue();
    }
  }

  @Test
  void a_process_is_bound_to_cpus() throws Exception {
    var all = Affinity.get(0);
    assertThat(all).hasSize(Runtime.getRuntime().availableProcessors());
    long pid = Launcher.best().spawn(Trial.sh(folder, "exec sleep 1000"));
    try (var watch = new ProcessWatch()) {
      var end = Trial.ended(watch, pid);
      assertThat(Affinity.set(pid, List.of(all.getLast()))).isTrue();
      assertThat(Affinity.get(pid)).containsExactly(all.getLast());
      assertThat(Affinity.set(pid, List.of(8000))).isFalse();
      Signals.send(pid, Signals.KILL);
      end.get();
    }
    assertThat(Affinity.get(pid)).isEmpty();
    assertThat(Affinity.set(pid, all)).isFalse();
  }
}
