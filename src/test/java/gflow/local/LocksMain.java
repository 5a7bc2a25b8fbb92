package gflow.local;

import gflow.job.Allocation;
import gflow.job.Allocation.GpuGrant;
import gflow.job.GpuId;
import gflow.job.GpuPart;
import gflow.job.Ranges;
import java.nio.file.Path;
import java.util.List;

/** Takes the lock of one GPU in a folder, as the user who runs it, and says what came of it. */
public final class LocksMain {
  private LocksMain() {}

  public static void main(String[] words) throws Exception {
    var gpu = new GpuGrant(new GpuId(words[1]), 0, GpuPart.WHOLE, 0);
    var locks = new GpuLocks(Path.of(words[0]), false, "victim");
    try {
      var taken = locks.take(new Allocation(List.of(gpu), Ranges.EMPTY, 0));
      System.out.println(taken instanceof GpuLocks.Taken.All ? "taken" : "in use");
    } catch (java.io.IOException e) {
      System.out.println("refused");
    }
  }
}
