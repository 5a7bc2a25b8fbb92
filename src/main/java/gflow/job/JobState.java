package gflow.job;

/** Slurm's words for where a task is, as users see them. */
public enum JobState {
  PENDING("PD"),
  RUNNING("R"),
  COMPLETING("CG"),
  COMPLETED("CD"),
  FAILED("F"),
  CANCELLED("CA"),
  TIMEOUT("TO"),
  OUT_OF_MEMORY("OOM"),
  NODE_FAIL("NF");

  private final String code;

  JobState(String code) {
    this.code = code;
  }

  /** The short form that {@code gqueue} shows. */
  public String code() {
    return code;
  }

  public boolean over() {
    return compareTo(COMPLETED) >= 0;
  }
}
