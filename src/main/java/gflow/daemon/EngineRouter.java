package gflow.daemon;

import gflow.job.Attempt;
import gflow.job.AttemptId;
import gflow.job.Effect;
import gflow.job.Engine;
import gflow.job.JobSpec;
import gflow.job.Where;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/**
 * Hands each attempt to the engine that has it. Most are on this machine; of the others it knows
 * whose they are from their launch or adoption on, which come before all else in a daemon's life.
 */
final class EngineRouter implements Engine {
  private static final Logger LOG = System.getLogger("gflow.daemon");

  private final Engine here;
  private final Map<String, Engine> there;
  private final Map<AttemptId, Engine> elsewhere = new ConcurrentHashMap<>();

  /** {@code there}: the engines with a queue of their own, by their names. */
  EngineRouter(Engine here, Map<String, Engine> there) {
    this.here = here;
    this.there = Map.copyOf(there);
  }

  @Override
  public void run(Effect effect) {
    if (effect instanceof Effect.Launch(AttemptId id, JobSpec _, Attempt given)) {
      remember(id, given.where());
    }
    engine(effect.attempt()).run(effect);
    if (effect instanceof Effect.Discard(AttemptId id)) {
      elsewhere.remove(id);
    }
  }

  @Override
  public void adopt(AttemptId id, JobSpec spec, Attempt attempt) {
    remember(id, attempt.where());
    engine(id).adopt(id, spec, attempt);
  }

  private void remember(AttemptId id, Where where) {
    if (where instanceof Where.There(String name, String _)) {
      elsewhere.put(id, there.getOrDefault(name, new Absent(name)));
    }
  }

  private Engine engine(AttemptId id) {
    return elsewhere.getOrDefault(id, here);
  }

  /** One that is no longer set up: what it has is left alone, and goes on when it is again. */
  private record Absent(String name) implements Engine {
    @Override
    public void run(Effect effect) {
      warn(effect.attempt());
    }

    @Override
    public void adopt(AttemptId id, JobSpec spec, Attempt attempt) {
      warn(id);
    }

    private void warn(AttemptId id) {
      LOG.log(Level.WARNING, "attempt " + id + " is with " + name + ", which is not set up");
    }
  }
}
