package gflow.map.run;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import gflow.json.Json;
import gflow.map.items.CommandTemplate;
import gflow.map.items.Item;
import gflow.map.plan.MapPlan;
import gflow.map.results.ItemOutcome;
import gflow.map.results.MapFolder;
import gflow.map.results.ResultWriter;
import gflow.map.results.Try;
import gflow.process.BrokenCalls;
import gflow.process.Launcher;
import gflow.process.ProcessWatch;
import gflow.process.Spawn;
import gflow.process.SpawnException;
import gflow.process.Subreaper;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.OptionalLong;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.Isolated;

/** Real processes on slots. */
@Timeout(60)
@Isolated("its broken calls are those of the whole process")
class RunnerTest {
  @TempDir Path top;
  private ProcessWatch watch;
  private Launcher launcher = Launcher.best();
  private MapFolder folder;
  private final List<String> told = new ArrayList<>();
  private int perGpu = 1;
  private Runner.Delivery delivery = (done, _) -> done.outcome();

  @BeforeEach
  void open() throws IOException {
    Subreaper.become();
    watch = new ProcessWatch();
    folder = new MapFolder(top.resolve("map"));
    Files.createDirectories(folder.logs());
  }

  @AfterEach
  void close() {
    watch.close();
  }

  /** A shell line for each item, which it finds in {@code $item}. */
  private CommandBuilder commands(String line) {
    List<String> words = List.of("/bin/sh", "-c", "item=$GFLOW_ITEM gpu=$GFLOW_GPU; " + line);
    var template = CommandTemplate.of(words, Item.of(0, "a"), 1, false);
    return new CommandBuilder(template, top.toString(), "PATH=/bin:/usr/bin\0".getBytes(UTF_8));
  }

  private final class Told extends Silent {
    @Override
    public void again(Try work, ItemOutcome outcome, Instant at) {
      told.add("again " + work.item().text() + ": " + outcome.cause());
    }

    @Override
    public void disk(Optional<String> problem) {
      told.add("disk " + problem);
    }

    @Override
    public void lost(long results) {
      told.add("lost " + results);
    }

    @Override
    public void left(String gpu) {
      told.add("left " + gpu);
    }
  }

  private Runner runner(
      String line, Dealer.Rules rules, Optional<Duration> timeout, String... items)
      throws IOException {
    return runner(line, rules, timeout, Optional.empty(), items);
  }

  private Runner runner(
      String line,
      Dealer.Rules rules,
      Optional<Duration> timeout,
      Optional<String> check,
      String... items)
      throws IOException {
    var list = new ArrayList<Item>();
    for (int i = 0; i < items.length; i++) {
      list.add(Item.of(i, items[i]));
    }
    var clock = InstantSource.system();
    var care = new MapPlan.Care(timeout, 0, List.of(), Optional.empty(), check);
    var log = new RunLog(top.resolve("log"), clock);
    var tools = new SlotTools(launcher, watch, clock, folder, commands(line), care, log);
    return new Runner(
        new Dealer(list::iterator, _ -> false, list.size(), rules),
        new SlotBoard(perGpu, OptionalInt.empty()),
        (slot, bell) -> new ProcessExecutor(tools, slot, bell),
        delivery,
        new ResultWriter(folder.results()),
        clock,
        new Told());
  }

  private static void withoutGpus(Runner runner) throws IOException {
    runner.gpus(List.of(""), List.of(), 0);
  }

  @SuppressWarnings("unchecked")
  private Map<Integer, Map<String, Object>> results() throws Exception {
    var all = new TreeMap<Integer, Map<String, Object>>();
    for (String line : Files.readAllLines(folder.results())) {
      var result = (Map<String, Object>) Json.parse(line);
      assertThat(all.put(((Long) result.get("index")).intValue(), result)).isNull();
    }
    return all;
  }

  @Test
  void each_item_has_its_line_with_what_it_printed_and_how_it_ended() throws Exception {
    var runner =
        runner(
            "echo \"got $item on $gpu\"; echo oops >&2; [ $item != b ] || exit 3; [ $item != c ] ||"
                + " kill -9 $$",
            Dealer.Rules.PLAIN,
            Optional.empty(),
            "a",
            "b",
            "c");
    runner.gpus(List.of("0", "1"), List.of(), 0);
    runner.run();

    var results = results();
    assertThat(results).hasSize(3);
    assertThat(results.get(0))
        .containsEntry("status", "ok")
        .containsEntry("gpu", "0")
        .containsEntry("stdout", "got a on 0\n")
        .containsEntry("stderr", "oops\n");
    assertThat(results.get(1)).containsEntry("status", "failed").containsEntry("exit_code", 3L);
    assertThat(results.get(2)).containsEntry("signal", 9L).containsEntry("cause", "signal 9");
    assertThat(folder.logs()).as("files of slots go").isEmptyDirectory();
  }

  /** Without a free descriptor it cannot be started, or watched, or looked at. */
  @Test
  void an_item_ends_whichever_call_of_the_kernel_fails() throws Exception {
    for (int k = 1; k <= 40; k++) {
      folder = new MapFolder(top.resolve("map-" + k));
      Files.createDirectories(folder.logs());
      var runner =
          runner("echo $item", Dealer.Rules.PLAIN, Optional.of(Duration.ofSeconds(50)), "a");
      withoutGpus(runner);
      // A long fault is waited for, so there are few of them.
      try (var _ = BrokenCalls.from(k, k % 8 == 0 ? 12 : 1, 24 /* EMFILE */)) {
        runner.run();
      }

      assertThat(results().get(0)).as("call " + k).containsEntry("status", "ok");
    }
  }

  /** A launcher with a bug that only one item meets. */
  private record Buggy(Launcher real, String item) implements Launcher {
    @Override
    public long spawn(Spawn spawn) throws SpawnException {
      if (new String(spawn.environment(), UTF_8).contains("GFLOW_ITEM=" + item)) {
        throw new IllegalStateException("a bug");
      }
      return real.spawn(spawn);
    }
  }

  @Test
  void an_item_whose_start_meets_a_bug_has_failed_and_its_slot_goes_on() throws Exception {
    launcher = new Buggy(launcher, "a");
    var runner = runner("true", Dealer.Rules.PLAIN, Optional.empty(), "a", "b");
    withoutGpus(runner);
    runner.run();

    assertThat(results().get(0)).containsEntry("status", "failed");
    assertThat((String) results().get(0).get("cause")).contains("a bug");
    assertThat(results().get(1)).containsEntry("status", "ok");
  }

  /** What ends on the thread of a slot is heard of on the runner's. */
  @Test
  void a_bug_in_the_middle_of_a_turn_ends_the_run() throws Exception {
    delivery =
        (_, _) -> {
          throw new IllegalStateException("a bug");
        };
    perGpu = 2;
    var runner = runner("sleep 0.1", Dealer.Rules.PLAIN, Optional.empty(), "a", "b", "c");
    withoutGpus(runner);

    assertThatThrownBy(runner::run).hasStackTraceContaining("a bug");
    assertThat(results()).isEmpty();
  }

  @Test
  void what_an_item_leaves_behind_and_what_takes_too_long_is_killed_whole() throws Exception {
    var runner =
        runner(
            "if [ $item = slow ]; then trap '' TERM; sleep 300 & echo $! >slow; wait; fi;"
                + " setsid sleep 300 & echo $! >left; env -i sleep 300 & echo $! >bare",
            Dealer.Rules.PLAIN,
            Optional.of(Duration.ofSeconds(2)),
            "quick",
            "slow");
    withoutGpus(runner);
    long before = System.nanoTime();
    runner.run();

    assertThat(results().get(0)).containsEntry("status", "ok");
    assertThat(results().get(1)).containsEntry("cause", "timeout after 2 s");
    assertThat(Duration.ofNanos(System.nanoTime() - before)).isLessThan(Duration.ofSeconds(20));
    for (String name : List.of("left", "bare", "slow")) {
      long pid = Long.parseLong(Files.readString(top.resolve(name)).strip());
      assertThat(ProcessHandle.of(pid).filter(ProcessHandle::isAlive)).as(name).isEmpty();
    }
  }

  @Test
  void one_that_fails_is_tried_again_and_one_that_is_not_valid_has_failed() throws Exception {
    var rules = new Dealer.Rules(1, Duration.ofMillis(10), OptionalLong.empty(), 0);
    perGpu = 2;
    var runner =
        runner(
            "echo $item; [ $item != flaky ] || [ -e once ] || { touch once; exit 1; }",
            rules,
            Optional.empty(),
            Optional.of("! grep -q nan"),
            "flaky",
            "nan",
            "12.5");
    withoutGpus(runner);
    runner.run();

    assertThat(results().get(0)).containsEntry("status", "ok").containsEntry("attempts", 2L);
    assertThat(results().get(1))
        .containsEntry("cause", "check: exit code 1")
        .containsEntry("attempts", 2L);
    assertThat(results().get(2)).containsEntry("status", "ok");
    assertThat(told).contains("again flaky: exit code 1", "again nan: check: exit code 1");
  }

  /** Its failure is seen on the thread of its slot, and its pause ends on the runner's. */
  @Test
  void one_that_fails_is_tried_again_though_nothing_else_happens() throws Exception {
    var rules = new Dealer.Rules(1, Duration.ofMillis(100), OptionalLong.empty(), 0);
    var runner = runner("[ -e once ] || { touch once; exit 1; }", rules, Optional.empty(), "a");
    withoutGpus(runner);
    runner.run();

    assertThat(results().get(0)).containsEntry("status", "ok").containsEntry("attempts", 2L);
  }

  @Test
  void much_output_is_kept_in_a_file_of_its_own() throws Exception {
    var runner =
        runner("seq $item; echo last", Dealer.Rules.PLAIN, Optional.empty(), "100000", "3");
    withoutGpus(runner);
    runner.run();

    Map<String, Object> result = results().get(0);
    assertThat((String) result.get("stdout")).endsWith("100000\nlast\n").hasSizeLessThan(20000);
    assertThat(top.resolve("map").resolve((String) result.get("output_file")))
        .hasSize(588895 + "last\n".length());
    assertThat(results().get(1)).containsEntry("stdout", "1\n2\n3\nlast\n");
  }

  @Test
  void a_gpu_that_is_wanted_back_is_left_after_the_item_that_runs_there() throws Exception {
    var items = new String[40];
    java.util.Arrays.fill(items, "0.05");
    var runner = runner("sleep $item", Dealer.Rules.PLAIN, Optional.empty(), items);
    runner.gpus(List.of("0", "1"), List.of(), 0);
    runner.tell(new Runner.Event.Gpus(List.of("0", "1"), List.of("1"), 1));
    runner.tell(new Runner.Event.Gpus(List.of("0"), List.of(), 0));
    runner.run();

    assertThat(told).containsExactly("left 1");
    assertThat(results().values().stream().filter(r -> r.get("gpu").equals("1"))).hasSize(1);
    assertThat(results()).hasSize(40);
  }

  @Test
  void a_gpu_that_is_wanted_back_before_anything_runs_there_is_left_at_once() throws Exception {
    var runner = runner("sleep 0.1", Dealer.Rules.PLAIN, Optional.empty(), "a", "b", "c", "d");
    runner.gpus(List.of("0"), List.of(), 0);
    runner.tell(new Runner.Event.Gpus(List.of("0", "1", "2"), List.of("1", "2"), 1));
    runner.run();

    assertThat(told).containsExactly("left 1");
    assertThat(results()).hasSize(4);
  }

  @Test
  void who_is_told_to_end_at_once_does_not_wait_for_room() throws Exception {
    var full = new CompletableFuture<Runner>();
    delivery =
        (_, _) -> {
          full.join().tell(new Runner.Event.Stop(true));
          throw new IOException("No space left on device");
        };
    var runner = runner("true", Dealer.Rules.PLAIN, Optional.empty(), "a", "b");
    full.complete(runner);
    withoutGpus(runner);
    runner.run();

    assertThat(told).containsExactly("disk Optional[No space left on device]", "lost 1");
    assertThat(results()).isEmpty();
  }

  @Test
  void a_stop_finishes_what_runs_and_a_kill_gives_it_up() throws Exception {
    var runner = runner("sleep 0.3", Dealer.Rules.PLAIN, Optional.empty(), "a", "b", "c");
    withoutGpus(runner);
    runner.tell(new Runner.Event.Stop(false));
    runner.run();
    assertThat(results()).hasSize(1);

    Files.delete(folder.results());
    perGpu = 2;
    var killed = runner("sleep 300", Dealer.Rules.PLAIN, Optional.empty(), "a", "b", "c");
    withoutGpus(killed);
    killed.tell(new Runner.Event.Stop(true));
    killed.run();
    assertThat(results()).isEmpty();
  }
}
