package gflow.daemon;

import gflow.daemon.Listing.Target;
import gflow.job.Job;
import gflow.job.JobId;
import gflow.job.JobRef;
import gflow.job.Owner;
import gflow.job.Ranges;
import gflow.store.History;
import gflow.store.Store.StoreException;
import java.util.Optional;

/** Finds the job, over or not, that a user means. */
final class JobFinder {
  private final History history;

  JobFinder(History history) {
    this.history = history;
  }

  /** The unfinished job first; {@code core} is only there on the loop's thread. */
  Target find(Core core, JobRef ref, Owner caller) throws Refusal {
    JobId number = number(core, ref, caller);
    Optional<Job> live = core.ledger().owner(number);
    Job job = (live.isPresent() ? live : past(number)).orElseThrow(() -> noSuchJob(ref));
    return new Target(job, offsets(job, ref, number));
  }

  /** The same with a number for {@code @}. */
  JobRef resolved(Core core, JobRef ref, Owner caller) throws Refusal {
    return plain(ref, find(core, ref, caller).job());
  }

  /** The same with the number of the job that was found for it. */
  static JobRef plain(JobRef ref, Job found) {
    return switch (ref) {
      case JobRef.ById _, JobRef.ArrayTask _ -> ref;
      case JobRef.Last() -> new JobRef.ById(found.id());
      case JobRef.LastTask(int index) -> new JobRef.ArrayTask(found.id(), index);
    };
  }

  private JobId number(Core core, JobRef ref, Owner caller) throws Refusal {
    return switch (ref) {
      case JobRef.ById(JobId id) -> id;
      case JobRef.ArrayTask(JobId array, int index) -> array;
      case JobRef.Last _, JobRef.LastTask _ ->
          last(core, caller).orElseThrow(() -> new Refusal("@: you have not submitted a job yet"));
    };
  }

  private Optional<JobId> last(Core core, Owner caller) throws Refusal {
    Optional<JobId> live =
        core.ledger().newestFirst().stream()
            .filter(j -> j.spec().owner().uid() == caller.uid())
            .map(Job::id)
            .findFirst();
    try {
      Optional<JobId> past = history.lastJob(caller.uid());
      return live.isPresent() && (past.isEmpty() || live.get().compareTo(past.get()) > 0)
          ? live
          : past;
    } catch (StoreException e) {
      throw new Refusal(String.valueOf(e.getMessage()));
    }
  }

  private static Ranges offsets(Job job, JobRef ref, JobId number) throws Refusal {
    int offset = (int) (number.value() - job.id().value());
    if (plain(ref, job) instanceof JobRef.ArrayTask(JobId array, int index)) {
      int at = job.spec().tasks().array().map(a -> a.indexOf(index)).orElse(-1);
      if (at < 0 || offset != 0) {
        throw noSuchJob(ref);
      }
      return Ranges.of(at, at);
    }
    return offset == 0 ? Ranges.firstN(job.spec().tasks().count()) : Ranges.of(offset, offset);
  }

  private Optional<Job> past(JobId number) throws Refusal {
    try {
      return history.job(number);
    } catch (StoreException e) {
      throw new Refusal(String.valueOf(e.getMessage()));
    }
  }

  static Refusal noSuchJob(JobRef ref) {
    return new Refusal("there is no job " + ref + " (gqueue -s all lists those that ended)");
  }
}
