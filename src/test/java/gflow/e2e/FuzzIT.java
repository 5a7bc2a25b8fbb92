package gflow.e2e;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static org.assertj.core.api.Assertions.assertThat;

import gflow.cli.Commands;
import gflow.fuzz.Lines;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** A thousand wrong calls through the door of the packed program. */
class FuzzIT {
  private final Lab lab = new Lab();

  @AfterEach
  void close() {
    lab.close();
  }

  private static String read(Path file) throws IOException {
    return Files.readString(file, ISO_8859_1);
  }

  @Test
  void wrong_calls_and_knocks_are_answered_and_the_daemon_lives() throws Exception {
    lab.up();
    String pid = pid();
    var random = new Random(Long.getLong("fuzz.seed", 1));
    var lines = new Lines(random, new Commands("x", Path.of("/bin/false")).grammars());
    var bad = new ArrayList<String>();
    for (int i = 0; i < Integer.getInteger("fuzz.door", 1000); i++) {
      if (i % 4 == 3) {
        knock(lines.rubbish());
        continue;
      }
      List<String> call = lines.held();
      Lab.Said said = lab.run(call.toArray(String[]::new));
      String all = said.out() + said.err();
      boolean known = said.code() <= 3 || said.code() == 255;
      if (!known || all.matches("(?s).*(\\tat |Exception|internal error).*")) {
        bad.add(call + ": " + said);
      }
    }
    assertThat(bad).isEmpty();
    assertThat(pid()).isEqualTo(pid);
    assertThat(Files.readString(lab.home().resolve("gflowd.log"))).doesNotContain("\tat ");
    lab.run("gflowd", "down", "--cancel");
  }

  private String pid() throws IOException {
    return read(lab.home().resolve("run/door/daemon")).replaceFirst("(?s) .*", "");
  }

  /** What no launcher writes. */
  private void knock(byte[] rubbish) throws IOException {
    Files.write(lab.home().resolve("run/door/knock"), rubbish, StandardOpenOption.WRITE);
  }

  /**
   * Through the door, and, of several tasks, by the JVM client; the shell writes the byte, for Java
   * cannot.
   */
  @Test
  void arguments_that_are_no_utf8_reach_the_program_byte_by_byte() throws Exception {
    lab.up();
    Path out = lab.work().resolve("out");
    shell("gbatch --wait -o out.log sh -c 'printf %s \"$1\" >out' x \"$(printf 'a\\377b')\"");
    assertThat(read(out)).isEqualTo("a\u00FFb");
    shell("grun -n 2 sh -c 'printf %s \"$1\" >out.$SLURM_PROCID' x \"$(printf 'a\\377b')\"");
    assertThat(read(lab.work().resolve("out.1"))).isEqualTo("a\u00FFb");
    Files.delete(out);
    shell("grun sh -c 'printf %s \"$1\" >out' x \"$(printf 'a\\377b')\"");
    assertThat(read(out)).isEqualTo("a\u00FFb");
    assertThat(shell("gbatch --name \"$(printf 'a\\377b')\" true 2>&1 || true"))
        .contains("--name has bytes in it that are no UTF-8");
    lab.run("gflowd", "down", "--cancel");
  }

  private String shell(String line) throws Exception {
    Lab.Said said = lab.run("sh", "-c", line);
    assertThat(said.code()).as(line + ": " + said).isZero();
    return said.out();
  }
}
