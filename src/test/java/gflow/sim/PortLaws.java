package gflow.sim;

import gflow.job.Attempt;
import gflow.job.AttemptId;
import gflow.job.Job;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** Of what is committed: no two that run have a port in common, their own or one they name. */
final class PortLaws {
  private final Map<AttemptId, List<Integer>> held = new TreeMap<>(SimMachine.ORDER);

  void started(AttemptId id, Attempt attempt, Job job) {
    var ports = new ArrayList<>(job.spec().asked().ports());
    if (attempt.allocation().port() > 0) {
      ports.add(attempt.allocation().port());
    }
    held.forEach(
        (other, taken) ->
            Violation.unless(
                taken.stream().noneMatch(ports::contains),
                id + " has ports " + ports + ", and " + other + " has " + taken));
    held.put(id, ports);
  }

  void over(AttemptId id) {
    held.remove(id);
  }
}
