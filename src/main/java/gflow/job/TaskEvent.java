package gflow.job;

import java.time.Instant;

/**
 * What can happen to a task. Events may come late or twice; a state ignores what it does not
 * expect.
 */
public sealed interface TaskEvent {
  Instant at();

  /** The planner gave it resources, and it runs there. */
  record Start(Allocation allocation, Where where, Instant at) implements TaskEvent {}

  /** Another engine has it in its queue, under that name. */
  record Queued(String id, Instant at) implements TaskEvent {}

  /** Its process exists (also said of one that was adopted after a restart of the daemon). */
  record Spawned(Instant at) implements TaskEvent {}

  /** It is certain that this attempt never ran and never will. */
  record NeverRan(Blame blame, String why, Instant at) implements TaskEvent {}

  /** Whose fault it is that an attempt never ran. */
  enum Blame {
    /** What it asked for cannot be done: it has failed. */
    JOB,
    /** Somebody was faster, or the daemon went down: it waits for its next turn. */
    NOBODY,
    /** The machine could not: it is tried again after a while, and people see why it waits. */
    WORLD
  }

  /** The program ended. {@code whole}: no other process of the job is left. */
  record ProgramEnded(TaskState.Exited exit, boolean whole) implements TaskEvent {
    @Override
    public Instant at() {
      return exit.at();
    }
  }

  /** After the program's end the last process of the job is gone too. */
  record Gone(Instant at) implements TaskEvent {}

  record Cancel(String by, Instant at) implements TaskEvent {}

  /** It shall end and run again, at its next turn or, {@code held}, when it is released. */
  record Requeue(String by, boolean held, Instant at) implements TaskEvent {}

  record TimeUp(Instant at) implements TaskEvent {}

  /** It uses more of a GPU's memory than was promised to it, and is to be ended for that. */
  record GpuMemoryExceeded(String words, Instant at) implements TaskEvent {}

  /** The grace time after SIGTERM has passed. */
  record KillDue(Instant at) implements TaskEvent {}

  /** It ran, or may have, and how it ended nobody can say: the machine went down under it. */
  record Lost(String why, Instant at) implements TaskEvent {}
}
