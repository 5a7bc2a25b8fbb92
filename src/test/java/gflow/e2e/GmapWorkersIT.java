package gflow.e2e;

import static org.assertj.core.api.Assertions.assertThat;

import gflow.e2e.Lab.Said;
import gflow.json.Json;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Workers that do not keep to the protocol: only the item that they had can be harmed. */
class GmapWorkersIT {
  /** Each item is the name of what the worker does with it. */
  private static final String WORKER =
      """
      #!/bin/bash
      START
      answer() { printf '{"index":%s,%s}\\n' $i "$1"; }
      fine() { answer '"value":"fine"'; }
      much() { head -c 20000000 /dev/zero | tr '\\0' y; }

      noise() { echo noise; printf 'caf\\351\\n'; fine; }
      glued() { printf 'no line end '; fine; }
      bytes() { answer '"value":"'$'\\351"'; }
      long-line() { much; echo; fine; }
      half() { echo '{'; echo '[1]'; echo '{"index":-1}'; fine; }

      twice() { answer '"value":"first"'; fine; }
      unknown() { echo '{"index":9999,"value":1}'; fine; }
      nan() { answer '"value":NaN'; }
      nothing() { answer '"worth":1'; }
      coded() { answer '"error":{"code":5}'; }
      huge() { printf '{"index":%s,"value":"' $i; much; echo '"}'; }

      always-ready() { while sleep 0.2; do echo '{"ready":true}'; done; }
      flood() { yes $(much | head -c 1000); }
      poison() { kill -9 $$; }
      last() { fine; exit 0; }

      echo '{"ready":true}'
      while read -r line; do
        i=${line#*:} i=${i%%,*} item=${line#*'"item":"'}
        ${item%%'"'*}
      done
      """;

  private Lab lab;

  @BeforeEach
  void open() {
    lab = new Lab("SLURM_JOB_ID=1", "SLURM_CPUS_ON_NODE=1");
  }

  @AfterEach
  void close() {
    lab.close();
  }

  private Said map(String start, String options, String... items) {
    lab.write(lab.work().resolve("worker"), WORKER.replace("START", start))
        .toFile()
        .setExecutable(true);
    lab.write(lab.work().resolve("items"), String.join("\n", items) + "\n");
    var words = new ArrayList<>(List.of("gmap", "--results", "r", "-Q", "--worker"));
    words.addAll(List.of("--items-from", "items"));
    words.addAll(options.isEmpty() ? List.of() : List.of(options.split(" ", -1)));
    words.add("./worker");
    return lab.run(words.toArray(String[]::new));
  }

  @SuppressWarnings("unchecked")
  private Map<Integer, Map<String, Object>> results() throws Exception {
    var all = new TreeMap<Integer, Map<String, Object>>();
    for (String line : Files.readAllLines(lab.work().resolve("r/results.jsonl"))) {
      var result = (Map<String, Object>) Json.parse(line);
      assertThat(all.put(((Long) result.get("index")).intValue(), result)).isNull();
    }
    return all;
  }

  private String cause(int item) throws Exception {
    return String.valueOf(results().get(item).get("cause"));
  }

  private String log() {
    return Lab.read(lab.work().resolve("r/log/gmap.log"));
  }

  @Test
  void rubbish_goes_to_the_log_whatever_it_is() throws Exception {
    Said said = map("echo starting", "", "noise", "glued", "bytes", "long-line", "half", "fine");

    assertThat(said.code()).as(said.toString()).isZero();
    assertThat(results()).hasSize(6).allSatisfy((_, r) -> assertThat(r).containsKey("value"));
    assertThat(results().get(2)).as("a byte that is no UTF-8").containsEntry("value", "\uDCE9");
    assertThat(log().lines())
        .singleElement()
        .asString()
        .endsWith("worker 0 prints what is no answer: 'starting'; it is in its log");
    byte[] bytes = Files.readAllBytes(lab.work().resolve("r/log/worker-0.log"));
    assertThat(new String(bytes, StandardCharsets.ISO_8859_1))
        .contains("noise\ncaf\u00e9\n")
        .contains("yyy")
        .hasSizeLessThan(2000);
  }

  @Test
  void an_answer_counts_once_and_only_for_what_was_asked() throws Exception {
    Said said = map("", "", "twice", "unknown", "nan", "nothing", "coded", "huge", "fine");

    assertThat(said.code()).isEqualTo(1);
    assertThat(results()).hasSize(7);
    assertThat(results().get(0)).containsEntry("value", "first");
    assertThat(results().get(1)).containsEntry("value", "fine");
    assertThat(cause(2)).startsWith("the worker's answer is no JSON: ");
    assertThat(cause(3)).isEqualTo("the worker's answer has neither value nor error");
    assertThat(cause(4)).isEqualTo("{\"code\":5}");
    assertThat(cause(5)).isEqualTo("the worker's answer is longer than 16 MB");
    assertThat(results().get(6)).containsEntry("value", "fine");
    assertThat(log())
        .contains("worker 0 answered item 0, which it does not have")
        .contains("worker 0 answered item 9999, which it does not have");
  }

  @Test
  void one_that_never_answers_is_ended_whatever_it_does_meanwhile() throws Exception {
    Said said = map("trap '' TERM", "--timeout 1s", "fine", "always-ready", "flood", "fine");

    assertThat(said.code()).isEqualTo(1);
    assertThat(cause(1)).isEqualTo("timeout after 1 s");
    assertThat(cause(2)).isEqualTo("timeout after 1 s");
    assertThat(results().get(3)).containsEntry("value", "fine");
    assertThat(log()).contains("worker 0 does not stop with it: the rest is left out");
    assertThat(lab.work().resolve("r/log/worker-0.log")).isNotEmptyFile();
    assertThat(Files.size(lab.work().resolve("r/log/worker-0.log"))).isLessThan(20 << 20);
  }

  @Test
  void one_that_cannot_start_says_why() throws Exception {
    Said dies = map("echo no module named torch >&2; exit 3", "", "fine", "fine");
    assertThat(dies.code()).isEqualTo(1);
    assertThat(dies.err())
        .contains(
            "item 1 (fine) failed: the worker ended with exit code 3 before it was ready; see"
                + " log/worker-0.log");
    assertThat(results()).hasSize(2);
    assertThat(Lab.read(lab.work().resolve("r/log/worker-0.log"))).contains("named torch");

    lab.bash("rm -r r");
    Said hangs = map("sleep 100", "--start-timeout 1s", "fine");
    assertThat(hangs.code()).isEqualTo(1);
    assertThat(hangs.err()).contains("failed: the worker was not ready within its start-up time");
  }

  @Test
  void an_item_that_kills_its_worker_is_given_up_after_its_tries() throws Exception {
    Said said = map("", "--retries 1", "fine", "poison", "fine", "fine");

    assertThat(said.code()).isEqualTo(1);
    assertThat(results().get(1)).containsEntry("attempts", 2L);
    assertThat(cause(1)).isEqualTo("the worker was killed by signal 9; see log/worker-0.log");
    for (int good : new int[] {0, 2, 3}) {
      assertThat(results().get(good)).containsEntry("value", "fine").containsEntry("attempts", 1L);
    }
  }

  @Test
  void one_that_ends_after_each_answer_is_no_failure() throws Exception {
    var items = new String[30];
    java.util.Arrays.fill(items, "last");
    Said said = map("", "", items);

    assertThat(said.code()).as(said.err()).isZero();
    assertThat(results()).hasSize(30);
  }
}
