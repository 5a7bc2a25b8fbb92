package gflow.daemon.core;

import gflow.job.Job;
import gflow.job.JobId;
import gflow.job.JobRef;
import gflow.job.Owner;
import gflow.job.Ranges;
import gflow.job.TaskId;
import gflow.job.TaskNumbers;
import gflow.store.History;
import gflow.store.History.Known;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.TreeMap;
import java.util.stream.Stream;

/**
 * Finds the jobs, over or not, that a user means: in the store, which knows all that was ever
 * answered, and so never on the loop's thread, for which others wait.
 */
public final class JobFinder {
  private final History history;

  public JobFinder(History history) {
    this.history = history;
  }

  /** Those tasks of a job; {@code ref} is how it was named, with a number for {@code @}. */
  public record Target(TaskNumbers numbers, Ranges offsets, JobRef ref) {
    public JobId job() {
      return numbers.id();
    }

    /** What stands for all of them. */
    public JobId number() {
      return offsets.size() == numbers.count() ? numbers.id() : first().number();
    }

    public TaskId first() {
      return numbers.task(offsets.first());
    }
  }

  public Target find(JobRef ref, Owner caller) throws Refusal {
    return all(List.of(ref), caller).getFirst();
  }

  /** All of them, or the refusal of the first that is not there. */
  public List<Target> all(List<JobRef> refs, Owner caller) throws Refusal {
    Past past = past(refs, caller);
    var targets = new ArrayList<Target>(refs.size());
    for (JobRef ref : refs) {
      targets.add(past.find(ref).orElseThrow(() -> noSuchJob(ref)));
    }
    return targets;
  }

  /** The job itself, as it is committed. */
  public Job whole(Target target) throws Refusal {
    return Refusal.stored(() -> history.job(target.job()))
        .orElseThrow(() -> noSuchJob(target.ref()));
  }

  /** What the store knows of these, with one question for all of them. */
  public Past past(Collection<JobRef> refs, Owner caller) throws Refusal {
    boolean last = refs.stream().anyMatch(JobFinder::isLast);
    Optional<JobId> newest =
        last ? Refusal.stored(() -> history.lastJob(caller.uid())) : Optional.<JobId>empty();
    var known = new TreeMap<JobId, Known>();
    var numbers =
        refs.stream().flatMap(ref -> plain(ref, newest).stream().map(DependencyIndex::number));
    for (Known job : Refusal.stored(() -> history.known(numbers.distinct().toList()))) {
      known.put(job.id(), job);
    }
    return new Past(newest, known);
  }

  /** The caller's newest job, and those that were looked for, as they were a moment ago. */
  public record Past(Optional<JobId> newest, TreeMap<JobId, Known> jobs) {
    /** Refused only if there is no last job. */
    public Optional<Target> find(JobRef ref) throws Refusal {
      JobRef plain = plain(ref, newest).orElseThrow(JobFinder::noLast);
      return owner(DependencyIndex.number(plain)).flatMap(job -> target(job, plain));
    }

    Optional<Known> owner(JobId number) {
      return Optional.ofNullable(jobs.floorEntry(number))
          .map(job -> job.getValue())
          .filter(job -> job.numbers().owns(number));
    }
  }

  /** The same on the loop's thread, where jobs are known that are not in the store yet. */
  public static JobRef resolved(Core core, JobRef ref, Past past, Owner caller) throws Refusal {
    Optional<JobId> newest =
        Stream.concat(core.ledger().newest(caller).stream(), past.newest().stream())
            .max(Comparator.naturalOrder());
    JobRef plain = plain(ref, newest).orElseThrow(JobFinder::noLast);
    JobId number = DependencyIndex.number(plain);
    return core.ledger()
        .owner(number)
        .map(Known::of)
        .or(() -> past.owner(number))
        .flatMap(job -> target(job, plain))
        .map(Target::ref)
        .orElseThrow(() -> noSuchJob(ref));
  }

  private static Optional<Target> target(Known job, JobRef plain) {
    JobId number = DependencyIndex.number(plain);
    if (plain instanceof JobRef.ArrayTask(JobId array, int index)) {
      int at = job.array().map(a -> a.indexOf(index)).orElse(-1);
      return at < 0 || !job.id().equals(array)
          ? Optional.empty()
          : Optional.of(new Target(job.numbers(), Ranges.of(at, at), plain));
    }
    return Optional.of(new Target(job.numbers(), job.numbers().offsets(number), plain));
  }

  private static boolean isLast(JobRef ref) {
    return ref instanceof JobRef.Last || ref instanceof JobRef.LastTask;
  }

  /** Empty if there is no last job. */
  private static Optional<JobRef> plain(JobRef ref, Optional<JobId> newest) {
    return switch (ref) {
      case JobRef.ById _, JobRef.ArrayTask _ -> Optional.of(ref);
      case JobRef.Last() -> newest.map(JobRef.ById::new);
      case JobRef.LastTask(int index) -> newest.map(id -> new JobRef.ArrayTask(id, index));
    };
  }

  private static Refusal noLast() {
    return new Refusal("@: you have not submitted a job yet");
  }

  static Refusal noSuchJob(JobRef ref) {
    return new Refusal("there is no job " + ref + " (gqueue -s all lists those that ended)");
  }
}
