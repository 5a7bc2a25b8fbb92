package gflow.api;

import gflow.job.JobRef;
import gflow.job.JobState;
import gflow.job.Recipients;
import gflow.job.StepRef;
import gflow.script.order.Order;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Set;
import java.util.SortedMap;

/**
 * The service. In the daemon it is the real thing, elsewhere a client that speaks HTTP; commands do
 * not see the difference. An instance speaks for one caller, whose identity the kernel gave.
 */
public interface Gflow {
  <A> Answer<A> ask(ApiRequest<A> request);

  /** All orders or none. A repeated key gets the first answer again and submits nothing. */
  default Answer<List<Receipt>> submit(List<Order> orders, Optional<String> key) {
    return orders.isEmpty() ? Answer.ok(List.of()) : ask(new ApiRequest.Submit(orders, key));
  }

  /** What submit would do, without doing it. */
  default Answer<List<Preview>> tryOut(List<Order> orders) {
    return orders.isEmpty() ? Answer.ok(List.of()) : ask(new ApiRequest.TryOut(orders));
  }

  default Answer<JobList> jobs(JobQuery query) {
    return ask(new ApiRequest.Jobs(query));
  }

  /** The job, or each task of it that a row of its own is known for. */
  default Answer<List<JobView>> show(JobRef ref) {
    return ask(new ApiRequest.Show(ref));
  }

  default Answer<List<Done>> cancel(Selection selection) {
    return ask(new ApiRequest.Cancel(selection));
  }

  default Answer<List<Done>> hold(List<JobRef> jobs) {
    return ask(new ApiRequest.Hold(jobs));
  }

  default Answer<List<Done>> release(List<JobRef> jobs, Optional<Instant> begin) {
    return ask(new ApiRequest.Release(jobs, begin));
  }

  /** Changes options of waiting jobs; {@code time} also of running ones. */
  default Answer<List<Done>> update(
      List<JobRef> jobs, SortedMap<String, String> options, Optional<String> key) {
    return ask(new ApiRequest.Update(jobs, options, key));
  }

  /** Sends a signal to what runs of these jobs; it does not end them. */
  default Answer<List<Done>> signal(List<JobRef> jobs, int signal, Recipients to) {
    return ask(new ApiRequest.Signal(jobs, signal, to));
  }

  /** Ends what runs of these jobs and has it run again under the same id, held if so wanted. */
  default Answer<List<Done>> requeue(List<JobRef> jobs, boolean hold) {
    return ask(new ApiRequest.Requeue(jobs, hold));
  }

  /** The same job again; {@code failedOnly}: of an array only the tasks that did not end well. */
  default Answer<List<Receipt>> redo(JobRef job, boolean failedOnly, Optional<String> key) {
    return ask(new ApiRequest.Redo(job, failedOnly, key));
  }

  /** Returns when the job is over, all of it. */
  default Answer<List<JobView>> await(JobRef job) {
    return ask(new ApiRequest.Wait(job));
  }

  /**
   * A step inside a running job; returns as soon as it may run, or after so long. The caller keeps
   * its place in the queue when it asks again.
   */
  default Answer<StepAnswer> step(StepOrder order, Duration patience) {
    return ask(new ApiRequest.Step(order, patience));
  }

  /** Lets a process into a job; returns as soon as that runs or is over, or after so long. */
  default Answer<JoinAnswer> join(JoinOrder order, Duration patience) {
    return ask(new ApiRequest.Join(order, patience));
  }

  /** Sends a signal to a step that runs; without one it is cancelled. */
  default Answer<List<Done>> endStep(StepRef step, OptionalInt signal) {
    return ask(new ApiRequest.EndStep(step, signal));
  }

  /** The steps of a job or task, those that are over too. */
  default Answer<List<StepView>> steps(JobRef job) {
    return ask(new ApiRequest.Steps(job));
  }

  /**
   * For the program inside a running elastic job: takes GPUs back, and returns which ones it has as
   * soon as they are not those that it knows, or after so long.
   */
  default Answer<GpusView> gpus(JobRef job, GpusOrder order, Duration patience) {
    return ask(new ApiRequest.JobGpus(job, order, patience));
  }

  /** How far a running job is, in one line, until it says another or the daemon ends. */
  default Answer<Done> progress(JobRef job, String text) {
    return ask(new ApiRequest.Progress(job, text));
  }

  /** Where the output of that job or task is. */
  default Answer<LogPlace> log(JobRef job) {
    return ask(new ApiRequest.Log(job));
  }

  default Answer<MachineView> machine() {
    return ask(new ApiRequest.Machine());
  }

  /** What an operator has set, and where. */
  default Answer<ControlsView> controls() {
    return ask(new ApiRequest.Controls());
  }

  default Answer<Done> control(Control control) {
    return ask(new ApiRequest.Control(control));
  }

  default Answer<StatsView> stats(
      Optional<String> user, Optional<String> project, Optional<Instant> since) {
    return ask(new ApiRequest.Stats(user, project, since));
  }

  default Answer<DaemonStatus> status() {
    return ask(new ApiRequest.Status());
  }

  /** Ends the daemon after the answer; jobs go on unless they are cancelled too. */
  default Answer<Done> down(boolean cancelJobs) {
    return ask(new ApiRequest.Down(cancelJobs));
  }

  record Receipt(long jobId, int tasks, String name, String logPath) {}

  /** {@code waits} is empty if it would start at once; the id is the one it would get now. */
  record Preview(
      long jobId,
      String name,
      int tasks,
      int cpus,
      String command,
      String resources,
      String waits,
      List<String> first) {}

  /**
   * Empty collections say nothing; states default to those that are not over. {@code endedSince}
   * leaves out what was over before.
   */
  record JobQuery(
      List<JobRef> jobs,
      Set<JobState> states,
      List<String> users,
      List<String> names,
      Optional<String> project,
      Optional<Instant> endedSince,
      int limit) {
    public JobQuery(
        List<JobRef> jobs,
        Set<JobState> states,
        List<String> users,
        List<String> names,
        Optional<String> project,
        int limit) {
      this(jobs, states, users, names, project, Optional.empty(), limit);
    }
  }

  /** The jobs that fit, at most as many as asked for, and how many there are. */
  record JobList(List<JobView> jobs, long total) {}

  /**
   * Which jobs to cancel: those named, or all that fit the rest (which must say something). With
   * states only their tasks in these; {@code held}: of the pending ones those that are held, or
   * those that are not.
   */
  record Selection(
      List<JobRef> jobs,
      Set<JobState> states,
      Optional<Boolean> held,
      List<String> users,
      List<String> names,
      boolean all) {
    public static final Selection ALL =
        new Selection(List.of(), Set.of(), Optional.empty(), List.of(), List.of(), true);

    public static Selection of(List<JobRef> jobs) {
      return new Selection(jobs, Set.of(), Optional.empty(), List.of(), List.of(), false);
    }
  }

  /** What was done to one job; {@code changed} is false if there was nothing to do. */
  record Done(String job, boolean changed, String text) {
    private static final String UNKNOWN = "no such job";

    public static Done unknown(String job) {
      return new Done(job, false, UNKNOWN);
    }

    public boolean isUnknown() {
      return !changed && text.equals(UNKNOWN);
    }
  }

  record LogPlace(String path, Optional<String> errorPath, boolean over, Optional<String> oneOf) {}

  /** What an operator may change; it outlives the daemon. */
  sealed interface Control {
    /** Only these indices get new jobs; empty = all. */
    record SetGpus(Optional<List<Integer>> allowed) implements Control {}

    record Drain(List<Integer> gpus, String why) implements Control {}

    record Undrain(List<Integer> gpus) implements Control {}

    /** Nothing starts; what runs goes on. */
    record Pause(String why) implements Control {}

    record Resume() implements Control {}

    /** Of a job ({@code 42}), a user ({@code user:alice}) or a project; 0 removes the limit. */
    record SetLimit(String subject, int limit) implements Control {}

    /** Ignore outsiders of that user or command; or no longer. */
    record Ignore(boolean byUser, String name, boolean add) implements Control {}

    record Prune(Instant endedBefore) implements Control {}
  }
}
