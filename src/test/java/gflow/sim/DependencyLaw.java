package gflow.sim;

import gflow.job.Dependencies.Dependency;
import gflow.job.Dependencies.Kind;
import gflow.job.Job;
import gflow.job.JobId;
import gflow.job.JobRef;
import gflow.store.History;
import gflow.store.Store.StoreException;
import java.time.Instant;
import java.util.List;

/** A job that starts had what it waited for, judged again from what is on disk. */
record DependencyLaw(History history, List<Job> unfinished, Instant now) {
  void check(Job child) {
    var dependencies = child.spec().terms().dependencies();
    if (dependencies.isEmpty()) {
      return;
    }
    long met = dependencies.list().stream().filter(d -> met(child, d)).count();
    boolean enough = dependencies.any() ? met > 0 : met == dependencies.list().size();
    Violation.unless(enough, "job " + child.id() + " starts before its dependencies are met");
  }

  private boolean met(Job child, Dependency d) {
    if (d.kind() == Kind.SINGLETON) {
      return unfinished.stream()
          .filter(j -> j.id().compareTo(child.id()) < 0)
          .noneMatch(
              j ->
                  j.spec().name().equals(child.spec().name())
                      && j.spec().owner().equals(child.spec().owner()));
    }
    JobId number =
        switch (d.parent().orElseThrow()) {
          case JobRef.ById(JobId id) -> id;
          case JobRef.ArrayTask(JobId array, int index) -> array;
          case JobRef.Last _, JobRef.LastTask _ -> throw new Violation("@ was not resolved");
        };
    Job parent = find(number);
    return number.equals(parent.id()) ? whole(parent, d) : task(parent, number, d);
  }

  private boolean whole(Job parent, Dependency d) {
    boolean allOk = parent.tally().completed() == parent.spec().tasks().count();
    Instant due = parent.tally().lastStart().plus(d.delay());
    return switch (d.kind()) {
      case AFTEROK -> parent.over() && allOk;
      case AFTERNOTOK -> parent.over() && !allOk;
      case AFTERANY, SINGLETON -> parent.over();
      case AFTER -> parent.waiting().isEmpty() && parent.held().isEmpty() && !due.isAfter(now);
    };
  }

  private boolean task(Job parent, JobId number, Dependency d) {
    int offset = (int) (number.value() - parent.id().value());
    boolean waits = parent.waiting().contains(offset) || parent.held().contains(offset);
    boolean over = !waits && !parent.live().containsKey(offset);
    boolean failed = parent.tally().failed().contains(offset);
    return switch (d.kind()) {
      case AFTEROK -> over && !failed;
      case AFTERNOTOK -> over && failed;
      case AFTERANY, SINGLETON -> over;
      case AFTER -> !waits;
    };
  }

  private Job find(JobId number) {
    try {
      return history.job(number).orElseThrow();
    } catch (StoreException e) {
      throw new IllegalStateException(e);
    }
  }
}
