package gflow.daemon.upkeep;

import static org.assertj.core.api.Assertions.assertThat;

import gflow.job.AttemptId;
import gflow.job.Engine;
import gflow.job.Exit;
import gflow.job.Failure;
import gflow.job.GpuId;
import gflow.job.JobId;
import gflow.job.Step;
import gflow.job.StepId;
import gflow.job.TaskEvent;
import gflow.job.TaskId;
import gflow.job.TaskState.Exited;
import gflow.job.Usage;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class LookFirstTest {
  private static final AttemptId ID = new AttemptId(new TaskId(new JobId(7), 0, 0), 1);
  private final List<String> done = new ArrayList<>();

  private final Engine.Listener loop =
      new Engine.Listener() {
        @Override
        public void happened(AttemptId attempt, TaskEvent event) {
          done.add("told");
        }

        @Override
        public void stepEnded(StepId step, Step.End end) {}

        @Override
        public void taken(GpuId gpu) {}

        @Override
        public void locked(AttemptId attempt, GpuId gpu, boolean ours) {}
      };

  private static TaskEvent ended(Optional<Failure> told) {
    var exited = new Exited(Exit.code(1), Usage.UNKNOWN, false, Instant.EPOCH);
    return new TaskEvent.ProgramEnded(exited.told(told), true);
  }

  @Test
  void who_else_is_there_is_looked_at_before_an_end_for_want_of_gpu_memory_is_told() {
    var ends = new LookFirst(loop);
    ends.happened(ID, ended(Optional.of(Failure.GPU_MEMORY)));
    ends.with(() -> done.add("looked"));
    ends.happened(ID, ended(Optional.empty()));
    ends.happened(ID, ended(Optional.of(Failure.GPU_MEMORY)));

    assertThat(done).containsExactly("told", "told", "looked", "told");
  }
}
