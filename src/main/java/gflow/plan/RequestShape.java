package gflow.plan;

import gflow.job.Request;
import java.time.Duration;
import java.util.List;
import java.util.Optional;

/** What two candidates must have in common to be as good as each other but for their age. */
record RequestShape(
    int uid,
    Optional<String> project,
    Request request,
    Optional<Duration> timeLimit,
    int priority,
    List<Integer> ports) {
  static RequestShape of(Candidate c) {
    return new RequestShape(
        c.owner().uid(), c.project(), c.request(), c.timeLimit(), c.priority(), c.ports());
  }
}
