package gflow.script.step;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import gflow.script.value.BadInput;
import gflow.script.value.ShellWords;
import java.time.Duration;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import java.util.TreeMap;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Which GPU each task gets, in turn or in blocks. */
class SpreadTest {
  @Test
  void spread_is_one_gpu_for_each_task_in_turn_and_the_tasks_share_the_cpus() throws BadInput {
    ParsedStep step = grun("-n 7 --gpus 4 --spread");

    assertThat(gpusOf(step, 7, 4)).containsExactly(0, 1, 2, 3, 0, 1, 2);
    assertThat(step.request().cpus()).isEqualTo(1);
    assertThat(grun("-n 7 -c 2 --spread").request().cpus()).isEqualTo(14);
    assertThat(grun("--gpus 4 --spread").request().tasks()).isEqualTo(4);
    assertThat(grun("-n 7 --gpu-bind=spread")).isEqualTo(grun("-n 7 --spread"));
    assertThat(grun("-n2 --spread --stagger 0.2s").stagger()).isEqualTo(Duration.ofMillis(200));
  }

  @Test
  void spread_is_for_grun_and_the_blocks_of_slurm_stay_blocks() throws BadInput {
    assertThat(gpusOf(srun("-n8 --gpu-bind=single:2"), 8, 4))
        .containsExactly(0, 0, 1, 1, 2, 2, 3, 3);
    assertThat(gpusOf(srun("-G4 --ntasks-per-gpu=2"), 8, 4))
        .containsExactly(0, 0, 1, 1, 2, 2, 3, 3);
    assertThat(gpusOf(grun("-n 8", "SLURM_GPU_BIND=spread"), 8, 4))
        .containsExactly(0, 1, 2, 3, 0, 1, 2, 3);
    assertThat(StepOptions.grammar("srun").parse(List.of("--spread", "x")).has("spread")).isFalse();
    assertThatThrownBy(() -> grun("--spread --gpu-bind=single:2"))
        .hasMessageContaining("leave out");
    assertThatThrownBy(() -> grun("--spread --gpus 0")).hasMessageContaining("add --gpus");
    assertThatThrownBy(() -> grun("--spread", "GFLOW_MARK=1")).hasMessageContaining("add --gpus");
    assertThatThrownBy(() -> grun("--spread --stagger -1s")).hasMessageContaining("0.2s");
  }

  @Test
  void behind_a_fence_the_words_have_the_number_that_the_task_can_use() throws BadInput {
    var start =
        new StepEnvironment.Start(
            7,
            0,
            grun("-n 3 --gpus 2 --spread"),
            1,
            List.of(),
            List.of(4, 5),
            List.of("GPU-4", "GPU-5"),
            List.of(0, 1),
            false,
            "box",
            "m",
            0022);

    assertThat(StepEnvironment.fields(start, 1, "GFLOW_PORT=20003\0".getBytes(UTF_8)))
        .containsEntry("gpu", "1")
        .containsEntry("task", "1")
        .containsEntry("port", "20003");
  }

  @ParameterizedTest(name = "seed {0}")
  @ValueSource(longs = {1, 2, 3, 4, 5})
  void spread_tasks_differ_by_at_most_one_on_any_gpus(long seed) throws BadInput {
    var random = new Random(seed);
    for (int i = 0; i < 200; i++) {
      int tasks = 1 + random.nextInt(100);
      int gpus = 1 + random.nextInt(16);
      var counts = new TreeMap<Integer, Integer>();
      IntStream.range(0, gpus).forEach(gpu -> counts.put(gpu, 0));
      gpusOf(grun("-n " + tasks + " --spread"), tasks, gpus)
          .forEach(gpu -> counts.merge(gpu, 1, Integer::sum));

      assertThat(Collections.max(counts.values()) - Collections.min(counts.values()))
          .as("%d tasks on %d GPUs", tasks, gpus)
          .isBetween(0, 1);
    }
  }

  private static List<Integer> gpusOf(ParsedStep step, int tasks, int gpus) {
    List<Integer> all = IntStream.range(0, gpus).boxed().toList();
    return IntStream.range(0, tasks).mapToObj(k -> step.bind().of(k, all).getFirst()).toList();
  }

  private static ParsedStep grun(String options, String... job) throws BadInput {
    return read("grun", options, job);
  }

  private static ParsedStep srun(String options) throws BadInput {
    return read("srun", options);
  }

  private static ParsedStep read(String command, String options, String... job) throws BadInput {
    byte[] environment = (String.join("\0", job) + "\0").getBytes(UTF_8);
    var words = ShellWords.split(options + " program");
    return StepOptions.read(StepOptions.grammar(command).parse(words), environment);
  }
}
