package gflow;

import static org.assertj.core.api.Assertions.assertThat;

import gflow.cli.frame.Invocation;
import gflow.cli.frame.Output;
import gflow.job.Owner;
import gflow.script.order.Order.Origin;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.InstantSource;
import java.time.ZoneOffset;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class WaitForTest {
  @TempDir Path folder;
  private final StringBuilder said = new StringBuilder();

  private int run(String... words) {
    var origin = new Origin(new Owner(0, 0, "ann"), folder.toString(), new byte[0], 022, List.of());
    var call =
        new Invocation(
            "gflow",
            List.of(),
            origin,
            Invocation.Terminal.NONE,
            InputStream::nullInputStream,
            new Invocation.Clock(InstantSource.system(), ZoneOffset.UTC),
            Optional.empty());
    var output =
        new Output() {
          @Override
          public void out(String text) {
            said.append(text);
          }

          @Override
          public void err(String text) {
            said.append(text);
          }

          @Override
          public boolean flush() {
            return true;
          }
        };
    return new WaitFor(call, output).run(List.of(words));
  }

  @Test
  void all_must_be_there() throws IOException {
    Files.writeString(folder.resolve("a"), "");
    Files.writeString(folder.resolve("out"), "up\n");
    assertThat(run("file:a", "log:up", "--log=out", "--timeout=1s")).isZero();
    assertThat(said.toString()).isEmpty();
    assertThat(run("file:a", "file:b", "--timeout=0s")).isOne();
    assertThat(said.toString()).isEqualTo("gflow wait-for: after 0s there is no file:b\n");
  }

  @Test
  void the_end_of_the_server_is_the_end_of_waiting() throws Exception {
    Process server = new ProcessBuilder("true").start();
    String pid = "" + server.pid();
    server.waitFor();
    assertThat(run("file:b", "--pid", pid)).isOne();
    assertThat(said.toString())
        .isEqualTo("gflow wait-for: process " + pid + " has ended, and there is no file:b\n");
  }

  @Test
  void what_it_did_before_its_end_counts() throws Exception {
    Process server =
        new ProcessBuilder("sh", "-c", "sleep 0.2; : >b").directory(folder.toFile()).start();
    assertThat(run("file:b", "--pid", "" + server.pid())).isZero();
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '"',
      value = {
        "|say what to wait for: unix:PATH, tcp:PORT, http://HOST:PORT/, file:PATH or log:REGEX",
        "log:up|log: is for the job's own log; outside a job add --log FILE",
        "file:a --timeout=30|--timeout 30: say of what; write 30s or 30m",
        "file:a --pid=server|--pid 'server' is no process; write --pid $!",
        "file:a --tmeout=1s|there is no option --tmeout; did you mean --timeout? (gflow wait-for"
            + " --help lists them)"
      })
  void wrong_words_are_said_in_one_line(String words, String line) {
    assertThat(run(words == null ? new String[0] : words.split(" "))).isEqualTo(2);
    assertThat(said.toString()).isEqualTo("gflow wait-for: " + line + "\n");
  }
}
