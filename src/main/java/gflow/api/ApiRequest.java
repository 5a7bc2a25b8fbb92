package gflow.api;

import gflow.api.Gflow.Done;
import gflow.api.Gflow.JobList;
import gflow.api.Gflow.LogPlace;
import gflow.api.Gflow.Preview;
import gflow.api.Gflow.Receipt;
import gflow.job.JobRef;
import gflow.job.Recipients;
import gflow.job.StepRef;
import gflow.script.order.Order;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.OptionalLong;
import java.util.SortedMap;

/** What may be asked of the daemon; the answer to each is an {@code A}. See {@link Gflow}. */
public sealed interface ApiRequest<A> {
  /** By which a request that is sent again is known, so that it is done once. */
  default Optional<String> key() {
    return Optional.empty();
  }

  /** What is asked for, the same when somebody asks it again: without keys and numbers of tries. */
  default Object words() {
    return this;
  }

  /** {@code end step}. */
  default String name() {
    return getClass().getSimpleName().replaceAll("\\B([A-Z])", " $1").toLowerCase(Locale.ROOT);
  }

  /** One that is about a single job, which its path names. */
  sealed interface OfJob<A> extends ApiRequest<A> {
    JobRef job();
  }

  record Submit(List<Order> orders, Optional<String> key) implements ApiRequest<List<Receipt>> {
    @Override
    public Object words() {
      return plain(orders);
    }
  }

  record TryOut(List<Order> orders) implements ApiRequest<List<Preview>> {
    @Override
    public Object words() {
      return plain(orders);
    }
  }

  record Jobs(Gflow.JobQuery query) implements ApiRequest<JobList> {}

  record Show(JobRef job) implements OfJob<List<JobView>> {}

  record Cancel(Gflow.Selection selection) implements ApiRequest<List<Done>> {}

  record Hold(List<JobRef> jobs) implements ApiRequest<List<Done>> {}

  record Release(List<JobRef> jobs, Optional<Instant> begin) implements ApiRequest<List<Done>> {}

  record Update(List<JobRef> jobs, SortedMap<String, String> options, Optional<String> key)
      implements ApiRequest<List<Done>> {
    @Override
    public Object words() {
      return List.of(jobs, options);
    }
  }

  record Signal(List<JobRef> jobs, int signal, Recipients to) implements ApiRequest<List<Done>> {}

  record Requeue(List<JobRef> jobs, boolean hold) implements ApiRequest<List<Done>> {}

  record Redo(JobRef job, boolean failedOnly, Optional<String> key)
      implements OfJob<List<Receipt>> {
    @Override
    public Object words() {
      return List.of(job, failedOnly);
    }
  }

  record Wait(JobRef job) implements OfJob<List<JobView>> {}

  /** A step is known by who asks, so to ask again is safe. */
  record Step(StepOrder order, Duration patience) implements ApiRequest<StepAnswer> {
    @Override
    public Optional<String> key() {
      return Optional.of("step-" + order.pid() + "-" + order.startTime());
    }

    @Override
    public Object words() {
      return List.of(order.name(), order.request(), order.timeLimit());
    }
  }

  record Join(JoinOrder order, Duration patience) implements ApiRequest<JoinAnswer> {
    @Override
    public Optional<String> key() {
      return Optional.of("join-" + order.pid() + "-" + order.startTime());
    }

    @Override
    public Object words() {
      return List.of(order.job(), order.holds());
    }
  }

  record EndStep(StepRef step, OptionalInt signal) implements ApiRequest<List<Done>> {}

  record Steps(JobRef job) implements OfJob<List<StepView>> {}

  /** To give a GPU back twice is no error, so to ask again is safe. */
  record JobGpus(JobRef job, GpusOrder order, Duration patience) implements OfJob<GpusView> {
    @Override
    public Optional<String> key() {
      return Optional.of("cards-" + job);
    }
  }

  record Progress(JobRef job, String text) implements OfJob<Done> {}

  record Log(JobRef job) implements OfJob<LogPlace> {}

  record Machine() implements ApiRequest<MachineView> {}

  record Controls() implements ApiRequest<ControlsView> {}

  record Control(Gflow.Control control) implements ApiRequest<Done> {}

  record Stats(Optional<String> user, Optional<String> project, Optional<Instant> since)
      implements ApiRequest<StatsView> {}

  record Snapshot() implements ApiRequest<SnapshotView> {}

  /**
   * What has changed after that number, as soon as there is something, or after so long. Without a
   * number nothing has: the answer says at once which number is the last.
   */
  record Changes(String epoch, OptionalLong after, Duration patience)
      implements ApiRequest<ChangesView> {
    /** For whoever wants to hear of what changes from now on. */
    public static final Changes NOW = new Changes("", OptionalLong.empty(), Duration.ZERO);

    /** What comes after these. */
    public static Changes after(ChangesView known, Duration patience) {
      return new Changes(known.epoch(), OptionalLong.of(known.number()), patience);
    }
  }

  record Status() implements ApiRequest<DaemonStatus> {}

  record Down(boolean cancelJobs) implements ApiRequest<Done> {}

  /** Without where the orders come from, which is another for each try. */
  private static List<?> plain(List<Order> orders) {
    return orders.stream().map(OrderJson::writeWithoutOrigin).toList();
  }
}
