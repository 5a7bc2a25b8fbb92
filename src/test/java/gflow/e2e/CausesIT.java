package gflow.e2e;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** Why jobs fail, and how they are tried again by that. */
class CausesIT {
  private static final String OOM = "echo torch.OutOfMemoryError: CUDA out of memory. >&2; exit 1";

  /** Fits only at the second time. */
  private static final String LATER =
      "if [ \"${SLURM_RESTART_COUNT:-0}\" -gt 0 ]; then echo it fits; else " + OOM + "; fi";

  private static List<?> attempts(Lab lab, long job) throws Exception {
    var shown = gflow.json.Json.parse(lab.run("gjob", "show", "" + job, "--json").out());
    return (List<?>)
        ((Map<?, ?>) ((List<?>) ((Map<?, ?>) shown).get("jobs")).getFirst()).get("attempts");
  }

  @Test
  void out_of_memory_on_a_part_of_a_gpu_is_tried_again_alone_for_free() throws Exception {
    try (var lab = new Lab()) {
      lab.up();
      long beside = lab.submit("--gpus", "1/2", "sleep", "600");
      long job = lab.submit("--gpus", "1/2", "--placement", "pack", "--wrap", LATER);
      lab.run("gjob", "wait", "" + job);

      assertThat(lab.job(job).get("state")).isEqualTo("COMPLETED");
      assertThat(lab.log(job)).contains("it fits");
      List<?> attempts = attempts(lab, job);
      assertThat(attempts).hasSize(2);
      assertThat(((Map<?, ?>) attempts.getFirst()).get("cause")).isEqualTo("gpu_memory");
      assertThat(((Map<?, ?>) attempts.getFirst()).get("reason"))
          .isEqualTo("out of GPU memory on GPU 0, which it shared");
      assertThat(((Map<?, ?>) attempts.getFirst()).get("gpu_ids")).isEqualTo(List.of(0L));
      assertThat(((Map<?, ?>) attempts.getLast()).get("gpu_ids")).isEqualTo(List.of(1L));
      lab.run("gcancel", "" + beside);
    }
  }

  @Test
  void out_of_memory_alone_on_its_gpu_is_not_tried_again_and_the_words_say_why() throws Exception {
    try (var lab = new Lab()) {
      lab.up();
      long job = lab.submit("--gpus", "1", "--retries", "5", "--retry-on", "any", "--wrap", OOM);
      long shared =
          lab.submit("--gpus", "1/4", "--retries", "5", "--retry-on", "any", "--wrap", OOM);
      lab.run("gjob", "wait", "" + job);
      lab.run("gjob", "wait", "" + shared);

      assertThat(attempts(lab, job)).hasSize(1);
      assertThat(attempts(lab, shared)).hasSize(2);
      assertThat(lab.run("gqueue", "-j", "" + job, "-f", "ST,NODELIST(REASON)").out())
          .contains("(out of GPU memory, alone on GPU 0: it would not fit the next time either)");
      assertThat(lab.job(job).get("cause")).isEqualTo("gpu_memory");
      assertThat(lab.run("sacct", "-j", "" + job, "-n", "-X", "-o", "State,Reason").out())
          .contains("FAILED")
          .contains("OutOfGpuMemory");
      assertThat(lab.run("gjob", "show", "" + job).out()).contains("Cause=gpu_memory");
    }
  }

  /** Each item leaves a mark while it runs; item 3 fits only where there is no other. */
  private static final String ITEM =
      "fails() { rm on.3; echo CUDA_ERROR_OUT_OF_MEMORY; exit 1; }; touch on.$1; "
          + "[ $1 != 3 ] || [ -e tried ] || { touch tried; fails; }; sleep 0.3; "
          + "[ $1 != 3 ] || [ \"$(echo on.*)\" = on.3 ] || fails; rm on.$1";

  @Test
  void an_item_that_ran_out_of_gpu_memory_beside_others_runs_again_alone() {
    try (var lab = new Lab()) {
      lab.up();
      String[] map = {"gmap", "--gpus", "1", "--per-gpu", "3", "-Q", "--range", "1-9"};
      lab.ok(words(map, "--results", "r", "sh", "-c", ITEM, "item"));
      Lab.Said worse =
          lab.run(
              words(
                  map,
                  "--results",
                  "s",
                  "--retries",
                  "4",
                  "sh",
                  "-c",
                  "[ $1 != 3 ] || { echo CUDA out of memory; exit 7; }; sleep 0.1",
                  "item"));

      assertThat(lab.ok("grep", "index\":2,", "r/results.jsonl").out())
          .contains("\"status\":\"ok\"")
          .contains("\"attempts\":2");
      assertThat(worse.code()).isNotZero();
      assertThat(lab.ok("grep", "failed", "s/results.jsonl").out())
          .contains("\"exit_code\":7")
          .contains("out of GPU memory, alone on its GPU: it would not fit the next time either")
          .contains("\"attempts\":2");
    }
  }

  private static String[] words(String[] first, String... then) {
    return Stream.of(first, then).flatMap(Stream::of).toArray(String[]::new);
  }

  @Test
  void other_causes_are_shown_and_a_failure_rests_before_it_is_tried_again() throws Exception {
    try (var lab = new Lab()) {
      lab.up();
      long signal = lab.submit("--gpus", "1", "--wrap", "kill -SEGV $$");
      long unknown = lab.submit("--gpus", "1", "-o", "none", "--wrap", "exit 3");
      long late =
          lab.submit("--time", "1s", "--retries", "1", "--retry-on", "timeout", "sleep", "600");
      long twice = lab.submit("--retries", "1", "--wrap", "test -e x || { touch x; exit 1; }");
      for (long job : List.of(signal, unknown, late, twice)) {
        lab.run("gjob", "wait", "" + job);
      }

      assertThat(lab.job(signal).get("cause")).isEqualTo("signal");
      assertThat(lab.job(unknown).get("cause")).isEqualTo("unknown");
      assertThat(lab.job(unknown).get("reason"))
          .isEqualTo("NonZeroExitCode: 3, and no log that says why");
      assertThat(lab.job(late).get("cause")).isEqualTo("time_limit");
      assertThat(attempts(lab, late)).hasSize(2);
      assertThat(lab.job(twice).get("state")).isEqualTo("COMPLETED");
    }
  }

  @Test
  void a_step_is_tried_again_and_adds_to_its_files() throws Exception {
    try (var lab = new Lab()) {
      lab.up();
      String twice = "echo try; test -e y$SLURM_PROCID || { touch y$SLURM_PROCID; exit 4; }";
      Lab.Said said = lab.run("grun", "-n2", "--retries", "2", "-o", "%t.log", "sh", "-c", twice);
      Lab.Said never = lab.run("grun", "--retries", "1", "sh", "-c", "echo $0 once; exit 5");
      Lab.Said bad = lab.run("grun", "--retries", "1", "--retry-on", "timeout", "true");

      assertThat(said.code()).isZero();
      assertThat(said.err()).contains("it runs again in 1 s (1 of 2)");
      assertThat(lab.ok("cat", "0.log", "1.log").lines()).hasSize(4);
      assertThat(never.code()).isEqualTo(5);
      assertThat(never.lines()).hasSize(2);
      assertThat(bad.err()).contains("a step is tried again after fail and oom");
    }
  }

  @Test
  void a_step_whose_task_says_in_its_own_file_that_a_gpu_had_no_memory() {
    try (var lab = new Lab()) {
      lab.up();
      lab.write(
          lab.work().resolve("full.sh"),
          """
          #!/bin/sh
          test "$SLURM_PROCID" = 1 || { echo 'CUDA out of memory, but I went on'; exit 0; }
          test -e full && { echo 'there is room now'; exit 0; }
          touch full
          echo 'torch.OutOfMemoryError: CUDA out of memory.'
          exit 1
          """);
      String[] step = {"-n3", "--retries", "1", "-o", "%t.log", "sh", "full.sh"};
      Lab.Said plain = lab.run(words(new String[] {"grun"}, step));
      assertThat(plain.code()).isEqualTo(1);
      assertThat(plain.err())
          .contains("task 1: CUDA out of memory, as " + lab.work().resolve("1.log") + " says")
          .contains("the step is not run again: that would be --retry-on oom");

      lab.ok("rm", "full");
      Lab.Said again = lab.run(words(new String[] {"grun", "--retry-on", "oom"}, step));
      assertThat(again.code()).isZero();
      assertThat(again.err()).contains("it runs again in 1 s (1 of 1)");

      lab.ok("rm", "full");
      String line = "srun -n3 -o %t.log sh full.sh";
      long job = lab.submit("-n3", "--gpus", "1", "--no-requeue", "--wrap", line);
      lab.run("gjob", "wait", "" + job);
      assertThat(lab.job(job).get("cause")).isEqualTo("gpu_memory");
    }
  }

  @Test
  void a_rest_survives_a_restart_and_ends_by_release() {
    try (var lab = new Lab()) {
      lab.up();
      // After six tries it rests for half a minute and more.
      long job = lab.submit("--retries", "9", "--wrap", "exit 1");
      for (int next = 2; next <= 6; next++) {
        awaitRest(lab, job, next);
        lab.run("gjob", "release", "" + job);
      }
      awaitRest(lab, job, 7);
      lab.run("gflowd", "restart");

      assertThat(lab.run("gqueue", "-j", "" + job).out())
          .contains("(BeginTime: rests before attempt 7)");
      lab.run("gcancel", "" + job);
    }
  }

  private static void awaitRest(Lab lab, long job, int attempt) {
    String words = "(BeginTime: rests before attempt " + attempt + ")";
    lab.await("rest", () -> lab.run("gqueue", "-j", "" + job).out().contains(words));
  }
}
