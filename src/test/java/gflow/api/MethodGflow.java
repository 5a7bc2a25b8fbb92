package gflow.api;

import gflow.api.ApiRequest.OfJob;
import gflow.job.JobRef;
import gflow.job.Recipients;
import gflow.job.StepRef;
import gflow.script.order.Order;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.SortedMap;

/** For services of tests: hands each request to the method that is named like it. */
public interface MethodGflow extends Gflow {
  @Override
  @SuppressWarnings("unchecked") // Each method answers what its request declares.
  default <A> Answer<A> ask(ApiRequest<A> request) {
    return (Answer<A>) answer(request);
  }

  private Answer<?> ofJob(OfJob<?> request) {
    return switch (request) {
      case ApiRequest.Show(var job) -> show(job);
      case ApiRequest.Redo(var job, var failedOnly, var key) -> redo(job, failedOnly, key);
      case ApiRequest.Wait(var job) -> await(job);
      case ApiRequest.Steps(var job) -> steps(job);
      case ApiRequest.JobGpus(var job, var order, var patience) -> gpus(job, order, patience);
      case ApiRequest.Progress(var job, var text) -> progress(job, text);
      case ApiRequest.Log(var job) -> log(job);
    };
  }

  private Answer<?> answer(ApiRequest<?> request) {
    return switch (request) {
      case OfJob<?> one -> ofJob(one);
      case ApiRequest.Submit(var orders, var key) -> submit(orders, key);
      case ApiRequest.TryOut(var orders) -> tryOut(orders);
      case ApiRequest.Jobs(var query) -> jobs(query);
      case ApiRequest.Cancel(var selection) -> cancel(selection);
      case ApiRequest.Hold(var jobs) -> hold(jobs);
      case ApiRequest.Release(var jobs, var begin) -> release(jobs, begin);
      case ApiRequest.Update(var jobs, var options, var key) -> update(jobs, options, key);
      case ApiRequest.Signal(var jobs, var signal, var to) -> signal(jobs, signal, to);
      case ApiRequest.Requeue(var jobs, var hold) -> requeue(jobs, hold);
      case ApiRequest.Step(var order, var patience) -> step(order, patience);
      case ApiRequest.Join(var order, var patience) -> join(order, patience);
      case ApiRequest.EndStep(var step, var signal) -> endStep(step, signal);
      case ApiRequest.Machine() -> machine();
      case ApiRequest.Controls _ -> Answer.refused("not here");
      case ApiRequest.Control(var control) -> control(control);
      case ApiRequest.Stats(var user, var project, var since) -> stats(user, project, since);
      case ApiRequest.Snapshot _ -> Answer.refused("not here");
      case ApiRequest.Changes _ -> new Answer.No<>(Answer.Kind.GONE, "not kept");
      case ApiRequest.Status() -> status();
      case ApiRequest.Down(var cancelJobs) -> down(cancelJobs);
    };
  }

  default Answer<List<Receipt>> submit(List<Order> orders, Optional<String> key) {
    return Answer.refused("not here");
  }

  default Answer<List<Preview>> tryOut(List<Order> orders) {
    return Answer.refused("not here");
  }

  default Answer<JobList> jobs(JobQuery query) {
    return Answer.refused("not here");
  }

  default Answer<List<JobView>> show(JobRef ref) {
    return Answer.refused("not here");
  }

  default Answer<List<Done>> cancel(Selection selection) {
    return Answer.refused("not here");
  }

  default Answer<List<Done>> hold(List<JobRef> jobs) {
    return Answer.refused("not here");
  }

  default Answer<List<Done>> release(List<JobRef> jobs, Optional<Instant> begin) {
    return Answer.refused("not here");
  }

  default Answer<List<Done>> update(
      List<JobRef> jobs, SortedMap<String, String> options, Optional<String> key) {
    return Answer.refused("not here");
  }

  default Answer<List<Done>> signal(List<JobRef> jobs, int signal, Recipients to) {
    return Answer.refused("not here");
  }

  default Answer<List<Done>> requeue(List<JobRef> jobs, boolean hold) {
    return Answer.refused("not here");
  }

  default Answer<List<Receipt>> redo(JobRef job, boolean failedOnly, Optional<String> key) {
    return Answer.refused("not here");
  }

  default Answer<List<JobView>> await(JobRef job) {
    return Answer.refused("not here");
  }

  default Answer<StepAnswer> step(StepOrder order, Duration patience) {
    return Answer.refused("not here");
  }

  default Answer<JoinAnswer> join(JoinOrder order, Duration patience) {
    return Answer.refused("not here");
  }

  default Answer<List<Done>> endStep(StepRef step, OptionalInt signal) {
    return Answer.refused("not here");
  }

  default Answer<List<StepView>> steps(JobRef job) {
    return Answer.refused("not here");
  }

  default Answer<GpusView> gpus(JobRef job, GpusOrder order, Duration patience) {
    return Answer.refused("not here");
  }

  default Answer<Done> progress(JobRef job, String text) {
    return Answer.refused("not here");
  }

  default Answer<LogPlace> log(JobRef job) {
    return Answer.refused("not here");
  }

  default Answer<MachineView> machine() {
    return Answer.refused("not here");
  }

  default Answer<ControlsView> controls() {
    return Answer.refused("not here");
  }

  default Answer<Done> control(Control control) {
    return Answer.refused("not here");
  }

  default Answer<StatsView> stats(
      Optional<String> user, Optional<String> project, Optional<Instant> since) {
    return Answer.refused("not here");
  }

  default Answer<DaemonStatus> status() {
    return Answer.refused("not here");
  }

  default Answer<Done> down(boolean cancelJobs) {
    return Answer.refused("not here");
  }
}
