package gflow.cli;

import gflow.job.JobState;
import java.util.List;

/**
 * A line of {@code sacct}: a job, or what ran in it. {@code step} is empty for the job itself, and
 * {@code batch} for its script.
 */
record SacctRow(SlurmJob job, String step, int callersUid, String caller) {
  static final String BATCH = "batch";

  boolean whole() {
    return step.isEmpty();
  }

  /** The job, and its script if it has run. */
  static List<SacctRow> of(SlurmJob job, boolean onlyWhole, int uid, String caller) {
    var whole = new SacctRow(job, "", uid, caller);
    return onlyWhole || job.nodes().isEmpty()
        ? List.of(whole)
        : List.of(whole, new SacctRow(job, BATCH, uid, caller));
  }

  String id() {
    return with(job.id());
  }

  String rawId() {
    return with(Long.toString(job.view().jobId()));
  }

  private String with(String id) {
    return whole() ? id : id + "." + step;
  }

  /** {@code CANCELLED by 1000} of the job, where it is known who that was. */
  String state() {
    String state = job.view().state();
    boolean cancelled = whole() && job.is(JobState.CANCELLED) && job.view().reason() != null;
    return cancelled && job.view().reason().equals("cancelled by " + caller)
        ? state + " by " + callersUid
        : state;
  }
}
