package gflow.daemon.service;

import gflow.api.Answer;
import gflow.api.DaemonStatus;
import gflow.api.EventView;
import gflow.api.Gflow;
import gflow.api.GpusOrder;
import gflow.api.GpusView;
import gflow.api.JobView;
import gflow.api.JoinAnswer;
import gflow.api.JoinOrder;
import gflow.api.MachineView;
import gflow.api.StatsView;
import gflow.api.StepAnswer;
import gflow.api.StepOrder;
import gflow.api.StepView;
import gflow.daemon.core.Refusal;
import gflow.daemon.core.Requests;
import gflow.job.JobRef;
import gflow.job.Owner;
import gflow.job.Recipients;
import gflow.job.StepRef;
import gflow.job.TaskId;
import gflow.script.order.Order;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.SortedMap;
import java.util.function.Predicate;
import java.util.function.Supplier;

/** The service in the daemon, for one caller. */
public final class Service implements Gflow {
  private final Owner caller;
  private final Parts parts;

  /** What all callers share. */
  public record Parts(
      Requests requests,
      Submitting submitting,
      Editing editing,
      Querying reading,
      Stepping stepping,
      Joining joining,
      InJobRequests inside,
      Operating operating,
      Waiters waiters,
      Events events,
      Life life) {}

  /** The daemon's own life. */
  public interface Life {
    DaemonStatus status() throws Refusal;

    Done down(boolean cancelJobs, Owner caller) throws Refusal;

    /** Looks at the cards now, because somebody asks. */
    void lookAtGpus();
  }

  public Service(Owner caller, Parts parts) {
    this.caller = caller;
    this.parts = parts;
  }

  private <T> Answer<T> answer(String name, Supplier<?> words, Requests.Part<T> part) {
    return parts.requests().answer(new Requests.Request(name, words), part);
  }

  @Override
  public Answer<List<Receipt>> submit(List<Order> orders, Optional<String> key) {
    return answer(
        "submit", () -> plain(orders), () -> parts.submitting().submit(orders, key, caller));
  }

  /** Without where they come from, which is another for each try. */
  private static List<?> plain(List<Order> orders) {
    return orders.stream()
        .map(order -> List.of(order.options(), plain(order.body()), order.files().keySet()))
        .toList();
  }

  private static Object plain(Order.Body body) {
    return body instanceof Order.Body.Script(var name, var text, var arguments, _)
        ? List.of(name, Arrays.hashCode(text), arguments)
        : body;
  }

  @Override
  public Answer<List<Preview>> tryOut(List<Order> orders) {
    return answer("try out", () -> plain(orders), () -> parts.submitting().tryOut(orders, caller));
  }

  @Override
  public Answer<JobList> jobs(JobQuery query) {
    return answer("list", () -> query, () -> parts.reading().jobs(query, caller));
  }

  @Override
  public Answer<List<JobView>> show(JobRef ref) {
    return answer("show", () -> ref, () -> parts.reading().show(ref, caller));
  }

  @Override
  public Answer<List<Done>> cancel(Selection selection) {
    return answer("cancel", () -> selection, () -> parts.editing().cancel(selection, caller));
  }

  @Override
  public Answer<List<Done>> hold(List<JobRef> jobs) {
    return answer("hold", () -> jobs, () -> parts.editing().hold(jobs, caller));
  }

  @Override
  public Answer<List<Done>> release(List<JobRef> jobs, Optional<Instant> begin) {
    return answer(
        "release", () -> List.of(jobs, begin), () -> parts.editing().release(jobs, begin, caller));
  }

  @Override
  public Answer<List<Done>> update(
      List<JobRef> jobs, SortedMap<String, String> options, Optional<String> key) {
    return answer(
        "update",
        () -> List.of(jobs, options),
        () -> parts.editing().update(jobs, options, key, caller));
  }

  @Override
  public Answer<List<Done>> signal(List<JobRef> jobs, int signal, Recipients to) {
    return answer(
        "signal",
        () -> List.of(jobs, signal, to),
        () -> parts.editing().signal(jobs, signal, to, caller));
  }

  @Override
  public Answer<List<Done>> requeue(List<JobRef> jobs, boolean hold) {
    return answer(
        "requeue", () -> List.of(jobs, hold), () -> parts.editing().requeue(jobs, hold, caller));
  }

  @Override
  public Answer<List<Receipt>> redo(JobRef job, boolean failedOnly, Optional<String> key) {
    return answer(
        "redo",
        () -> List.of(job, failedOnly),
        () -> parts.editing().redo(job, failedOnly, key, caller));
  }

  @Override
  public Answer<List<JobView>> await(JobRef job) {
    return answer("wait", () -> job, () -> parts.reading().await(job, caller, parts.waiters()));
  }

  @Override
  public Answer<StepAnswer> step(StepOrder order, Duration patience) {
    return answer(
        "step",
        () -> List.of(order.name(), order.request(), order.timeLimit()),
        () -> parts.stepping().step(order, patience, caller));
  }

  @Override
  public Answer<JoinAnswer> join(JoinOrder order, Duration patience) {
    return answer(
        "join",
        () -> List.of(order.job(), order.holds()),
        () -> parts.joining().join(order, patience, caller));
  }

  @Override
  public Answer<List<Done>> endStep(StepRef step, OptionalInt signal) {
    return answer(
        "end step", () -> List.of(step, signal), () -> parts.stepping().end(step, signal, caller));
  }

  @Override
  public Answer<List<StepView>> steps(JobRef job) {
    return answer(
        "steps",
        () -> job,
        () -> {
          var all = new ArrayList<StepView>();
          for (TaskId task : parts.reading().stepped(job, caller)) {
            int before = all.size();
            all.addAll(parts.stepping().steps(task));
            parts.reading().check(before, all.size());
          }
          return List.copyOf(all);
        });
  }

  @Override
  public Answer<GpusView> cards(JobRef job, GpusOrder order, Duration patience) {
    return answer(
        "cards",
        () -> List.of(job, order),
        () -> parts.inside().cards(job, order, patience, caller));
  }

  @Override
  public Answer<Done> progress(JobRef job, String text) {
    return answer(
        "progress", () -> List.of(job, text), () -> parts.inside().progress(job, text, caller));
  }

  @Override
  public Answer<LogPlace> log(JobRef job) {
    return answer("log", () -> job, () -> parts.reading().log(job, caller));
  }

  @Override
  public Answer<MachineView> machine() {
    return answer(
        "machine",
        () -> "",
        () -> {
          parts.life().lookAtGpus();
          return parts.operating().machine();
        });
  }

  @Override
  public Answer<Done> control(Control control) {
    return answer("control", () -> control, () -> parts.operating().control(control));
  }

  @Override
  public Answer<StatsView> stats(
      Optional<String> user, Optional<String> project, Optional<Instant> since) {
    return answer(
        "stats",
        () -> List.of(user, project, since),
        () -> parts.reading().stats(user, project, since));
  }

  @Override
  public Answer<DaemonStatus> status() {
    return answer("status", () -> "", () -> parts.life().status());
  }

  @Override
  public Answer<Done> down(boolean cancelJobs) {
    return answer("down", () -> cancelJobs, () -> parts.life().down(cancelJobs, caller));
  }

  @Override
  public void events(Predicate<EventView> receiver) {
    parts.events().follow(receiver);
  }
}
