package gflow.local;

import gflow.job.Allocation;
import gflow.job.Allocation.GpuGrant;
import gflow.job.AttemptId;
import gflow.job.GpuId;
import gflow.job.Ranges;
import java.io.IOException;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/**
 * The locks of GPUs on loan. A running job cannot inherit one, so the daemon holds it for the job,
 * and the next daemon takes it again. Each GPU is for one thread at a time.
 */
final class LoanLocks {
  private static final Logger LOG = System.getLogger("gflow.local");

  private final GpuLocks locks;
  private final Map<GpuId, List<Integer>> open = new ConcurrentHashMap<>();

  LoanLocks(GpuLocks locks) {
    this.locks = locks;
  }

  /** Whether it has the GPU's lock now. */
  boolean take(AttemptId id, GpuGrant grant) {
    if (open.containsKey(grant.gpu())) {
      return true;
    }
    try {
      var alone = new Allocation(List.of(grant), Ranges.EMPTY, 0);
      if (locks.take(alone) instanceof GpuLocks.Taken.All(List<Integer> held)) {
        open.put(grant.gpu(), held);
        return true;
      }
      LOG.log(Level.WARNING, "GPU " + grant.index() + " cannot be lent to " + id + ": in use");
    } catch (IOException e) {
      LOG.log(Level.WARNING, "GPU " + grant.index() + " cannot be locked: " + e.getMessage());
    }
    return false;
  }

  void release(GpuId gpu) {
    List<Integer> held = open.remove(gpu);
    if (held != null) {
      GpuLocks.close(held);
    }
  }
}
