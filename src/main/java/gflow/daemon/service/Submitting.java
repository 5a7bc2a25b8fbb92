package gflow.daemon.service;

import gflow.api.Answer;
import gflow.api.Gflow.Preview;
import gflow.api.Gflow.Receipt;
import gflow.config.Config;
import gflow.daemon.core.Core;
import gflow.daemon.core.DependencyIndex;
import gflow.daemon.core.JobFinder;
import gflow.daemon.core.JobFinder.Past;
import gflow.daemon.core.LoopWork;
import gflow.daemon.core.Refusal;
import gflow.gpu.GpuDevice;
import gflow.job.BlobId;
import gflow.job.Dependencies;
import gflow.job.Dependencies.Dependency;
import gflow.job.Job;
import gflow.job.JobId;
import gflow.job.JobRef;
import gflow.job.JobSpec;
import gflow.job.MpsReason;
import gflow.job.Owner;
import gflow.job.Request;
import gflow.job.RequestedOptions;
import gflow.job.Sweep;
import gflow.json.BadJson;
import gflow.json.RecordJson;
import gflow.plan.Machine;
import gflow.plan.Planner;
import gflow.plan.Reason;
import gflow.plan.UnknownGpuType;
import gflow.plan.WholeMachine;
import gflow.script.order.Defaults;
import gflow.script.order.Draft;
import gflow.script.order.Order;
import gflow.script.order.Orders;
import gflow.script.value.BadInput;
import gflow.script.value.Templates;
import gflow.store.Change;
import gflow.store.Store.StoreException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Optional;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/** Takes in jobs: from orders to specs, checked against the machine, all or none. */
public record Submitting(ServiceContext context, LogFiles logs, Rules rules, AnswerLimits room) {
  private static final String NO_FIGURES =
      "the GPUs here are simulated and have no figures: --gpu-log writes nothing";

  private static final String TRIED_OUT = "tried out";

  /** So many tasks of an array stand in its preview. */
  private static final int MOST_SHOWN = 10;

  /** While it is judged, queued, committed and answered; most of it is free again afterwards. */
  private static final int BYTES_OF_AN_ORDER = 800;

  private static final int BYTES_OF_A_WORD = 100;

  /** What the configuration says of new jobs. */
  public record Rules(
      Defaults defaults, Config.Limits sizes, SceneCheck scene, FenceRule fences, MpsRule mps) {}

  /** Looks at the folder and the output files before a job is taken in. */
  public interface SceneCheck {
    Optional<String> problem(JobSpec spec);

    /** Makes what the job needs there; it has been taken in. */
    default void prepare(JobSpec spec) {}
  }

  /** Receipts as they are kept for a repeated key. */
  record Receipts(List<Receipt> receipts) {}

  void checkTime(JobSpec changed) throws BadInput {
    rules.defaults().checkTime(changed);
  }

  public List<Receipt> submit(List<Order> orders, Optional<String> key, Owner caller)
      throws Refusal {
    Optional<Receipts> before = answered(key, Receipts.class);
    if (before.isPresent()) {
      return before.get().receipts();
    }
    List<Draft> drafts = drafts(orders);
    Asking asking = asking(drafts, caller);
    Receipts made = once(key, Receipts.class, (core, now) -> takeIn(core, now, drafts, asking));
    for (int i = 0; i < drafts.size(); i++) {
      if (i == 0 || !samePlace(drafts.get(i - 1).spec(), drafts.get(i).spec())) {
        rules.scene().prepare(drafts.get(i).spec());
      }
    }
    return made.receipts();
  }

  /** The caller, and what the store knows of the jobs that the new ones are to wait for. */
  public record Asking(Owner caller, Past past) {}

  private Asking asking(List<Draft> drafts, Owner caller) throws Refusal {
    return new Asking(
        caller,
        parents(drafts.stream().map(d -> d.spec().terms().dependencies()).toList(), caller));
  }

  /** Read before the loop is asked, for all of them at once. */
  public Past parents(List<Dependencies> wanted, Owner caller) throws Refusal {
    return context
        .finder()
        .past(
            wanted.stream()
                .flatMap(w -> w.list().stream())
                .flatMap(d -> d.parent().stream())
                .toList(),
            caller);
  }

  /** Makes a change whose answer is kept: a repeated key gets it again, and nothing is changed. */
  <T extends Record> T once(Optional<String> key, Class<T> type, LoopWork.Ask.Change<T> change)
      throws Refusal {
    return context
        .loop()
        .ask(
            (core, now) -> {
              // The first answer may have been committed while this one was on its way.
              Optional<T> before = answered(key, type);
              if (before.isPresent()) {
                return before.get();
              }
              T made = change.make(core, now);
              key.ifPresent(k -> core.note(new Change.Answered(k, RecordJson.write(made), now)));
              return made;
            },
            LoopWork.Starts.SOON);
  }

  private <T extends Record> Optional<T> answered(Optional<String> key, Class<T> type)
      throws Refusal {
    try {
      Optional<String> answer =
          key.isEmpty() ? Optional.empty() : context.store().answered(key.get());
      return answer.isEmpty() ? Optional.empty() : Optional.of(RecordJson.read(type, answer.get()));
    } catch (StoreException | BadJson e) {
      throw new Refusal(String.valueOf(e.getMessage()));
    }
  }

  private List<Draft> drafts(List<Order> orders) throws Refusal {
    Instant now = context.now();
    room.checkJobs(orders.size(), (long) BYTES_OF_AN_ORDER * orders.size());
    try {
      List<Draft> drafts = Orders.drafts(orders, now, context.zone(), rules.defaults());
      room.checkJobs(orders.size(), drafts.stream().mapToLong(d -> weight(d.spec())).sum());
      for (int i = 0; i < drafts.size(); i++) {
        if (i > 0 && samePlace(drafts.get(i - 1).spec(), drafts.get(i).spec())) {
          continue;
        }
        Optional<String> problem = rules.scene().problem(drafts.get(i).spec());
        if (problem.isPresent()) {
          throw new Refusal(which(i, orders.size()) + problem.get());
        }
      }
      return decided(drafts);
    } catch (BadInput e) {
      throw new Refusal(Answer.Kind.USAGE, e.line());
    }
  }

  /** Many that are alike stay one object. */
  private List<Draft> decided(List<Draft> drafts) throws Refusal {
    var decided = new ArrayList<Draft>(drafts.size());
    for (Draft draft : drafts) {
      JobSpec spec = rules.fences().decided(rules.mps().decided(draft.spec()));
      boolean same = !decided.isEmpty();
      decided.add(new Draft(same ? spec.sharing(decided.getLast().spec()) : spec, draft.blobs()));
    }
    return decided;
  }

  /** What a spec takes beyond that: names of parents and values of a sweep may be very many. */
  private static long weight(JobSpec spec) {
    long words = spec.terms().dependencies().list().size();
    for (Sweep.Factor factor : spec.tasks().sweep().factors()) {
      words += (long) factor.names().size() * factor.rows().size();
    }
    return BYTES_OF_A_WORD * words;
  }

  /** Then the folders have been looked at already; a name may be part of a path. */
  private static boolean samePlace(JobSpec one, JobSpec other) {
    return one.scene().equals(other.scene()) && one.name().equals(other.name());
  }

  private static String which(int index, int of) {
    return of > 1 ? "job " + (index + 1) + " of " + of + ": " : "";
  }

  private Receipts takeIn(Core core, Instant now, List<Draft> drafts, Asking asking)
      throws Refusal {
    var blobs = new LinkedHashMap<BlobId, byte[]>();
    drafts.forEach(draft -> blobs.putAll(draft.blobs()));
    blobs.forEach((id, content) -> core.note(new Change.PutBlob(id, content)));
    var receipts = new ArrayList<Receipt>();
    Optional<Request> judged = Optional.empty();
    for (Draft draft : drafts) {
      JobSpec spec = counted(core, draft.spec());
      String which = which(receipts.size(), drafts.size());
      // Many that are alike are looked at once.
      if (!judged.equals(Optional.of(spec.request()))) {
        refuseWhatNeverFits(core, spec, which);
        judged = Optional.of(spec.request());
      }
      receipts.add(receipt(queue(core, spec, asking, which, now), warning(core, draft.spec())));
    }
    return new Receipts(receipts);
  }

  /** One job that fits the machine, with its parents found. */
  public Job submit(Core core, JobSpec asked, Asking asking, String which, Instant now)
      throws Refusal {
    JobSpec spec = counted(core, asked);
    refuseWhatNeverFits(core, spec, which);
    return queue(core, spec, asking, which, now);
  }

  public Job queue(Core core, JobSpec spec, Asking asking, String which, Instant now)
      throws Refusal {
    if (spec.tasks().count() > rules.sizes().arraySize()) {
      throw new Refusal(
          which
              + spec.tasks().count()
              + " tasks in one array, at most "
              + rules.sizes().arraySize()
              + " are allowed ([limits] array_size in gflow.toml)");
    }
    long waiting = core.ledger().waitingTasks() + spec.tasks().count();
    if (waiting > rules.sizes().queuedJobs()) {
      throw new Refusal(
          which
              + "the queue would hold "
              + waiting
              + " waiting tasks, at most "
              + rules.sizes().queuedJobs()
              + " are allowed ([limits] queued_jobs in gflow.toml)");
    }
    return core.submit(resolve(core, spec, asking), now);
  }

  /** A job that asked for all of the machine now asks for so many. */
  JobSpec counted(Core core, JobSpec spec) {
    Machine machine = core.inventory().machine();
    Request request = unknownType(core, spec).map(UnknownGpuType::instead).orElse(spec.request());
    return spec.withRequest(WholeMachine.counted(machine, request, spec.asked()));
  }

  /** Its type of GPU, if that is not here and any will do. */
  private Optional<UnknownGpuType> unknownType(Core core, JobSpec spec) {
    Machine machine = core.inventory().machine();
    return switch (rules.defaults().site().unknownType()) {
      case AUTO ->
          spec.speaksSlurm() ? UnknownGpuType.of(machine, spec.request(), false) : Optional.empty();
      case LABEL -> UnknownGpuType.of(machine, spec.request(), true);
      case REFUSE -> Optional.empty();
    };
  }

  private static void refuseWhatNeverFits(Core core, JobSpec spec, String which) throws Refusal {
    Optional<Reason> never =
        Planner.never(core.inventory().machine(), spec.request(), spec.asked());
    if (never.isPresent()) {
      throw new Refusal(which + never.get().text());
    }
  }

  /** Every parent must be known, and {@code @} becomes its number. */
  JobSpec resolve(Core core, JobSpec spec, Asking asking) throws Refusal {
    Dependencies wanted = spec.terms().dependencies();
    if (wanted.isEmpty()) {
      return spec;
    }
    var resolved = new ArrayList<Dependency>();
    var numbers = new ArrayList<JobId>();
    for (Dependency d : wanted.list()) {
      if (d.parent().isPresent()) {
        JobRef parent = JobFinder.resolved(core, d.parent().get(), asking.past(), asking.caller());
        numbers.add(DependencyIndex.number(parent));
        resolved.add(new Dependency(d.kind(), Optional.of(parent), d.delay()));
      } else {
        resolved.add(d);
      }
    }
    core.ledger().parents().remember(asking.past(), numbers);
    var dependencies = new Dependencies(wanted.any(), resolved, wanted.cancelIfNever());
    return SpecEdits.withDependencies(spec, dependencies);
  }

  private Optional<String> warning(Core core, JobSpec spec) {
    boolean simulated = core.inventory().devices().stream().anyMatch(GpuDevice::simulated);
    boolean unwritten = simulated && spec.asked().has(RequestedOptions.GPU_LOG);
    List<String> all =
        Stream.of(
                unwritten ? Optional.of(NO_FIGURES) : Optional.<String>empty(),
                MpsReason.of(spec.asked()).flatMap(MpsReason::warning),
                unknownType(core, spec).map(UnknownGpuType::words))
            .flatMap(Optional::stream)
            .toList();
    return all.isEmpty() ? Optional.empty() : Optional.of(String.join("; ", all));
  }

  private Receipt receipt(Job job, Optional<String> warning) {
    return new Receipt(
        job.id().value(),
        job.spec().tasks().count(),
        job.spec().name(),
        logs.out(job, 0).map(Object::toString).orElse("none"),
        warning);
  }

  Receipt receipt(Job job) {
    return receipt(job, Optional.empty());
  }

  /** What would become of the orders now; made, looked at and taken back. */
  List<Preview> tryOut(List<Order> orders, Owner caller) throws Refusal {
    List<Draft> drafts = drafts(orders);
    Asking asking = asking(drafts, caller);
    var previews = new ArrayList<Preview>();
    try {
      context
          .loop()
          .ask(
              (core, now) -> {
                for (Draft draft : drafts) {
                  Job job = submit(core, draft.spec(), asking, "", now);
                  core.dependencies(now);
                  previews.add(preview(core, job, now));
                }
                // Refused on purpose: a refusal takes everything back.
                throw new Refusal(TRIED_OUT);
              });
    } catch (Refusal refusal) {
      if (!TRIED_OUT.equals(refusal.getMessage())) {
        throw refusal;
      }
    }
    return previews;
  }

  private Preview preview(Core core, Job job, Instant now) {
    Reason reason =
        job.waiting().isEmpty()
            ? new Reason.JobHeldUser()
            : new QueueListing(core, context.views(), now).reason(job);
    return new Preview(
        job.id().value(),
        job.spec().name(),
        job.spec().tasks().count(),
        job.spec().request().cpus(),
        Views.command(job.spec()),
        resources(job.spec().request()),
        reason instanceof Reason.None ? "" : reason.text(),
        IntStream.range(0, Math.min(MOST_SHOWN, job.spec().tasks().count()))
            .mapToObj(k -> Views.command(Templates.task(job.spec(), k)))
            .toList());
  }

  private static String resources(Request request) {
    String more = request.elastic() ? "-" + request.mostGpus() : "";
    return "gpus=" + request.gpus().count() + more + " cpus=" + request.cpus();
  }
}
