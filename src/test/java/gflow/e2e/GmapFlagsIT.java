package gflow.e2e;

import static java.util.stream.Collectors.toSet;
import static org.assertj.core.api.Assertions.assertThat;

import gflow.e2e.Lab.Said;
import gflow.json.Json;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;

/** The options of a map as a new user tries them, one after the other. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class GmapFlagsIT {
  private Lab lab;

  @BeforeAll
  void start() {
    lab = new Lab("GFLOW_GPUS=sim:4x24G");
  }

  @AfterAll
  void end() {
    lab.close();
  }

  private Set<Object> gpus(String folder) {
    return lab.results(folder).values().stream().map(line -> line.get("gpu")).collect(toSet());
  }

  @Test
  void cuda_visible_devices_says_which_gpus_and_each_item_sees_its_own() {
    String see = "sleep 0.3; echo $CUDA_VISIBLE_DEVICES";
    Said two =
        lab.runWith(
            "CUDA_VISIBLE_DEVICES=GPU-simulate-0000-0000-0000-000000000003,1",
            "gmap",
            "-k",
            "--static",
            "--results",
            "two",
            "--range",
            "1-4",
            "sh",
            "-c",
            see);
    assertThat(two.lines()).as(two.err()).containsExactly("1", "3", "1", "3");
    assertThat(gpus("two")).isEqualTo(Set.of("1", "3"));

    Said none = lab.runWith("CUDA_VISIBLE_DEVICES=", "gmap", "sh", "-c", see, ":::", "a");
    assertThat(none.lines()).as(none.err()).containsExactly("");
    assertThat(none.err()).doesNotContain("UTILISATION");
    assertThat(lab.runWith("CUDA_VISIBLE_DEVICES=0,9", "gmap", "echo", ":::", "a").err())
        .isEqualTo("gmap: CUDA_VISIBLE_DEVICES has '9', which is no GPU here; ginfo lists them\n");
    assertThat(
            lab.runWith(
                    "CUDA_VISIBLE_DEVICES=0,1",
                    "gmap",
                    "--results",
                    "refused",
                    "-G",
                    "3",
                    "echo",
                    ":::",
                    "a")
                .err())
        .isEqualTo(
            "gmap: --gpus 3, but CUDA_VISIBLE_DEVICES leaves 2 GPUs; unset it, or ask for fewer\n");
    assertThat(lab.work().resolve("refused")).as("what is refused leaves nothing").doesNotExist();
  }

  @Test
  void per_gpu_puts_several_on_a_gpu_and_inside_a_job_gpus_bounds_them() {
    lab.bash(
        "grun --gpus 2 gmap --gpus 1 --per-gpu 3 --results per --no-append --range 1-6 sleep 0.3");

    var results = lab.results("per");
    assertThat(gpus("per")).isEqualTo(Set.of("0"));
    assertThat(results.values().stream().map(line -> line.get("slot")).collect(toSet()))
        .isEqualTo(Set.of(0L, 1L, 2L));
    Instant firstEnd = instant(results.get(0L)).plusMillis(300);
    assertThat(instant(results.get(2L))).isBefore(firstEnd);
    assertThat(lab.bash("grun --gpus 1 gmap --gpus 2 echo ::: a").err())
        .contains("gmap: --gpus 2, but this job has 1 GPU");
  }

  private static Instant instant(Map<String, Object> line) {
    return Instant.parse(line.get("start").toString());
  }

  @Test
  void n_items_in_a_call_in_order_and_with_their_names() {
    Said said = lab.ok("gmap", "-N", "2", "-k", "--tag", "echo", "got", ":::", "a", "b", "c");

    assertThat(said.lines()).containsExactly("a b\tgot a b", "c\tgot c");
  }

  @Test
  void too_many_failures_end_it_by_number_or_part_and_that_is_said() {
    for (String most : List.of("2", "20%")) {
      String folder = "most" + most.length();
      Said said =
          lab.run(
              "gmap",
              "-G1",
              "--max-failures",
              most,
              "--results",
              folder,
              "--range",
              "1-10",
              "false");
      assertThat(said.code()).isEqualTo(1);
      assertThat(lab.results(folder)).hasSize(3);
      assertThat(said.err())
          .contains("given up: more failed than --max-failures allows")
          .contains("gmap --resume --results " + lab.work().resolve(folder) + " goes on");
    }
  }

  @Test
  void an_out_template_makes_a_file_of_each_value_as_others_make_theirs() throws Exception {
    lab.ok("gmap", "--out-template", "out/{stem}.txt", "echo", "hi", ":::", "x/a.xyz", "b.xyz");

    Path file = lab.work().resolve("out/a.txt");
    assertThat(file).hasContent("hi x/a.xyz");
    assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(file)))
        .startsWith("rw-r-");
    assertThat(lab.bash("ls -A out").lines()).containsExactly("a.txt", "b.txt");
    assertThat(lab.run("gmap", "--out-template", "{stem}", "echo", ":::", "x/a.xyz", "y/a.b").err())
        .isEqualTo(
            "gmap: item 2 would write a, as one before it; put {index} into --out-template\n");
  }

  @Test
  void a_worker_is_fresh_after_so_many_items_and_its_values_are_checked() {
    lab.write(
        lab.work().resolve("worker.py"),
        """
        import os
        import gflow_worker
        gflow_worker.serve(lambda x: float("nan") if x == "3" else {"pid": os.getpid()})
        """);
    Said said =
        lab.run(
            "gmap",
            "-G1",
            "--worker",
            "--recycle",
            "2",
            "--check",
            "! grep -q nan",
            "--results",
            "fresh",
            "--range",
            "1-5",
            "python3",
            "worker.py");

    assertThat(said.code()).isEqualTo(1);
    assertThat(said.err()).contains("item 2 (3) failed: check: exit code 1");
    var results = lab.results("fresh");
    assertThat(results.values().stream().map(line -> line.get("value")).collect(toSet()))
        .hasSize(4);
    assertThat(results.get(0L).get("value")).isEqualTo(results.get(1L).get("value"));
  }

  @Test
  void retries_come_after_a_pause_and_a_timeout_ends_all_of_an_item() {
    lab.write(
        lab.work().resolve("tries.sh"),
        """
        date +%s%N >>tries.$1
        [ $1 = flaky ] && [ $(wc -l <tries.$1) = 3 ] && exit 0
        [ $1 = flaky ] && exit 1
        setsid sleep 301 &
        sleep 301
        """);
    Said said =
        lab.run(
            "gmap",
            "--retries",
            "2",
            "--timeout",
            "400ms",
            "--results",
            "tries",
            "sh",
            "tries.sh",
            ":::",
            "flaky",
            "stuck");

    var results = lab.results("tries");
    assertThat(results.get(0L)).containsEntry("status", "ok").containsEntry("attempts", 3L);
    assertThat(results.get(1L)).containsEntry("cause", "timeout after 0.4 s");
    long[] at =
        Lab.read(lab.work().resolve("tries.flaky")).lines().mapToLong(Long::parseLong).toArray();
    assertThat(Duration.ofNanos(at[1] - at[0])).isBetween(millis(1000), millis(1900));
    assertThat(Duration.ofNanos(at[2] - at[1])).isBetween(millis(2000), millis(3500));
    assertThat(lab.bash("pgrep -fx 'sleep 301'").out()).as(said.err()).isEmpty();
  }

  private static Duration millis(long count) {
    return Duration.ofMillis(count);
  }

  @Test
  void json_is_all_that_stdout_gets() throws Exception {
    Said said =
        lab.run("gmap", "--json", "--results", "json", "sh", "-c", "echo noise {}", ":::", "a");

    assertThat(Json.parse(said.out()))
        .asInstanceOf(org.assertj.core.api.InstanceOfAssertFactories.MAP)
        .containsEntry("items", 1L)
        .containsEntry("ok", 1L)
        .containsEntry("results", lab.work().resolve("json").toString())
        .containsKeys("speed_up", "gpus");
  }

  @Test
  void without_gpus_it_is_cpus_for_each_item() {
    lab.ok(
        "gmap",
        "-G0",
        "-c",
        "4",
        "--results",
        "cpus",
        "--range",
        "1-8",
        "sh",
        "-c",
        "sleep 0.2; echo $OMP_NUM_THREADS");

    var results = lab.results("cpus");
    assertThat(results.values()).allMatch(line -> line.get("stdout").equals("4\n"));
    assertThat(results.values().stream().map(line -> line.get("slot")).collect(toSet()))
        .as("16 CPUs")
        .isEqualTo(Set.of(0L, 1L, 2L, 3L));
  }
}
