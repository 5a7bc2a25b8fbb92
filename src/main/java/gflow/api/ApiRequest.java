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

  /** All orders or none. A repeated key gets the first answer again and submits nothing. */
  record Submit(List<Order> orders, Optional<String> key) implements ApiRequest<List<Receipt>> {
    @Override
    public Object words() {
      return plain(orders);
    }
  }

  /** What submit would do, without doing it. */
  record TryOut(List<Order> orders) implements ApiRequest<List<Preview>> {
    @Override
    public Object words() {
      return plain(orders);
    }
  }

  record Jobs(Gflow.JobQuery query) implements ApiRequest<JobList> {}

  /** The job, or each task of it that a row of its own is known for. */
  record Show(JobRef job) implements OfJob<List<JobView>> {}

  record Cancel(Gflow.Selection selection) implements ApiRequest<List<Done>> {}

  record Hold(List<JobRef> jobs) implements ApiRequest<List<Done>> {}

  record Release(List<JobRef> jobs, Optional<Instant> begin) implements ApiRequest<List<Done>> {}

  /** Changes options of waiting jobs; {@code time} also of running ones. */
  record Update(List<JobRef> jobs, SortedMap<String, String> options, Optional<String> key)
      implements ApiRequest<List<Done>> {
    @Override
    public Object words() {
      return List.of(jobs, options);
    }
  }

  /** Sends a signal to what runs of these jobs; it does not end them. */
  record Signal(List<JobRef> jobs, int signal, Recipients to) implements ApiRequest<List<Done>> {}

  /** Ends what runs of these jobs and has it run again under the same id, held if so wanted. */
  record Requeue(List<JobRef> jobs, boolean hold) implements ApiRequest<List<Done>> {}

  /** The same job again; {@code failedOnly}: of an array only the tasks that did not end well. */
  record Redo(JobRef job, boolean failedOnly, Optional<String> key)
      implements OfJob<List<Receipt>> {
    @Override
    public Object words() {
      return List.of(job, failedOnly);
    }
  }

  /** Answered when the job is over, all of it. */
  record Wait(JobRef job) implements OfJob<List<JobView>> {}

  /**
   * A step inside a running job; answered as soon as it may run, or after so long. The caller keeps
   * its place in the queue when it asks again: a step is known by the process that asks.
   */
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

  /** Lets a process into a job; answered as soon as that runs or is over, or after so long. */
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

  /** Sends a signal to a step that runs; without one it is cancelled. */
  record EndStep(StepRef step, OptionalInt signal) implements ApiRequest<List<Done>> {}

  /** The steps of a job or task, those that are over too. */
  record Steps(JobRef job) implements OfJob<List<StepView>> {}

  /**
   * For the program inside a running elastic job: takes GPUs back, and answers which ones it has as
   * soon as they are not those that it knows, or after so long. To give a GPU back twice is no
   * error, so to ask again is safe.
   */
  record JobGpus(JobRef job, GpusOrder order, Duration patience) implements OfJob<GpusView> {
    @Override
    public Optional<String> key() {
      return Optional.of("cards-" + job);
    }
  }

  /** How far a running job is, in one line, until it says another or the daemon ends. */
  record Progress(JobRef job, String text) implements OfJob<Done> {}

  /** What the last attempt of a task made of its GPUs over time. */
  record Plot(JobRef job) implements OfJob<GpuCurveView> {}

  /** Where the output of that job or task is. */
  record Log(JobRef job) implements OfJob<LogPlace> {}

  record Machine() implements ApiRequest<MachineView> {}

  /** What an operator has set, and where. */
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

  /** Ends the daemon after the answer; jobs go on unless they are cancelled too. */
  record Down(boolean cancelJobs) implements ApiRequest<Done> {}

  /** Without where the orders come from, which is another for each try. */
  private static List<?> plain(List<Order> orders) {
    return orders.stream().map(OrderJson::writeWithoutOrigin).toList();
  }
}
