package gflow.sim;

import gflow.job.Attempt;
import gflow.job.AttemptId;
import gflow.job.GpuId;
import gflow.job.Job;
import gflow.job.Loan;
import java.util.Comparator;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;

/**
 * Of what is committed: a GPU on loan is nobody else's, and comes back at the latest at the end.
 */
final class GpuLaws {
  private static final Comparator<AttemptId> ORDER = SimMachine.ORDER;

  private final Map<AttemptId, Set<GpuId>> own = new TreeMap<>(ORDER);
  private final Map<GpuId, AttemptId> lent = new TreeMap<>();

  void started(AttemptId id, Attempt attempt) {
    var gpus = new TreeSet<GpuId>();
    attempt.allocation().gpus().forEach(grant -> gpus.add(grant.gpu()));
    for (GpuId gpu : gpus) {
      Violation.unless(!lent.containsKey(gpu), id + " starts on " + gpu + ", which is on loan");
    }
    own.put(id, gpus);
  }

  void lent(AttemptId id, Loan loan, Job job) {
    GpuId gpu = loan.grant().gpu();
    Violation.unless(own.containsKey(id), id + " gets a GPU on loan and does not run");
    Violation.unless(
        own.values().stream().noneMatch(gpus -> gpus.contains(gpu)),
        gpu + " is lent to " + id + ", but somebody has it");
    AttemptId before = lent.put(gpu, id);
    Violation.unless(before == null, gpu + " is lent to " + id + " and to " + before);
    long all = lent.values().stream().filter(id::equals).count() + own.get(id).size();
    Violation.unless(all <= job.spec().request().mostGpus(), id + " has more than its most");
  }

  void back(AttemptId id, GpuId gpu) {
    Violation.unless(id.equals(lent.remove(gpu)), gpu + " was not lent to " + id);
  }

  void over(AttemptId id) {
    Violation.unless(!lent.containsValue(id), id + " is over and has GPUs on loan: " + lent);
    own.remove(id);
  }
}
