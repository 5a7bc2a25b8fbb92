package gflow.job;

/** What runs attempts: the local machine, or a simulated one. All calls return at once. */
public interface Engine {
  /** Carries out an effect; what comes of it is told to the listener, sooner or later. */
  void run(Effect effect);

  /**
   * After a restart of the daemon: finds out how far an attempt is that was given resources and has
   * no committed end. It is adopted if it runs, and told to the listener in any case. One of an
   * earlier boot that has left nothing behind may have run, so it is lost and did not never run.
   */
  void adopt(AttemptId id, JobSpec spec, Attempt attempt);

  /** Who is told what happened to attempts; may be called from any thread. */
  interface Listener {
    void happened(AttemptId attempt, TaskEvent event);

    /** The step's parent is gone, and all that it started. */
    void stepEnded(StepId step, Step.End end);

    /** Another daemon's job has this GPU; whoever knows the machine should know. */
    void taken(GpuId gpu);

    /** Whether a GPU that was lent is locked for us; else another daemon has it. */
    void locked(AttemptId attempt, GpuId gpu, boolean ours);
  }
}
