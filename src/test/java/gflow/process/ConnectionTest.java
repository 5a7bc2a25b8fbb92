package gflow.process;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

class ConnectionTest {
  private final LinkedBlockingQueue<String> said = new LinkedBlockingQueue<>();

  private String next() throws InterruptedException {
    return String.valueOf(said.poll(30, TimeUnit.SECONDS));
  }

  private static void write(Descriptor.Connection to, String text) {
    byte[] bytes = text.getBytes(UTF_8);
    assertThat(Libc.write(to.theirs(), bytes, 0, bytes.length)).isEqualTo(bytes.length);
  }

  @Test
  void what_comes_is_told_and_then_its_end_once() throws Exception {
    var connection = Descriptor.connection();
    try (var watch = new ProcessWatch()) {
      watch.read(connection.ours(), bytes -> said.add(new String(bytes, UTF_8)));

      write(connection, "one");
      assertThat(next()).isEqualTo("one");
      write(connection, "two");
      assertThat(next()).isEqualTo("two");
      connection.closeTheirs();
      assertThat(next()).as("the end").isEmpty();
    }
    assertThat(said).isEmpty();
    connection.ours().close();
  }

  @Test
  void who_wants_no_more_hears_no_more_and_the_others_still_do() throws Exception {
    var first = Descriptor.connection();
    var second = Descriptor.connection();
    try (var watch = new ProcessWatch()) {
      watch.read(first.ours(), bytes -> !said.add("first"));
      watch.read(second.ours(), bytes -> said.add("second"));

      write(first, "a");
      assertThat(next()).isEqualTo("first");
      write(first, "b");
      write(second, "c");
      assertThat(next()).isEqualTo("second");
    }
    for (var each : new Descriptor.Connection[] {first, second}) {
      each.closeTheirs();
      each.ours().close();
    }
  }

  @Test
  void signals_are_read_by_their_numbers() {
    var bytes = new byte[2 * 128 + 5];
    bytes[0] = Signals.USR1;
    bytes[128] = Signals.TERM;

    assertThat(Signals.read(bytes)).containsExactly(Signals.USR1, Signals.TERM);
  }
}
