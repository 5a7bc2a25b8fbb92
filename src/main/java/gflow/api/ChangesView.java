package gflow.api;

import java.util.List;
import org.jspecify.annotations.Nullable;

/** What has changed; {@code number} is that of the last change that is known with these. */
public record ChangesView(String epoch, long number, List<Delta> deltas) {
  /**
   * Something as it is now, after that change. By its kind: a "job" is all rows of job {@code
   * jobId} that are not over, "ended" a row that is, then a "step", the "machine", and the
   * "problems" that are open.
   */
  public record Delta(
      long number,
      String time,
      String kind,
      @Nullable Long jobId,
      List<JobView> jobs,
      List<StepView> steps,
      @Nullable MachineView machine,
      List<ProblemView> problems) {}
}
