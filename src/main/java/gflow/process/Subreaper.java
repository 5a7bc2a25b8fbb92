package gflow.process;

/** Makes this process the parent of every orphan below it, so that no process of a job is lost. */
public final class Subreaper {
  private static final int PR_SET_CHILD_SUBREAPER = 36;

  private Subreaper() {}

  /**
   * To be called before the first job starts; children do not inherit it. Also takes the mark of
   * the job off us that we may have been started from.
   */
  public static void become() {
    ProcessMark.takeOff(ProcessHandle.current().pid());
    adoptOrphans();
  }

  /** The same for a process of a job, which keeps the job's mark. */
  public static void adoptOrphans() {
    int result = Libc.call("prctl", PR_SET_CHILD_SUBREAPER, 1);
    if (result < 0) {
      throw new IllegalStateException("prctl(PR_SET_CHILD_SUBREAPER): " + Libc.text(result));
    }
  }
}
