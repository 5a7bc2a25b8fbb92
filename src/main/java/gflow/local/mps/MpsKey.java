package gflow.local.mps;

import gflow.job.Allocation;
import gflow.job.Allocation.GpuGrant;
import gflow.job.AttemptId;
import gflow.job.BlobId;
import gflow.job.JobSpec;
import gflow.job.MpsReason;
import java.nio.charset.StandardCharsets;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;

/**
 * Which server an attempt has. One with whole GPUs has its own, over all of them, so that programs
 * may choose among them by number; parts of a GPU share one with all that asked for it too, or
 * within one array if nobody asked.
 *
 * @param gpus in the machine's order, in which programs behind a fence count them
 * @param clients how many programs the attempt may have there
 */
public record MpsKey(String name, List<GpuGrant> gpus, int clients) {
  private static final int SHORT = 12;

  public MpsKey {
    gpus = List.copyOf(gpus);
  }

  public static Optional<MpsKey> of(JobSpec spec, AttemptId id, Allocation allocation) {
    List<GpuGrant> gpus =
        allocation.gpus().stream().sorted(Comparator.comparingInt(GpuGrant::index)).toList();
    boolean whole = gpus.stream().allMatch(GpuGrant::whole);
    boolean can = !gpus.isEmpty() && !allocation.hasMig() && (whole || gpus.size() == 1);
    return spec.mps()
        .filter(_ -> can && !spec.request().elastic())
        .map(reason -> new MpsKey(name(spec, reason, id, gpus), gpus, spec.spreadTasks()));
  }

  private static String name(JobSpec spec, MpsReason why, AttemptId id, List<GpuGrant> gpus) {
    GpuGrant first = gpus.getFirst();
    boolean asked = why == MpsReason.ASKED;
    if (first.whole() || !(asked || spec.isArray())) {
      return "attempt " + id;
    }
    String gpu = "gpu " + first.gpu().uuid();
    return asked ? gpu : gpu + " of " + id.task().job();
  }

  /** A path to a socket must be short. */
  String folder() {
    return BlobId.of(name.getBytes(StandardCharsets.UTF_8)).sha256().substring(0, SHORT);
  }

  String words() {
    return "the MPS server of GPU "
        + String.join(",", gpus.stream().map(gpu -> Integer.toString(gpu.index())).toList());
  }
}
