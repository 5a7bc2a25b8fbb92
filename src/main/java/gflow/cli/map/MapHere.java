package gflow.cli.map;

import gflow.api.ApiRequest.Progress;
import gflow.cli.frame.Call;
import gflow.cli.frame.Plural;
import gflow.cli.frame.Refused;
import gflow.cli.frame.VisibleGpus;
import gflow.job.JobId;
import gflow.job.JobRef;
import gflow.map.items.BadItems;
import gflow.map.plan.MapPlan;
import gflow.map.results.MapFolder;
import gflow.map.run.MapRun;
import gflow.map.run.MapSignals;
import gflow.script.env.Environment;
import java.io.IOException;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicInteger;

/** Runs a map in this process, on what its job was given. */
final class MapHere {
  private final Call call;
  private final Path program;
  private final AtomicInteger interrupts = new AtomicInteger();

  /** {@code program}: the launcher, for what is installed beside it. */
  MapHere(Call call, Path program) {
    this.call = call;
    this.program = program;
  }

  /** Whether there is an allocation to run in. */
  static boolean isAllocation(Call call) {
    return call.variable("GFLOW_JOB_ID").isPresent() || call.variable("SLURM_JOB_ID").isPresent();
  }

  /** {@code view}: empty if somebody else watches. */
  int run(MapFolder folder, Optional<MapView> view) throws Refused {
    MapRun run;
    try {
      run = new MapRun(folder, given(MapPlan.read(folder).slots()), around(), listener());
    } catch (BadItems e) {
      throw new Refused(e.line());
    }
    Optional<FolderWatch> news = view.map(_ -> new FolderWatch(folder.path()));
    try (var _ = new MapSignals(signal -> stop(run, signal, view.isPresent()))) {
      Optional<Thread> watching = view.map(shown -> watch(shown, news.orElseThrow()));
      int code = run.run();
      if (watching.isPresent()) {
        news.ifPresent(FolderWatch::wake);
        watching.get().join();
        view.get().end();
      }
      return code;
    } catch (BadItems e) {
      throw new Refused(e.line());
    } catch (IOException e) {
      throw new Refused("the map cannot go on: " + e.getMessage());
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new Refused("interrupted");
    }
  }

  /** Ctrl-C once: what runs is finished. Twice, or told to end: it is given up. */
  private void stop(MapRun run, int signal, boolean watched) {
    boolean first = signal == MapSignals.INT && interrupts.incrementAndGet() == 1;
    if (first && watched) {
      call.problem("finishing what runs; once more gives it up");
      call.output().flush();
    }
    run.stop(!first);
  }

  private Thread watch(MapView view, FolderWatch news) {
    return Thread.ofPlatform()
        .daemon()
        .start(
            () -> {
              try {
                view.follow(news, Optional::empty);
              } catch (IOException e) {
                call.problem("what the items printed cannot be read: " + e.getMessage());
              }
            });
  }

  private MapRun.Given given(MapPlan.Slots slots) throws Refused {
    List<String> gpus = gpus(slots.cards());
    int cpus =
        call.variable("SLURM_CPUS_ON_NODE")
            .filter(text -> text.matches("\\d{1,6}"))
            .map(Integer::parseInt)
            .orElse(Runtime.getRuntime().availableProcessors());
    var more = new LinkedHashMap<>(python());
    if (gpus.isEmpty()) {
      more.putAll(withoutGpus(slots));
    }
    var environment = Environment.of(call.invocation().origin().environment()).with(more);
    return new MapRun.Given(gpus, cpus, environment.block());
  }

  /** Those of the job, as far as they are asked for; more of them may come. */
  private List<String> gpus(String asked) throws Refused {
    String visible = call.variable(VisibleGpus.NAME).orElse("");
    List<String> all = visible.isBlank() ? List.of() : List.of(visible.split(",", -1));
    if (asked.matches("auto|all")) {
      return all;
    }
    String[] ends = asked.split("-", 2);
    if (Integer.parseInt(ends[0]) > all.size()) {
      throw new Refused(
          "--gpus %s, but this job has %s".formatted(asked, Plural.of(all.size(), "GPU")));
    }
    String last = ends[ends.length - 1];
    return last.equals("all") ? all : all.subList(0, Math.min(all.size(), Integer.parseInt(last)));
  }

  /** What a job says of all its CPUs, each of its items would believe to be its own. */
  private Map<String, String> withoutGpus(MapPlan.Slots slots) {
    var more = new LinkedHashMap<String, String>();
    if (slots.cards().equals("0")) {
      more.put(VisibleGpus.NAME, "");
    }
    Optional<String> threads = call.variable("OMP_NUM_THREADS");
    if (threads.isEmpty() || threads.equals(call.variable("SLURM_CPUS_PER_TASK"))) {
      more.put("OMP_NUM_THREADS", Integer.toString(slots.cpusPerItem()));
    }
    return more;
  }

  /** Workers find the module that makes one of any function. */
  private Map<String, String> python() {
    String folder = program.resolveSibling("../python").normalize().toString();
    String path = folder + call.variable("PYTHONPATH").map(more -> ":" + more).orElse("");
    return Map.of("GFLOW_PYTHON", folder, "PYTHONPATH", path);
  }

  private Optional<MapRun.Around> around() {
    return call.variable("GFLOW_JOB_ID")
        .filter(id -> id.matches("\\d{1,18}"))
        .map(id -> new JobRef.ById(new JobId(Long.parseLong(id))))
        .map(job -> new MapRun.Around(call.gflow(), job));
  }

  private MapRun.Listener listener() {
    Optional<MapRun.Around> job = around();
    return new MapRun.Listener() {
      @Override
      public void progress(String text) {
        // Without a daemon it is told again in a second.
        job.ifPresent(around -> around.gflow().ask(new Progress(around.job(), text)));
      }

      @Override
      public void problem(String line) {
        call.problem(line);
        call.output().flush();
      }
    };
  }
}
