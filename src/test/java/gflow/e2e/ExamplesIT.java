package gflow.e2e;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Every script in examples does what its first lines say: {@code # $ } is how it is started, and
 * {@code # ends: } in which states its jobs end, where that is not COMPLETED.
 */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class ExamplesIT {
  private static final Path EXAMPLES = Path.of("examples");

  private Lab lab;

  @BeforeAll
  void start() throws IOException {
    lab = new Lab();
    lab.up();
    for (Path script : scripts()) {
      lab.write(lab.work().resolve(script), Files.readString(script));
    }
  }

  @AfterAll
  void end() {
    lab.close();
  }

  static List<Path> scripts() throws IOException {
    try (Stream<Path> files = Files.list(EXAMPLES)) {
      return files.filter(file -> file.toString().endsWith(".sh")).sorted().toList();
    }
  }

  @ParameterizedTest
  @MethodSource("scripts")
  void an_example_ends_as_it_says(Path script) throws IOException {
    String text = Files.readString(script);
    var before = states().keySet();
    List<String> lines = after(text, "# $ ");
    assertThat(lines).isNotEmpty();
    for (String line : lines) {
      lab.ok("bash", "-c", line);
    }
    lab.awaitIdle();

    Map<Long, String> mine = states();
    mine.keySet().removeAll(before);
    List<String> ends = after(text, "# ends: ");
    assertThat(new TreeSet<>(mine.values()))
        .containsExactlyInAnyOrder(ends.isEmpty() ? new String[] {"COMPLETED"} : words(ends));
  }

  @Test
  void an_array_and_a_sweep_give_each_task_its_own_values() {
    lab.ok("gbatch", "--wait", "examples/array.sh");
    long sweep = lab.ok("gbatch", "--wait", "examples/sweep.sh").id();
    assertThat(lab.ok("gjob", "log", sweep + "_5").out())
        .startsWith("training with lr=0.01 seed=3 on GPU ");
  }

  @Test
  void a_job_whose_time_is_up_saves_its_work() {
    assertThat(lab.run("gbatch", "--wait", "examples/time-limit.sh").code()).isEqualTo(124);
    assertThat(lab.ok("gjob", "log", "@").out()).contains("time is up, saving checkpoint.txt");
    assertThat(lab.work().resolve("checkpoint.txt")).exists();
  }

  @Test
  void tries_share_one_log() {
    lab.ok("gbatch", "--wait", "examples/retries.sh");
    assertThat(lab.ok("gjob", "log", "@").out())
        .isEqualTo("try 0\ntry 1\ntry 2\nthe third try works\n");
  }

  private Map<Long, String> states() {
    var states = new TreeMap<Long, String>();
    for (Map<String, Object> job : lab.jobs()) {
      states.put(((Number) job.get("job_id")).longValue(), (String) job.get("state"));
    }
    return states;
  }

  private static List<String> after(String text, String mark) {
    return text.lines()
        .filter(l -> l.startsWith(mark))
        .map(l -> l.substring(mark.length()))
        .toList();
  }

  private static String[] words(List<String> lines) {
    return String.join(" ", lines).split(" ");
  }
}
