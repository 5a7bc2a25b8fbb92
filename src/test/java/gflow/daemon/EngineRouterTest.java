package gflow.daemon;

import static org.assertj.core.api.Assertions.assertThat;

import gflow.job.Allocation;
import gflow.job.Attempt;
import gflow.job.AttemptId;
import gflow.job.Effect;
import gflow.job.Engine;
import gflow.job.JobId;
import gflow.job.JobSpec;
import gflow.job.Ranges;
import gflow.job.TaskId;
import gflow.job.TaskState.Cause;
import gflow.job.Where;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** Whatever is done for an attempt is done by the engine that has it. */
class EngineRouterTest {
  private static final AttemptId ONE = new AttemptId(new TaskId(new JobId(1)), 1);
  private static final AttemptId TWO = new AttemptId(new TaskId(new JobId(2)), 1);
  private static final JobSpec SPEC = Specs.gpus(0);

  private final Heard here = new Heard(new ArrayList<>());
  private final Heard cluster = new Heard(new ArrayList<>());
  private final EngineRouter router = new EngineRouter(here, Map.of("cluster", cluster));

  private record Heard(List<Object> all) implements Engine {
    @Override
    public void run(Effect effect) {
      all.add(effect);
    }

    @Override
    public void adopt(AttemptId id, JobSpec spec, Attempt attempt) {
      all.add(id);
    }
  }

  private static Attempt at(Where where) {
    return new Attempt(1, new Allocation(List.of(), Ranges.EMPTY, 0), Instant.EPOCH, where);
  }

  private static Attempt there(String engine) {
    return at(new Where.There(engine, ""));
  }

  @Test
  void what_was_launched_there_is_ended_there() {
    var launchHere = new Effect.Launch(ONE, SPEC, at(new Where.Here("boot")));
    var launchThere = new Effect.Launch(TWO, SPEC, there("cluster"));
    var ends = new Effect.Terminate(TWO, new Cause.TimeLimit());
    var discard = new Effect.Discard(TWO);

    List.of(launchHere, launchThere, ends, discard, new Effect.Kill(ONE)).forEach(router::run);

    assertThat(here.all()).containsExactly(launchHere, new Effect.Kill(ONE));
    assertThat(cluster.all()).containsExactly(launchThere, ends, discard);
  }

  @Test
  void what_was_adopted_there_is_ended_there() {
    router.adopt(ONE, SPEC, at(new Where.Here("boot")));
    router.adopt(TWO, SPEC, there("cluster"));
    router.run(new Effect.Kill(TWO));

    assertThat(here.all()).containsExactly(ONE);
    assertThat(cluster.all()).containsExactly(TWO, new Effect.Kill(TWO));
  }

  @Test
  void what_is_with_an_engine_that_is_not_set_up_is_left_alone() {
    router.adopt(TWO, SPEC, there("another"));
    router.run(new Effect.Kill(TWO));

    assertThat(here.all()).isEmpty();
    assertThat(cluster.all()).isEmpty();
  }
}
