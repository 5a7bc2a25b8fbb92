package gflow.cli.map;

import gflow.api.Answer;
import gflow.api.ApiRequest;
import gflow.api.ApiRequest.Cancel;
import gflow.api.ApiRequest.Machine;
import gflow.api.ApiRequest.Show;
import gflow.api.ApiRequest.Signal;
import gflow.api.ApiRequest.Submit;
import gflow.api.ApiRequest.Wait;
import gflow.api.Gflow.Receipt;
import gflow.api.Gflow.Selection;
import gflow.api.JobView;
import gflow.api.MachineView;
import gflow.cli.frame.Call;
import gflow.cli.frame.ExitCodes;
import gflow.cli.frame.JobText;
import gflow.cli.frame.Pauses;
import gflow.cli.frame.Plural;
import gflow.cli.frame.Refused;
import gflow.cli.frame.VisibleGpus;
import gflow.job.JobRef;
import gflow.job.JobState;
import gflow.job.Recipients;
import gflow.map.plan.MapOrder;
import gflow.map.plan.MapPlan;
import gflow.map.results.MapFolder;
import gflow.map.run.MapSignals;
import gflow.script.order.Order;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicInteger;

/** A map as a job of the queue, and this process as one that only watches it. */
final class MapJob {
  /** The option by which the job of a map is told its folder. */
  static final String RUN_FOLDER = "--run-folder";

  private static final Duration BETWEEN_TRIES = Duration.ofMillis(100);

  /** As long as a submission waits for a daemon that was there. */
  private static final int TRIES = 25;

  private final Call call;
  private final Path program;
  private final AtomicInteger interrupts = new AtomicInteger();

  /** The signal by which we leave the map to itself; 0: none. */
  private volatile int leftBy;

  /** {@code program}: the launcher, which the job runs. */
  MapJob(Call call, Path program) {
    this.call = call;
    this.program = program;
  }

  /** Of a folder that is made. */
  Receipt submit(MapFolder folder, MapOrder order, MapPlan plan) throws Refused {
    var options = new TreeMap<>(order.job());
    resources(order, plan).forEach((name, value) -> options.putIfAbsent(name, List.of(value)));
    options.putIfAbsent("name", List.of(Path.of(plan.command().getFirst()).getFileName() + ""));
    options.put("output", List.of(folder.runnerLog().toString()));
    var body =
        new Order.Body.Command(
            List.of(program.toString(), "gmap", RUN_FOLDER, folder.path().toString()));
    var job = new Order(options, body, call.invocation().origin(), new TreeMap<>());
    return call.ask(new Submit(List.of(job), call.invocation().key())).getFirst();
  }

  /** GPUs as they are asked for; on a machine without any, CPUs. */
  private TreeMap<String, String> resources(MapOrder order, MapPlan plan) throws Refused {
    MachineView machine = Call.get(reached(new Machine(), TRIES));
    Optional<List<Integer>> visible =
        order.job().containsKey("gpu-ids")
            ? Optional.empty()
            : VisibleGpus.of(call.setVariable(VisibleGpus.NAME), machine);
    int there = visible.map(List::size).orElse(machine.gpus().size());
    String asked = plan.slots().cards();
    if (asked.equals("0") || (there == 0 && asked.equals("auto"))) {
      return cpus(plan, machine);
    }
    // Fewer GPUs do when no more items run at once; few items have a GPU each before they share.
    int atOnce = plan.slots().most().orElse(Integer.MAX_VALUE);
    int useful = Math.ceilDiv(atOnce, plan.slots().perGpu());
    useful = Math.max(1, Math.min(useful, plan.items().count()));
    String gpus = gpus(plan.slots(), Math.min(useful, there));
    var options = new TreeMap<String, String>();
    options.put("gpus", gpus);
    if (visible.isPresent()) {
      if (Integer.parseInt(gpus.split("-", 2)[0]) > there) {
        throw new Refused(
            "--gpus %s, but %s leaves %s; unset it, or ask for fewer"
                .formatted(asked, VisibleGpus.NAME, Plural.of(there, "GPU")));
      }
      options.put("gpu-ids", join(visible.get()));
    }
    return options;
  }

  private static TreeMap<String, String> cpus(MapPlan plan, MachineView machine) {
    int most = plan.slots().most().orElse(Integer.MAX_VALUE);
    int perItem = Math.max(1, plan.slots().cpusPerItem());
    int cpus = (int) Math.min((long) most * perItem, machine.cpus());
    var options = new TreeMap<String, String>();
    options.put("cpus-per-task", Integer.toString(Math.max(perItem, cpus)));
    return options;
  }

  private static String join(List<Integer> gpus) {
    return String.join(",", gpus.stream().map(String::valueOf).toList());
  }

  /** {@code 1-all} of 8, and {@code 8}. */
  private static String gpus(MapPlan.Slots slots, int most) {
    // Where each item has its slot, all slots must be there from the start.
    String usual = slots.fixed() ? "all" : "1-all";
    String[] ends = (slots.cards().equals("auto") ? usual : slots.cards()).split("-", 2);
    if (ends.length == 1) {
      return ends[0].equals("all") ? Integer.toString(most) : ends[0];
    }
    int least = Integer.parseInt(ends[0]);
    int upper = ends[1].equals("all") ? most : Math.min(most, Integer.parseInt(ends[1]));
    return upper <= least ? Integer.toString(least) : least + "-" + upper;
  }

  // ---- watching ----

  int watch(JobRef job, MapView view) throws Refused {
    try (var news = new FolderWatch(view.folder().path());
        var _ = new MapSignals(signal -> interrupt(job, signal, news))) {
      var end = CompletableFuture.supplyAsync(() -> end(job));
      var _ = end.whenComplete((_, _) -> news.wake());
      if (!view.follow(news, () -> waiting(job))) {
        return 0;
      }
      if (leftBy != 0) {
        return 128 + leftBy;
      }
      view.end();
      List<JobView> jobs = Call.get(end.join());
      jobs.forEach(one -> tellEarlyEnd(one, view.folder()));
      return ExitCodes.code(jobs);
    } catch (IOException e) {
      throw new Refused("what the items printed cannot be read: " + e.getMessage());
    }
  }

  /** The map runs on without a daemon, and the next one knows how it ended. */
  private Answer<List<JobView>> end(JobRef job) {
    Answer<List<JobView>> end = call.gflow().ask(new Wait(job));
    if (isGone(end)) {
      call.problem("gflowd is down; the map goes on, waiting for gflowd to come back");
      end = reached(new Wait(job), Integer.MAX_VALUE);
    }
    return end;
  }

  private <T> Answer<T> reached(ApiRequest<T> question, int tries) {
    Answer<T> answer = call.gflow().ask(question);
    for (int i = 1; i < tries && isGone(answer) && Pauses.sleep(BETWEEN_TRIES); i++) {
      answer = call.gflow().ask(question);
    }
    return answer;
  }

  private static boolean isGone(Answer<?> answer) {
    return answer instanceof Answer.No<?> no && no.kind() == Answer.Kind.NO_DAEMON;
  }

  private void tellEarlyEnd(JobView job, MapFolder folder) {
    if (!Files.exists(folder.summary())) {
      call.problem("job %d ended early: %s".formatted(job.jobId(), job.state()));
    }
  }

  /** Why it has not begun; nothing if it has. */
  private Optional<String> waiting(JobRef job) {
    return call.gflow().ask(new Show(job)) instanceof Answer.Ok<List<JobView>>(List<JobView> found)
        ? found.stream()
            .filter(one -> one.state().equals(JobState.PENDING.name()))
            .map(one -> "job " + one.jobId() + " waits " + JobText.nodesOrReason(one))
            .findFirst()
        : Optional.empty();
  }

  /** Ctrl-C is for the map; a terminal that goes, or an end of this process, is not. */
  private void interrupt(JobRef job, int signal, FolderWatch news) {
    if (signal != MapSignals.INT) {
      leave(signal, news);
    } else if (interrupts.incrementAndGet() == 1) {
      call.problem("finishing what runs; once more gives it up");
      leaveIfGone(new Signal(List.of(job), MapSignals.INT, Recipients.SCRIPT), news);
    } else {
      leaveIfGone(new Cancel(Selection.of(List.of(job))), news);
    }
    call.output().flush();
  }

  /** Whoever interrupts us must not have to wait for a daemon that is down. */
  private void leaveIfGone(ApiRequest<?> request, FolderWatch news) {
    if (isGone(call.gflow().ask(request))) {
      call.problem("gflowd is down, so the map goes on; gcancel ends it when gflowd is up again");
      leave(MapSignals.INT, news);
    }
  }

  private void leave(int signal, FolderWatch news) {
    leftBy = signal;
    news.wake();
  }
}
