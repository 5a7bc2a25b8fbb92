package gflow.daemon.service;

import gflow.api.Answer;
import gflow.api.ApiRequest;
import gflow.api.Authority;
import gflow.api.DaemonStatus;
import gflow.api.Gflow;
import gflow.api.StepView;
import gflow.daemon.core.Refusal;
import gflow.daemon.core.Requests;
import gflow.job.JobRef;
import gflow.job.Owner;
import gflow.job.TaskId;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** The service in the daemon, for one caller. */
public record Service(Owner caller, Parts parts) implements Gflow {
  /** What all callers share. */
  public record Parts(
      Authority authority,
      Requests requests,
      Submitting submitting,
      Editing editing,
      Querying reading,
      Stepping stepping,
      Joining joining,
      InJobRequests inside,
      Operating operating,
      Waiters waiters,
      ChangeFeed changes,
      Life life) {}

  /** The daemon's own life. */
  public interface Life {
    DaemonStatus status() throws Refusal;

    Done down(boolean cancelJobs, Owner caller) throws Refusal;

    /** Looks at the GPUs now, because somebody asks. */
    void lookAtGpus();
  }

  @Override
  @SuppressWarnings("unchecked") // Each part answers what its request declares.
  public <A> Answer<A> ask(ApiRequest<A> request) {
    Optional<String> refusal = parts.authority().refusal(caller, request);
    if (refusal.isPresent()) {
      return new Answer.No<>(Answer.Kind.FORBIDDEN, refusal.get());
    }
    var words = new Requests.Request(request.name(), request::words);
    return parts.requests().answer(words, () -> (A) value(request));
  }

  private Object value(ApiRequest<?> request) throws Refusal {
    return switch (request) {
      case ApiRequest.Submit(var orders, var key) -> parts.submitting().submit(orders, key, caller);
      case ApiRequest.TryOut(var orders) -> parts.submitting().tryOut(orders, caller);
      case ApiRequest.Jobs(var query) -> parts.reading().jobs(query, caller);
      case ApiRequest.Show(var job) -> parts.reading().show(job, caller);
      case ApiRequest.Cancel(var selection) -> parts.editing().cancel(selection, caller);
      case ApiRequest.Hold(var jobs) -> parts.editing().hold(jobs, caller);
      case ApiRequest.Release(var jobs, var begin) -> parts.editing().release(jobs, begin, caller);
      case ApiRequest.Update(var jobs, var options, var key) ->
          parts.editing().update(jobs, options, key, caller);
      case ApiRequest.Signal(var jobs, var signal, var to) ->
          parts.editing().signal(jobs, signal, to, caller);
      case ApiRequest.Requeue(var jobs, var hold) -> parts.editing().requeue(jobs, hold, caller);
      case ApiRequest.Redo(var job, var failedOnly, var key) ->
          parts.editing().redo(job, failedOnly, key, caller);
      case ApiRequest.Wait(var job) -> parts.reading().await(job, caller, parts.waiters());
      case ApiRequest.Step(var order, var patience) ->
          parts.stepping().step(order, patience, caller);
      case ApiRequest.Join(var order, var patience) ->
          parts.joining().join(order, patience, caller);
      case ApiRequest.EndStep(var step, var signal) -> parts.stepping().end(step, signal, caller);
      case ApiRequest.Steps(var job) -> stepsOf(job);
      case ApiRequest.Plot(var job) -> new GpuCurves(parts.reading()).of(job, caller);
      case ApiRequest.JobGpus(var job, var order, var patience) ->
          parts.inside().gpus(job, order, patience, caller);
      case ApiRequest.Progress(var job, var text) -> parts.inside().progress(job, text, caller);
      case ApiRequest.Log(var job) -> parts.reading().log(job, caller);
      case ApiRequest.Machine() -> {
        parts.life().lookAtGpus();
        yield parts.operating().machine();
      }
      case ApiRequest.Controls() -> parts.operating().controls();
      case ApiRequest.Control(var control) -> parts.operating().control(control);
      case ApiRequest.Stats(var user, var project, var since) ->
          parts.reading().stats(user, project, since);
      case ApiRequest.Snapshot() -> parts.changes().snapshot(caller);
      case ApiRequest.Changes(var epoch, var after, var patience) ->
          parts.changes().after(epoch, after, patience);
      case ApiRequest.Status() -> parts.life().status();
      case ApiRequest.Down(var cancelJobs) -> parts.life().down(cancelJobs, caller);
    };
  }

  private List<StepView> stepsOf(JobRef job) throws Refusal {
    var all = new ArrayList<StepView>();
    for (TaskId task : parts.reading().stepped(job, caller)) {
      int before = all.size();
      all.addAll(parts.stepping().steps(task));
      parts.reading().check(before, all.size());
    }
    return List.copyOf(all);
  }
}
