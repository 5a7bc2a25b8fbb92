package gflow.map.run;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import gflow.json.Json;
import gflow.map.items.CommandTemplate;
import gflow.map.items.Item;
import gflow.map.plan.MapPlan;
import gflow.map.results.MapFolder;
import gflow.map.results.ResultWriter;
import gflow.process.Launcher;
import gflow.process.ProcessWatch;
import gflow.process.Subreaper;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.OptionalLong;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** A worker whose values are looked at by a program of their own. */
@Timeout(60)
class CheckedWorkerTest {
  /** Answers each item with what stands in it; {@code long} with a text of 200,000 letters. */
  private static final String WORKER =
      """
      while read -r line; do
        i=${line#*:} i=${i%%,*} v=${line#*item\\":\\"} v=${v%%\\"*}
        [ "$v" != slow ] || { touch begun; sleep 0.3; }
        [ "$v" != long ] || v=$(head -c 200000 /dev/zero | tr '\\0' x)
        echo "{\\"index\\":$i,\\"value\\":\\"$v\\"}"
      done
      """;

  @TempDir Path top;
  private ProcessWatch watch;
  private MapFolder folder;

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

  private Runner runner(String check, Optional<Duration> timeout, int retries, String... items)
      throws IOException {
    var list = new ArrayList<Item>();
    for (int i = 0; i < items.length; i++) {
      list.add(Item.of(i, items[i]));
    }
    var clock = InstantSource.system();
    byte[] environment = "PATH=/bin:/usr/bin\0".getBytes(UTF_8);
    var template = CommandTemplate.ofWorker(List.of("/bin/sh", "-c", WORKER));
    var tools =
        new SlotTools(
            Launcher.best(),
            watch,
            clock,
            folder,
            new CommandBuilder(template, top.toString(), environment),
            new MapPlan.Care(timeout, 0, List.of(), Optional.empty(), Optional.of(check)),
            new RunLog(folder.log(), clock));
    var worker = new MapPlan.Worker(OptionalInt.empty(), Duration.ofSeconds(20));
    var rules = new Dealer.Rules(retries, Duration.ofMillis(10), OptionalLong.empty(), 0);
    var runner =
        new Runner(
            new Dealer(list::iterator, _ -> false, list.size(), rules),
            new SlotBoard(1, OptionalInt.empty()),
            (slot, bell) -> new WorkerExecutor(tools, worker, slot, bell),
            (done, _) -> done.outcome(),
            new ResultWriter(folder.results()),
            clock,
            new Silent());
    runner.gpus(List.of(""), List.of(), 0);
    return runner;
  }

  @SuppressWarnings("unchecked")
  private Map<Long, Map<String, Object>> results() throws Exception {
    var all = new TreeMap<Long, Map<String, Object>>();
    for (String line : Files.readAllLines(folder.results())) {
      var result = (Map<String, Object>) Json.parse(line);
      assertThat(all.put((Long) result.get("index"), result)).isNull();
    }
    return all;
  }

  @Test
  void who_is_told_to_stop_finishes_what_it_does_and_not_what_it_was_given_in_advance()
      throws Exception {
    var items = new ArrayList<>(Collections.nCopies(30, "1"));
    items.addAll(Collections.nCopies(40, "slow"));
    Runner runner = runner("true", Optional.empty(), 0, items.toArray(String[]::new));
    var over = CompletableFuture.runAsync(() -> run(runner));
    // All answers before it are heard by then: the worker may be far ahead of who listens.
    while (!Files.exists(top.resolve("begun"))
        || Files.readAllLines(folder.results()).size() < 30) {
      Thread.sleep(2);
    }
    runner.tell(new Runner.Event.Stop(false));
    over.get(20, TimeUnit.SECONDS);

    assertThat(results()).hasSizeBetween(30, 33);
  }

  private static void run(Runner runner) {
    try {
      runner.run();
    } catch (IOException | InterruptedException e) {
      throw new IllegalStateException(e);
    }
  }

  @Test
  void a_value_comes_as_json_and_one_that_is_no_good_is_tried_again_and_has_failed()
      throws Exception {
    runner("grep -qx '\"[0-9.]*\"'", Optional.empty(), 1, "12.5", "nan", "7").run();

    assertThat(results().get(0L)).containsEntry("status", "ok").containsEntry("value", "12.5");
    assertThat(results().get(1L))
        .containsEntry("cause", "check: exit code 1")
        .containsEntry("attempts", 2L)
        .doesNotContainKey("value");
    assertThat(results().get(2L)).containsEntry("status", "ok");
  }

  @Test
  void a_long_value_is_read_whole_and_one_that_nobody_reads_blocks_nothing() throws Exception {
    String check =
        "case $GFLOW_ITEM_INDEX in 0) [ $(wc -c) = 200003 ] ;;"
            + " 1) until [ -e two ]; do sleep 0.02; done ;; 2) : >two ;; esac";
    runner(check, Optional.empty(), 0, "long", "long", "a").run();

    assertThat(results().values()).hasSize(3).allMatch(line -> line.get("status").equals("ok"));
  }

  @Test
  void the_worker_goes_on_while_values_are_looked_at() throws Exception {
    long before = System.nanoTime();
    runner("sleep 1; cat >/dev/null", Optional.empty(), 0, "a", "b", "c", "d").run();

    assertThat(results()).hasSize(4);
    assertThat(Duration.ofNanos(System.nanoTime() - before)).isLessThan(Duration.ofMillis(2500));
  }

  @Test
  void the_time_limit_of_the_item_counts_and_all_of_the_check_is_killed() throws Exception {
    String stuck =
        "grep -q quick || { trap '' TERM; setsid sleep 300 & echo $! >left; sleep 300; }";
    runner(stuck, Optional.of(Duration.ofSeconds(1)), 0, "slow", "quick").run();

    assertThat(results().get(0L)).containsEntry("cause", "timeout after 1 s");
    assertThat(results().get(1L)).containsEntry("status", "ok");
    long pid = Long.parseLong(Files.readString(top.resolve("left")).strip());
    assertThat(ProcessHandle.of(pid).filter(ProcessHandle::isAlive)).isEmpty();
  }

  @Test
  void a_kill_gives_up_checks_too_and_their_items_are_for_the_next_run() throws Exception {
    var items = new String[12];
    java.util.Arrays.fill(items, "a");
    var runner = runner("echo $$ >>begun; sleep 300", Optional.empty(), 0, items);
    Thread stop =
        Thread.ofVirtual()
            .start(
                () -> {
                  while (!Files.exists(top.resolve("begun"))) {
                    Thread.onSpinWait();
                  }
                  runner.tell(new Runner.Event.Stop(true));
                });
    runner.run();
    stop.join();

    assertThat(results()).isEmpty();
    for (String pid : Files.readAllLines(top.resolve("begun"))) {
      assertThat(ProcessHandle.of(Long.parseLong(pid)).filter(ProcessHandle::isAlive)).isEmpty();
    }
  }
}
