package gflow.cli;

import gflow.api.Answer;
import gflow.api.Gflow.Receipt;
import gflow.api.Gflow.Selection;
import gflow.api.JobView;
import gflow.api.MachineView;
import gflow.job.JobRef;
import gflow.job.Recipients;
import gflow.map.MapFolder;
import gflow.map.MapOrder;
import gflow.map.MapPlan;
import gflow.map.MapRun;
import gflow.map.MapSignals;
import gflow.script.Order;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Supplier;

/** A map as a job of the queue, and this process as one that only watches it. */
final class MapJob {
  /** The option by which the job of a map is told its folder. */
  static final String RUN_FOLDER = "--run-folder";

  private static final Duration BETWEEN_LOOKS = Duration.ofMillis(200);

  /** As long as who submits waits for a daemon that was there. */
  private static final int TRIES = 25;

  private final Call call;
  private final Path program;
  private final AtomicInteger interrupts = new AtomicInteger();
  private boolean lacking;

  /** {@code program}: the launcher, which the job runs. */
  MapJob(Call call, Path program) {
    this.call = call;
    this.program = program;
  }

  /** Of a folder that is made. */
  Receipt submit(MapFolder folder, MapOrder order, MapPlan plan) throws Refused {
    var options = new TreeMap<>(order.job());
    resources(plan).forEach((name, value) -> options.putIfAbsent(name, List.of(value)));
    options.putIfAbsent("name", List.of(Path.of(plan.command().getFirst()).getFileName() + ""));
    options.put("output", List.of(folder.path().resolve("log/runner.log").toString()));
    var body =
        new Order.Body.Command(
            List.of(program.toString(), "gmap", RUN_FOLDER, folder.path().toString()));
    var job = new Order(options, body, call.invocation().origin(), new TreeMap<>());
    return Call.get(call.gflow().submit(List.of(job), call.invocation().key())).getFirst();
  }

  /** Cards as they are asked for; on a machine without any, CPUs. */
  private TreeMap<String, String> resources(MapPlan plan) throws Refused {
    var options = new TreeMap<String, String>();
    MachineView machine = Call.get(reached(call.gflow()::machine, TRIES));
    int most = plan.slots().most().orElse(Integer.MAX_VALUE);
    int perItem = Math.max(1, plan.slots().cpusPerItem());
    if (plan.slots().cards().equals("0") || machine.gpus().isEmpty()) {
      int cpus = (int) Math.min((long) most * perItem, machine.cpus());
      options.put("cpus-per-task", Integer.toString(Math.max(perItem, cpus)));
      return options;
    }
    int there = machine.gpus().size();
    Optional<String> visible =
        call.variable("CUDA_VISIBLE_DEVICES").filter(list -> list.matches("\\d+(,\\d+)*"));
    if (visible.isPresent()) {
      options.put("gpu-ids", visible.get());
      there = visible.get().split(",", -1).length;
    }
    // Fewer cards do when no more items run at once.
    int useful = Math.max(1, Math.ceilDiv(most, plan.slots().perGpu()));
    options.put("gpus", cards(plan.slots().cards(), Math.min(useful, there)));
    return options;
  }

  /** {@code 1-all} of 8, and {@code 8}. */
  private static String cards(String asked, int most) {
    String[] ends = (asked.equals("auto") ? "1-all" : asked).split("-", 2);
    if (ends.length == 1) {
      return ends[0].equals("all") ? Integer.toString(most) : ends[0];
    }
    int least = Integer.parseInt(ends[0]);
    int upper = ends[1].equals("all") ? most : Math.min(most, Integer.parseInt(ends[1]));
    return upper <= least ? Integer.toString(least) : least + "-" + upper;
  }

  // ---- watching ----

  int watch(JobRef job, MapView view) throws Refused {
    try (var _ = new MapSignals(signal -> interrupt(job, signal))) {
      var end = CompletableFuture.supplyAsync(() -> end(job));
      while (!ended(end)) {
        if (!view.look()) {
          return 0;
        }
        if (view.hearsNothing()) {
          ask(job);
        }
      }
      view.end();
      return Ends.code(Call.get(end.join()));
    } catch (IOException e) {
      throw new Refused("what the items printed cannot be read: " + e.getMessage());
    }
  }

  /** Where the disk is full, nothing of that can be read in the folder: the daemon knows. */
  private void ask(JobRef job) {
    boolean lacks =
        call.gflow().show(job) instanceof Answer.Ok<List<JobView>>(List<JobView> jobs)
            && String.valueOf(jobs.getFirst().progress()).endsWith(MapRun.NO_ROOM);
    if (lacks && !lacking) {
      call.problem("results cannot be written: the disk is full; nothing begins until they can");
      call.output().flush();
    }
    lacking = lacks;
  }

  /** The map runs on without a daemon, and the next one knows how it ended. */
  private Answer<List<JobView>> end(JobRef job) {
    Answer<List<JobView>> end = call.gflow().await(job);
    if (isGone(end)) {
      call.problem("gflowd is down; the map goes on, waiting for gflowd to come back");
      end = reached(() -> call.gflow().await(job), Integer.MAX_VALUE);
    }
    return end;
  }

  private static <T> Answer<T> reached(Supplier<Answer<T>> question, int tries) {
    Answer<T> answer = question.get();
    for (int i = 1; i < tries && isGone(answer) && Pauses.sleep(BETWEEN_LOOKS); i++) {
      answer = question.get();
    }
    return answer;
  }

  private static boolean isGone(Answer<?> answer) {
    return answer instanceof Answer.No<?> no && no.kind() == Answer.Kind.NO_DAEMON;
  }

  private static boolean ended(CompletableFuture<?> end) {
    try {
      end.get(BETWEEN_LOOKS.toMillis(), TimeUnit.MILLISECONDS);
      return true;
    } catch (TimeoutException e) {
      return false;
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return true;
    } catch (ExecutionException e) {
      return true;
    }
  }

  /** Ctrl-C is for the map; a terminal that goes, or an end of this process, is not. */
  private void interrupt(JobRef job, int signal) {
    if (signal != MapSignals.INT) {
      Runtime.getRuntime().halt(128 + signal);
    }
    if (interrupts.incrementAndGet() == 1) {
      call.problem("finishing what runs; once more gives it up");
      leave(call.gflow().signal(List.of(job), MapSignals.INT, Recipients.SCRIPT));
    } else {
      leave(call.gflow().cancel(Selection.of(List.of(job))));
    }
    call.output().flush();
  }

  /** Whoever interrupts us must not have to wait for a daemon that is down. */
  private void leave(Answer<?> answer) {
    if (isGone(answer)) {
      call.problem("gflowd is down, so the map goes on; gcancel ends it when gflowd is up again");
      call.output().flush();
      Runtime.getRuntime().halt(128 + MapSignals.INT);
    }
  }
}
