package gflow.e2e;

import static java.util.stream.Collectors.toSet;
import static org.assertj.core.api.Assertions.assertThat;

import gflow.e2e.Lab.Said;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;

/**
 * The summary of a batch evaluation on 8 GPUs that gmap was asked for: its command lines, with gmap
 * before the script, and what it says of them. The script behind it waited for the slowest of each
 * 8, and forgot what failed; gmap does neither.
 */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class SeedBatchIT {
  private static final Set<String> GPUS = Set.of("0", "1", "2", "3", "4", "5", "6", "7");

  private Lab lab;

  @BeforeAll
  void start() {
    lab = new Lab("GFLOW_GPUS=sim:8x24G");
    // The python of this lab reads shell.
    Path python = lab.write(lab.work().resolveSibling("bin/python"), "#!/bin/sh\nexec sh \"$@\"\n");
    python.toFile().setExecutable(true);
    lab.prefer(python.getParent());
    for (int i = 100; i < 220; i++) {
      lab.write(lab.work().resolve("all/mol" + i + ".xyz"), "");
    }
    for (int i = 10; i < 27; i++) {
      lab.write(lab.work().resolve("data/mol" + i + ".xyz"), "");
    }
    lab.write(
        lab.work().resolve("eval.py"),
        """
        case $1 in
          *mol13.xyz) echo "no convergence" >&2; exit 1 ;;
          data/*) sleep 0.5 ;;
        esac
        echo "energy of $1 on $CUDA_VISIBLE_DEVICES"
        """);
    lab.up();
  }

  @AfterAll
  void end() {
    lab.close();
  }

  private static String gpu(Map<String, Object> line) {
    return String.valueOf(line.get("gpu"));
  }

  private static Instant start(Map<String, Object> line) {
    return Instant.parse(line.get("start").toString());
  }

  private static Instant end(Map<String, Object> line) {
    return start(line).plus(Duration.ofMillis((long) ((Double) line.get("seconds") * 1000)));
  }

  @Test
  void the_entire_dataset_and_a_failed_molecule_is_named_and_stops_nothing() {
    Said said =
        lab.bash("gmap --dir_path data --batch_size 8 --size_limit 0 --results r python eval.py");

    assertThat(said.code()).isEqualTo(1);
    assertThat(said.lines()).hasSize(16);
    assertThat(said.err())
        .contains("item 3 (data/mol13.xyz) failed: exit code 1")
        .contains("no convergence")
        .contains("16 of 17 items ok, 1 failed");
    var results = lab.results("r");
    assertThat(results).hasSize(17);
    assertThat(results.values().stream().map(SeedBatchIT::gpu).collect(toSet())).isEqualTo(GPUS);
    results.forEach(
        (index, line) -> {
          if (index != 3) {
            assertThat(line)
                .containsEntry(
                    "stdout", "energy of " + line.get("item") + " on " + line.get("gpu") + "\n");
          }
        });
    assertThat(lab.work().resolve("r/failed.txt")).hasContent("data/mol13.xyz");
  }

  @Test
  void the_first_eight_go_to_gpus_0_to_7_and_no_slow_one_holds_up_the_next_eight() {
    String slow = "case {index} in 0) sleep 1.5 ;; *) sleep 0.2 ;; esac";
    lab.ok("gmap", "--dir_path", "data", "--gpus", "8", "--results", "free", "sh", "-c", slow);

    var results = lab.results("free");
    for (long i = 0; i < 8; i++) {
      assertThat(results.get(i)).containsEntry("gpu", "" + i);
    }
    for (long i = 8; i < 17; i++) {
      assertThat(start(results.get(i))).isBefore(end(results.get(0L)));
      assertThat(gpu(results.get(i))).isNotEqualTo("0");
    }
  }

  @Test
  void with_static_molecule_8_goes_to_gpu_0_again() {
    String said =
        lab.ok("gmap", "--dir_path", "data", "--static", "-k", "echo", "{index}", "{gpu}").out();

    var expected = new StringBuilder();
    for (int i = 0; i < 17; i++) {
      expected.append(i).append(' ').append(i % 8).append('\n');
    }
    assertThat(said).isEqualTo(expected.toString());
  }

  @Test
  void a_trial_of_eight_and_a_limit_of_a_hundred() {
    assertThat(lab.ok("gmap", "--dir_path", "all", "--debug", "python", "eval.py").lines())
        .hasSize(8);
    Said hundred = lab.bash("gmap --dir_path all --size_limit 100 --batch_size 8 python eval.py");
    assertThat(hundred.code()).as(hundred.err()).isZero();
    assertThat(hundred.lines())
        .hasSize(100)
        .anyMatch(line -> line.startsWith("energy of all/mol199.xyz"));
  }

  @Test
  void only_four_gpus_if_some_are_busy() {
    Said said =
        lab.bash(
            "CUDA_VISIBLE_DEVICES=0,1,2,3 gmap --dir_path data --batch_size 4 --results four"
                + " python eval.py");

    assertThat(said.err()).contains("16 of 17 items ok");
    assertThat(lab.results("four").values().stream().map(SeedBatchIT::gpu).collect(toSet()))
        .isEqualTo(Set.of("0", "1", "2", "3"));
  }
}
