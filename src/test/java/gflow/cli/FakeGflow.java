package gflow.cli;

import gflow.api.Answer;
import gflow.api.ControlText;
import gflow.api.DaemonStatus;
import gflow.api.GpusOrder;
import gflow.api.GpusView;
import gflow.api.JobView;
import gflow.api.JoinAnswer;
import gflow.api.JoinOrder;
import gflow.api.MachineView;
import gflow.api.MethodGflow;
import gflow.api.StatsView;
import gflow.api.StepAnswer;
import gflow.api.StepOrder;
import gflow.api.StepView;
import gflow.cli.frame.JobText;
import gflow.job.JobRef;
import gflow.job.Recipients;
import gflow.job.StepRef;
import gflow.script.order.Defaults;
import gflow.script.order.Order;
import gflow.script.order.Orders;
import gflow.script.value.ArrayIndices;
import gflow.script.value.BadInput;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.SortedMap;
import org.jspecify.annotations.Nullable;

/**
 * A service with a few jobs in it that never change. It judges orders by the real rules and keeps
 * them; what else was asked of it is in {@code asked}.
 */
public class FakeGflow implements MethodGflow {
  public final List<String> asked = new ArrayList<>();
  public final List<Order> orders = new ArrayList<>();
  public List<JobView> jobs = Lab.jobs();
  JoinAnswer join = new JoinAnswer.Waits(100, "Resources: Need 4 GPUs, only 1 available");
  MachineView machine = Lab.machine();

  @Override
  public Answer<List<Receipt>> submit(List<Order> some, Optional<String> key) {
    for (Order order : some) {
      try {
        Orders.draft(order, Instant.EPOCH, ZoneOffset.UTC, Defaults.NONE);
      } catch (BadInput e) {
        return new Answer.No<>(Answer.Kind.USAGE, e.line());
      }
    }
    orders.addAll(some);
    var receipts = new ArrayList<Receipt>();
    for (Order order : some) {
      long id = 100L + receipts.size();
      receipts.add(new Receipt(id, 1, nameOf(order), "/logs/" + id + ".log"));
    }
    return Answer.ok(receipts);
  }

  private static String nameOf(Order order) {
    return switch (order.body()) {
      case Order.Body.Command(var words) -> words.getFirst();
      case Order.Body.Script(var name, _, _, _) -> name;
      case Order.Body.Wrap _ -> "wrap";
    };
  }

  @Override
  public Answer<List<Preview>> tryOut(List<Order> some) {
    return Answer.ok(
        List.of(
            new Preview(
                100,
                nameOf(some.getFirst()),
                some.size(),
                4,
                "python train.py",
                "4 GPUs",
                "(Resources: Need 4 GPUs, only 1 available)",
                List.of("python train.py"))));
  }

  @Override
  public Answer<JobList> jobs(JobQuery query) {
    for (JobRef ref : query.jobs()) {
      if (jobs.stream().noneMatch(job -> is(job, ref))) {
        return noJob(ref);
      }
    }
    List<JobView> fit =
        jobs.stream()
            .filter(job -> fits(job, query))
            .map(job -> job.withAttempts(List.of()))
            .toList();
    return Answer.ok(new JobList(fit.stream().limit(query.limit()).toList(), fit.size()));
  }

  private static boolean fits(JobView job, JobQuery query) {
    boolean state =
        query.states().isEmpty()
            ? !JobText.over(job)
            : query.states().contains(JobText.state(job).orElseThrow());
    return state
        && (query.jobs().isEmpty() || query.jobs().stream().anyMatch(ref -> is(job, ref)))
        && (query.users().isEmpty() || query.users().contains(job.user()))
        && (query.names().isEmpty() || query.names().contains(job.name()))
        && (query.project().isEmpty() || query.project().get().equals(job.project()));
  }

  private static boolean is(JobView job, JobRef ref) {
    return switch (ref) {
      case JobRef.ById(var id) ->
          id.value() == job.jobId() || Long.valueOf(id.value()).equals(job.arrayJobId());
      case JobRef.ArrayTask(var array, int index) ->
          Long.valueOf(array.value()).equals(job.arrayJobId())
              && (Integer.valueOf(index).equals(job.arrayTaskId()) || waits(job, index));
      case JobRef.Last _ -> job.jobId() == 45;
      case JobRef.LastTask _ -> false;
    };
  }

  private static boolean waits(JobView job, int index) {
    try {
      return job.arrayTasks() != null
          && ArrayIndices.parse(job.arrayTasks()).indices().contains(index);
    } catch (BadInput e) {
      throw new IllegalStateException(e);
    }
  }

  @Override
  public Answer<List<JobView>> show(JobRef ref) {
    List<JobView> found = jobs.stream().filter(job -> is(job, ref)).toList();
    return found.isEmpty() ? noJob(ref) : Answer.ok(found);
  }

  private static <T> Answer<T> noJob(JobRef ref) {
    return Answer.refused("there is no job " + ref);
  }

  @Override
  public Answer<List<Done>> cancel(Selection selection) {
    asked.add("cancel " + selection);
    var done = new ArrayList<Done>();
    if (selection.held().isPresent()) {
      return Answer.ok(
          jobs.stream()
              .filter(job -> job.state().equals("PENDING"))
              .filter(job -> job.held() == selection.held().get())
              .filter(job -> selection.names().isEmpty() || selection.names().contains(job.name()))
              .map(job -> new Done(Long.toString(job.jobId()), true, "cancelled"))
              .toList());
    }
    if (selection.names().contains("nosuch")) {
      return Answer.ok(List.of());
    }
    if (selection.jobs().isEmpty()) {
      return Answer.ok(
          List.of(new Done("42", true, "cancelled"), new Done("43", true, "cancelled")));
    }
    for (JobRef ref : selection.jobs()) {
      if (jobs.stream().noneMatch(job -> is(job, ref))) {
        done.add(Done.unknown(ref.toString()));
        continue;
      }
      JobView job = jobs.stream().filter(j -> is(j, ref)).findFirst().orElseThrow();
      done.add(
          JobText.over(job)
              ? new Done(ref.toString(), false, "had ended: " + job.state())
              : new Done(ref.toString(), true, "cancelled"));
    }
    return Answer.ok(done);
  }

  private Answer<List<Done>> toEach(List<JobRef> refs, String text) {
    for (JobRef ref : refs) {
      if (jobs.stream().noneMatch(job -> is(job, ref))) {
        return noJob(ref);
      }
    }
    return Answer.ok(refs.stream().map(r -> new Done(r.toString(), true, text)).toList());
  }

  @Override
  public Answer<List<Done>> hold(List<JobRef> refs) {
    return toEach(refs, "held");
  }

  @Override
  public Answer<List<Done>> release(List<JobRef> refs, Optional<Instant> begin) {
    return toEach(refs, "released" + begin.map(at -> ", not before " + at).orElse(""));
  }

  @Override
  public Answer<List<Done>> update(
      List<JobRef> refs, SortedMap<String, String> options, Optional<String> key) {
    return toEach(refs, "changed: " + options);
  }

  @Override
  public Answer<List<Done>> signal(List<JobRef> refs, int signal, Recipients to) {
    asked.add("signal " + refs + " " + signal + " " + to);
    return toEach(refs, "signalled");
  }

  @Override
  public Answer<List<Done>> requeue(List<JobRef> refs, boolean hold) {
    asked.add("requeue " + refs + (hold ? " held" : ""));
    for (JobRef ref : refs) {
      if (jobs.stream().anyMatch(job -> is(job, ref) && !job.requeue())) {
        return Answer.refused(
            "Requested operation is presently disabled for job "
                + ref
                + " (it was submitted without --requeue)");
      }
    }
    return toEach(refs, "requeued");
  }

  @Override
  public Answer<List<Receipt>> redo(JobRef job, boolean failedOnly, Optional<String> key) {
    asked.add("redo " + job + (failedOnly ? " failed" : "") + key.map(k -> " " + k).orElse(""));
    return jobs.stream().anyMatch(j -> is(j, job))
        ? Answer.ok(List.of(new Receipt(101, 1, "train", "/logs/101.log")))
        : noJob(job);
  }

  @Override
  public Answer<List<JobView>> await(JobRef job) {
    asked.add("await " + job);
    return job.toString().equals("100")
        ? Answer.ok(List.of(Lab.job("job_id", 100L, "state", "FAILED", "exit_code", 7L)))
        : show(job);
  }

  @Override
  public Answer<GpusView> gpus(JobRef job, GpusOrder order, Duration patience) {
    asked.add("cards " + job + " " + order);
    return noJob(job);
  }

  @Override
  public Answer<Done> progress(JobRef job, String text) {
    asked.add("progress " + job + " " + text);
    return noJob(job);
  }

  @Override
  public Answer<StepAnswer> step(StepOrder order, Duration patience) {
    return Answer.ok(new StepAnswer.Never("More processors requested than permitted", ""));
  }

  @Override
  public Answer<JoinAnswer> join(JoinOrder order, Duration patience) {
    asked.add("join " + order.job() + (order.holds() ? " holds" : ""));
    return Answer.ok(join);
  }

  @Override
  public Answer<List<Done>> endStep(StepRef step, OptionalInt signal) {
    asked.add("endStep " + step + (signal.isPresent() ? " " + signal.getAsInt() : ""));
    return step.toString().equals("42.1")
        ? Answer.ok(List.of(new Done("42.1", true, signal.isPresent() ? "signalled" : "cancelled")))
        : Answer.refused("step " + step + " does not run; gqueue --steps shows those that do");
  }

  @Override
  public Answer<List<StepView>> steps(JobRef job) {
    if (!job.toString().equals("42")) {
      return Answer.ok(List.of());
    }
    String noon = "2026-11-15T12:00:00+01:00";
    return Answer.ok(
        List.of(
            step("42.0", "prepare", "FAILED", 3, noon),
            step("42.1", "train", "RUNNING", null, null)));
  }

  private static StepView step(
      String id, String name, String state, @Nullable Integer code, @Nullable String end) {
    String start = "2026-11-15T11:59:30+01:00";
    return new StepView(
        id,
        1,
        name,
        state,
        code,
        null,
        1,
        2,
        List.of(4, 5),
        List.of(1),
        null,
        start,
        end,
        30.0,
        end == null ? null : 12.5,
        end == null ? null : (Long) (3L << 20));
  }

  @Override
  public Answer<LogPlace> log(JobRef job) {
    return job.toString().equals("43")
        ? Answer.ok(
            new LogPlace("/logs/43.out", Optional.of("/logs/43.err"), false, Optional.empty()))
        : noJob(job);
  }

  @Override
  public Answer<MachineView> machine() {
    return Answer.ok(machine);
  }

  @Override
  public Answer<Done> control(Control control) {
    asked.add(control.toString());
    String done =
        control instanceof Control.Prune ? ControlText.pruned(7) : ControlText.of(control);
    return Answer.ok(new Done("", true, done));
  }

  @Override
  public Answer<StatsView> stats(
      Optional<String> user, Optional<String> project, Optional<Instant> since) {
    asked.add("stats " + user + " " + project + " " + since);
    return Answer.ok(Lab.stats());
  }

  @Override
  public Answer<DaemonStatus> status() {
    return Answer.ok(Lab.status());
  }

  @Override
  public Answer<Done> down(boolean cancelJobs) {
    return Answer.refused("not here");
  }
}
