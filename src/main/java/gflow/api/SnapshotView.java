package gflow.api;

import java.util.List;

/**
 * All that is not over, as of the change of that {@code number} or a little later. The {@code
 * epoch} names this life of the daemon: numbers of another life mean nothing in it.
 */
public record SnapshotView(
    String epoch,
    long number,
    List<JobView> jobs,
    List<StepView> steps,
    MachineView machine,
    List<ProblemView> problems) {}
