package gflow.api;

import static gflow.api.RequestFields.fields;
import static gflow.api.RequestFields.some;

import gflow.api.ApiRequest.Cancel;
import gflow.api.ApiRequest.Changes;
import gflow.api.ApiRequest.Control;
import gflow.api.ApiRequest.Controls;
import gflow.api.ApiRequest.Down;
import gflow.api.ApiRequest.EndStep;
import gflow.api.ApiRequest.Hold;
import gflow.api.ApiRequest.JobGpus;
import gflow.api.ApiRequest.Jobs;
import gflow.api.ApiRequest.Join;
import gflow.api.ApiRequest.Log;
import gflow.api.ApiRequest.Machine;
import gflow.api.ApiRequest.Plot;
import gflow.api.ApiRequest.Progress;
import gflow.api.ApiRequest.Redo;
import gflow.api.ApiRequest.Release;
import gflow.api.ApiRequest.Requeue;
import gflow.api.ApiRequest.Show;
import gflow.api.ApiRequest.Signal;
import gflow.api.ApiRequest.Snapshot;
import gflow.api.ApiRequest.Stats;
import gflow.api.ApiRequest.Status;
import gflow.api.ApiRequest.Step;
import gflow.api.ApiRequest.Steps;
import gflow.api.ApiRequest.Submit;
import gflow.api.ApiRequest.TryOut;
import gflow.api.ApiRequest.Update;
import gflow.api.ApiRequest.Wait;
import gflow.api.Gflow.Done;
import gflow.api.Gflow.JobList;
import gflow.api.Gflow.LogPlace;
import gflow.api.Gflow.Preview;
import gflow.api.Gflow.Receipt;
import gflow.api.Gflow.Selection;
import gflow.json.RecordJson;
import java.util.List;

/**
 * All endpoints, for server and client; docs/api.md lists them for users. Where a request has
 * several, the first is what our own client uses.
 */
final class Endpoints {
  private static final Form<List<Done>> DONE = new Form.Many<>("done", Done.class);
  private static final Form<List<JobView>> JOBS = new Form.Many<>("jobs", JobView.class);
  private static final Form<List<Receipt>> RECEIPTS = new Form.Many<>("jobs", Receipt.class);
  private static final Form<List<Preview>> PREVIEWS = new Form.Many<>("previews", Preview.class);
  private static final Form<List<StepView>> STEPS = new Form.Many<>("steps", StepView.class);

  private static final Form<DaemonStatus> STATUS = new Form.One<>(DaemonStatus.class);
  private static final Form<LogPlace> LOG = new Form.One<>(LogPlace.class);
  private static final Form<JobList> LIST = new Form.One<>(JobList.class);
  private static final Form<Done> DID = new Form.One<>(Done.class);

  static final List<Endpoint<?, ?>> ALL =
      List.of(
          get("/v1/status").to(Status.class, STATUS, (to, f) -> new Status()),
          get("/v1/machine").to(Machine.class, one(MachineView.class), (to, f) -> new Machine()),
          get("/v1/controls")
              .to(Controls.class, one(ControlsView.class), (to, f) -> new Controls()),
          get("/v1/snapshot")
              .to(Snapshot.class, one(SnapshotView.class), (to, f) -> new Snapshot()),
          get("/v1/changes")
              .to(Changes.class, one(ChangesView.class), RequestFields::changes)
              .sends(r -> fields("epoch", r.epoch(), "after", r.after(), "patience", r.patience())),
          get("/v1/stats")
              .to(Stats.class, one(StatsView.class), RequestFields::stats)
              .sends(r -> fields("user", r.user(), "project", r.project(), "since", r.since())),
          post("/v1/list", "a query")
              .to(Jobs.class, LIST, RequestFields::list)
              .sends(r -> fields(r.query(), "jobs", r.query().jobs())),
          get("/v1/jobs").to(Jobs.class, LIST, RequestFields::query),
          post("/v1/jobs", "an order")
              .to(Submit.class, RECEIPTS, RequestFields::submit)
              .sends(r -> OrderJson.writeAll(r.orders())),
          post("/v1/jobs?dry_run", "an order")
              .to(TryOut.class, PREVIEWS, RequestFields::tryOut)
              .sends(r -> OrderJson.writeAll(r.orders())),
          get("/v1/jobs/{}").to(Show.class, JOBS, (to, f) -> new Show(to.job())),
          get("/v1/jobs/{}/wait").to(Wait.class, JOBS, (to, f) -> new Wait(to.job())),
          get("/v1/jobs/{}/log").to(Log.class, LOG, (to, f) -> new Log(to.job())),
          get("/v1/jobs/{}/log?content").to(Log.class, LOG, (to, f) -> new Log(to.job())),
          get("/v1/jobs/{}/steps").to(Steps.class, STEPS, (to, f) -> new Steps(to.job())),
          get("/v1/jobs/{}/plot")
              .to(Plot.class, one(GpuCurveView.class), (to, f) -> new Plot(to.job())),
          post("/v1/jobs/{}/steps/{}", "signal")
              .to(EndStep.class, DONE, RequestFields::endStep)
              .sends(r -> fields("signal", r.signal())),
          post("/v1/cancel", "a selection")
              .to(Cancel.class, DONE, RequestFields::cancel)
              .sends(r -> RequestFields.write(r.selection())),
          post("/v1/jobs/{}/cancel", "nothing")
              .to(Cancel.class, DONE, (to, f) -> new Cancel(Selection.of(to.jobs()))),
          post("/v1/hold", "jobs")
              .to(Hold.class, DONE, (to, f) -> new Hold(some(f)))
              .sends(r -> fields("jobs", r.jobs())),
          post("/v1/jobs/{}/hold", "nothing").to(Hold.class, DONE, (to, f) -> new Hold(to.jobs())),
          post("/v1/release", "jobs")
              .to(Release.class, DONE, (to, f) -> new Release(some(f), f.time("begin")))
              .sends(r -> fields("jobs", r.jobs(), "begin", r.begin())),
          post("/v1/jobs/{}/release", "begin")
              .to(Release.class, DONE, (to, f) -> new Release(to.jobs(), f.time("begin"))),
          post("/v1/update", "jobs and options")
              .to(Update.class, DONE, RequestFields::update)
              .sends(r -> fields("jobs", r.jobs(), "options", r.options())),
          Endpoint.of("PATCH", "/v1/jobs/{}", "options")
              .to(Update.class, DONE, RequestFields::patch),
          post("/v1/signal", "jobs and a signal")
              .to(Signal.class, DONE, RequestFields::signal)
              .sends(r -> fields("jobs", r.jobs(), "signal", r.signal(), "to", r.to())),
          post("/v1/requeue", "jobs")
              .to(Requeue.class, DONE, (to, f) -> new Requeue(some(f), f.flag("hold")))
              .sends(r -> fields("jobs", r.jobs(), "hold", r.hold())),
          post("/v1/jobs/{}/redo", "failed_only")
              .to(Redo.class, RECEIPTS, RequestFields::redo)
              .sends(r -> fields("failed_only", r.failedOnly())),
          post("/v1/steps", "order and patience")
              .to(Step.class, one(StepAnswer.class), RequestFields::step)
              .sends(r -> fields("order", r.order(), "patience", r.patience())),
          post("/v1/join", "order and patience")
              .to(Join.class, one(JoinAnswer.class), RequestFields::join)
              .sends(r -> fields("order", r.order(), "patience", r.patience())),
          post("/v1/jobs/{}/cards", "have, call_back, back and patience")
              .to(JobGpus.class, one(GpusView.class), RequestFields::jobGpus)
              .sends(r -> fields(r.order(), "patience", r.patience())),
          post("/v1/jobs/{}/progress", "text")
              .to(Progress.class, DID, RequestFields::progress)
              .sends(r -> fields("text", r.text())),
          post("/v1/control", "a control")
              .to(Control.class, DID, (to, f) -> new Control(ControlJson.read(f)))
              .sends(r -> RecordJson.tree(r.control())),
          post("/v1/down", "cancel_jobs")
              .to(Down.class, DID, (to, f) -> new Down(f.flag("cancel_jobs")))
              .sends(r -> fields("cancel_jobs", r.cancelJobs())));

  private Endpoints() {}

  /** By which our client sends that request. */
  @SuppressWarnings("unchecked") // Its type says what it reads, writes and answers.
  static <A> Endpoint<ApiRequest<A>, A> of(ApiRequest<A> request) {
    for (Endpoint<?, ?> endpoint : ALL) {
      if (endpoint.type() == request.getClass()) {
        return (Endpoint<ApiRequest<A>, A>) endpoint;
      }
    }
    throw new IllegalArgumentException("no endpoint for " + request.name());
  }

  private static <A> Form<A> one(Class<A> type) {
    return new Form.One<>(type);
  }

  private static Endpoint.Target get(String target) {
    return Endpoint.of("GET", target, "");
  }

  private static Endpoint.Target post(String target, String what) {
    return Endpoint.of("POST", target, what);
  }
}
