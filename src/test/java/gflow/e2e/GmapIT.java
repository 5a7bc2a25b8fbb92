package gflow.e2e;

import static org.assertj.core.api.Assertions.assertThat;

import gflow.e2e.Lab.Said;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Maps over items, in the queue and inside a job, on 8 simulated GPUs. */
class GmapIT {
  private Lab lab;

  @BeforeEach
  void open() {
    lab = new Lab("GFLOW_GPUS=sim:8x24G");
    lab.up();
  }

  @AfterEach
  void close() {
    lab.close();
  }

  private Map<Long, Map<String, Object>> results(String folder) {
    return lab.results(folder);
  }

  private Path program(String name, String text) {
    Path file = lab.write(lab.work().resolve(name), "#!/bin/bash\n" + text);
    file.toFile().setExecutable(true);
    return file;
  }

  @Test
  void what_fails_is_told_and_can_be_done_again() throws Exception {
    program("try", "[ $1 != b ] || [ -e mended ] || exit 3; echo done $1\n");
    Said first = lab.run("gmap", "--results", "r", "./try", ":::", "a", "b", "c");

    assertThat(first.code()).isEqualTo(1);
    assertThat(first.err()).contains("item 1 (b) failed: exit code 3");
    assertThat(lab.work().resolve("r/failed.txt")).hasContent("b");
    assertThat(lab.ok("gmap", "show", "r", "--failed").lines())
        .hasSize(2)
        .element(1)
        .asString()
        .startsWith("1        failed")
        .endsWith("b  (exit code 3)");
    assertThat(lab.ok("gmap", "export", "r", "--csv").lines())
        .hasSize(4)
        .anySatisfy(row -> assertThat(row).startsWith("0,a,ok,0,").endsWith(",done a"));
    lab.write(lab.work().resolve("mended"), "");
    Said again = lab.ok("gmap", "--resume", "--retry-failed", "--results", "r");
    assertThat(again.lines()).containsExactly("done b");
    assertThat(results("r").values()).hasSize(3).allMatch(line -> line.get("status").equals("ok"));
    assertThat(lab.run("gmap", "--results", "r", "./try", ":::", "x").err())
        .contains("--resume goes on with it");
    assertThat(lab.run("gmap", "--resume", "--results", "r", "./try", ":::", "x").err())
        .contains("the items are others than before (3 then, 1 now)");
  }

  @Test
  void one_that_was_left_can_be_watched_again() {
    lab.ok("gmap", "--detach", "--range", "1-3", "sh", "-c", "sleep 0.5; echo out {}");

    assertThat(lab.ok("gmap", "attach", "1").lines())
        .containsExactlyInAnyOrder("out 1", "out 2", "out 3");
    long job = lab.submit("true");
    assertThat(lab.run("gmap", "attach", "" + job).err()).contains("is no map");
  }

  @Test
  void nobody_changes_the_files_of_a_map_that_runs() {
    lab.ok("gmap", "--detach", "--results", "r", "--range", "1-8", "sh", "-c", "echo; sleep 300");
    lab.awaitState(1, "RUNNING");
    lab.await("its lock", () -> Files.exists(lab.work().resolve("r/log/gmap.log")));

    assertThat(lab.run("gmap", "--resume", "--retry-failed", "--results", "r").err())
        .contains("r is held by job 1: gmap attach 1");
    lab.ok("gcancel", "1");
    lab.awaitState(1, "CANCELLED");
  }

  @Test
  void a_map_takes_all_gpus_and_gives_one_back_to_whoever_waits() throws Exception {
    lab.ok("gmap", "--detach", "--results", "r", "--range", "1-4000", "sh", "-c", "sleep 0.2");
    lab.await("all GPUs", () -> lab.ok("ginfo").out().split("allocated", -1).length > 8);
    long other = lab.submit("--gpus", "2", "sleep", "0.5");
    lab.awaitState(other, "COMPLETED");
    lab.await("progress", () -> lab.ok("gjob", "show", "1").out().contains("Progress="));
    lab.await("all GPUs again", () -> lab.ok("ginfo").out().split("allocated", -1).length > 8);
    lab.ok("gcancel", "1");
    lab.awaitState(1, "CANCELLED");
  }

  @Test
  void inside_a_job_it_runs_in_place_on_the_gpus_of_the_job() throws Exception {
    long job =
        lab.submit("--gpus", "2", "gmap", "--results", "r", "echo", "hi", ":::", "a", "b", "c");
    lab.awaitState(job, "COMPLETED");

    assertThat(lab.log(job).lines().filter(line -> line.startsWith("hi")))
        .containsExactlyInAnyOrder("hi a", "hi b", "hi c");
    assertThat(results("r").values()).allMatch(r -> List.of("0", "1").contains(r.get("gpu")));
  }

  @Test
  void a_worker_has_the_gpu_of_its_slot() throws Exception {
    program(
        "worker",
        """
        while read -r line; do
          i=${line#*:} i=${i%%,*}
          echo "{\\"index\\":$i,\\"value\\":\\"$CUDA_VISIBLE_DEVICES\\"}"
        done
        """);
    lab.ok(
        "gmap",
        "--gpus",
        "2",
        "--static",
        "--worker",
        "--results",
        "r",
        "./worker",
        ":::",
        "a",
        "b",
        "c");

    results("r").forEach((i, line) -> assertThat(line).containsEntry("value", "" + i % 2));
  }
}
