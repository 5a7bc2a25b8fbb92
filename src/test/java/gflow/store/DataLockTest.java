package gflow.store;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import gflow.store.Store.StoreException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class DataLockTest {
  @TempDir Path temp;

  /** Takes the lock and holds it until it is killed. */
  static final class Holder {
    private Holder() {}

    public static void main(String[] args) throws Exception {
      try (var _ = DataLock.take(Path.of(args[0]))) {
        System.out.println("held");
        int end = System.in.read();
        System.out.println(end);
      }
    }
  }

  private static Process holder(Path folder) throws Exception {
    return new ProcessBuilder(
            Path.of(System.getProperty("java.home"), "bin", "java").toString(),
            "-cp",
            System.getProperty("java.class.path"),
            Holder.class.getName(),
            folder.toString())
        .redirectError(ProcessBuilder.Redirect.INHERIT)
        .start();
  }

  @Test
  void the_lock_names_its_process_and_can_be_taken_again() throws Exception {
    Path folder = temp.resolve("data");
    try (var lock = DataLock.take(folder)) {
      assertThat(Files.readString(folder.resolve("lock")).strip())
          .isEqualTo(Long.toString(ProcessHandle.current().pid()));
      assertThatThrownBy(() -> DataLock.take(folder))
          .isInstanceOf(StoreException.class)
          .hasMessage(
              "another gflowd (pid %d) uses %s",
              ProcessHandle.current().pid(), folder.toRealPath());
      assertThat(lock).isNotNull();
    }
    DataLock.take(folder).close();
  }

  @Test
  void another_process_is_refused_until_the_first_is_gone() throws Exception {
    Process first = holder(temp);
    try (var out = first.inputReader()) {
      assertThat(out.readLine()).startsWith("held");

      assertThatThrownBy(() -> DataLock.take(temp))
          .isInstanceOf(StoreException.class)
          .hasMessage("another gflowd (pid %d) uses %s", first.pid(), temp.toRealPath());
    } finally {
      first.destroyForcibly().waitFor();
    }
    DataLock.take(temp).close();
  }
}
