package gflow.map.run;

import gflow.api.Gflow;
import gflow.job.JobRef;
import gflow.map.items.BadItems;
import gflow.map.items.CommandTemplate;
import gflow.map.items.Item;
import gflow.map.items.ItemFile;
import gflow.map.plan.FolderLock;
import gflow.map.plan.MapPlan;
import gflow.map.results.DoneItems;
import gflow.map.results.FileReplacement;
import gflow.map.results.MapFolder;
import gflow.map.results.ResultReader;
import gflow.map.results.ResultWriter;
import gflow.process.BootTime;
import gflow.process.DiskSpace;
import gflow.process.Launcher;
import gflow.process.ProcessWatch;
import gflow.process.Subreaper;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Consumer;

/** Runs the map of a folder, in this process, on the GPUs and CPUs that it was given. */
public final class MapRun {
  private static final Duration BETWEEN_SYNCS = Duration.ofSeconds(1);
  private static final int ROOM_TO_SPEAK = 1 << 14;
  private static final Duration A_MOMENT = Duration.ofMillis(500);
  private static final Duration FIRST_PAUSE = Duration.ofSeconds(1);

  /** {@code gpus} as CUDA_VISIBLE_DEVICES names them; {@code environment}: a block. */
  public record Given(List<String> gpus, int cpus, byte[] environment) {}

  /** The job that this runs in, where the daemon can be asked for more GPUs. */
  public record Around(Gflow gflow, JobRef job) {
    private String name() {
      return "job %s: gmap attach %s".formatted(job, job);
    }
  }

  /** Hears how far it is, about once a second, and what people should know. */
  public interface Listener {
    void progress(String text);

    void problem(String line);
  }

  /** Limits of items do not notice if the machine's clock is set. */
  private final InstantSource clock = BootTime.steady();

  private final MapFolder folder;
  private final Given given;
  private final Optional<Around> around;
  private final Listener listener;
  private MapPlan plan;
  private volatile boolean over;
  private volatile boolean stopped;

  /** Before there is a runner: what it will be told. */
  private final List<Runner.Event> untold = new ArrayList<>();

  private Consumer<Runner.Event> tell = untold::add;
  private Optional<ElasticGpus> elastic = Optional.empty();

  /** The plan is there; {@link BadItems} says in a line why it cannot be run. */
  public MapRun(MapFolder folder, Given given, Optional<Around> around, Listener listener)
      throws BadItems {
    this.folder = folder;
    this.given = given;
    this.around = around;
    this.listener = listener;
    plan = MapPlan.read(folder);
  }

  /** From any thread: once, and what runs is finished; with {@code kill} it is given up. */
  public synchronized void stop(boolean kill) {
    stopped |= kill;
    tell.accept(new Runner.Event.Stop(kill));
  }

  private synchronized void listen(Runner runner) {
    tell = runner::tell;
    untold.forEach(tell);
  }

  /** Until all is done that can be: 0 if every item went well, else 1. */
  public int run() throws BadItems, IOException, InterruptedException {
    Files.createDirectories(folder.logs());
    FolderLock.take(folder, around.map(Around::name).orElseGet(FolderLock::process));
    keepRoomToSpeak();
    FileReplacement.finish(folder);
    // It is of an earlier run, and this one may not come to its end.
    Files.deleteIfExists(folder.summary());
    plan = MapPlan.read(folder);
    Subreaper.adoptOrphans();
    if (!StrayProcesses.kill(folder)) {
      throw new BadItems("processes of an earlier run in " + folder.path() + " cannot be killed");
    }
    try (var results = new ResultWriter(folder.results());
        var log = new RunLog(folder.log(), clock);
        var watch = new ProcessWatch()) {
      DoneItems done = new ResultReader(folder).done();
      var account =
          new RunReporter(plan.items().count(), done, log, clock, listener, this::giveBack);
      var runner = runner(done, results, watch, account, log);
      listen(runner);
      elastic = around.map(job -> new ElasticGpus(job.gflow(), job.job(), runner::tell));
      elastic.filter(_ -> !given.gpus().isEmpty()).ifPresent(ElasticGpus::start);
      if (elastic.isPresent() && !given.gpus().isEmpty() && plan.slots().perGpu() > 1) {
        // Else the first GPU would take items that could have one of their own in a moment.
        elastic.get().awaitMore(A_MOMENT);
        runner.takeWhatCame();
      }
      Thread clerk = Thread.ofVirtual().start(() -> keep(results, account));
      runner.run();
      if (runner.gaveUp()) {
        listener.problem("given up: more failed than --max-failures allows");
      }
      elastic.ifPresent(ElasticGpus::end);
      over = true;
      // Not by an interrupt: that would close the file which it may just write.
      LockSupport.unpark(clerk);
      clerk.join();
      conclude(results, account);
      listener.progress(account.progress());
      return account.allWell() ? 0 : 1;
    } catch (IOException | RuntimeException e) {
      // It cannot go on, so nothing of it may.
      StrayProcesses.kill(folder);
      throw e;
    }
  }

  /** That the disk is full must be said in a file, where somebody else watches. */
  private void keepRoomToSpeak() {
    try {
      if (Files.exists(folder.runnerLog())) {
        DiskSpace.reserve(folder.runnerLog(), Files.size(folder.runnerLog()), ROOM_TO_SPEAK);
      }
    } catch (IOException e) {
      // It is full already, and the progress of the job says so.
    }
  }

  /** What stands at the end, as soon as there is room for it. */
  private void conclude(ResultWriter results, RunReporter account) throws IOException {
    for (boolean said = false; ; said = true) {
      try {
        results.sync();
        account.counted().write(folder.summary());
        account.counted().write(folder.progress());
        new ResultReader(folder).listFailed();
        return;
      } catch (IOException e) {
        if (stopped || !DiskSpace.isLacking(e)) {
          throw e;
        }
        if (!said) {
          listener.problem("the summary cannot be written (" + e.getMessage() + "); waiting");
        }
        LockSupport.parkNanos(BETWEEN_SYNCS.toNanos());
      }
    }
  }

  private void giveBack(String gpu) {
    elastic.ifPresent(gpus -> gpus.giveBack(gpu));
  }

  private int slotsOfCpus() {
    int room = Math.max(1, given.cpus() / Math.max(1, plan.slots().cpusPerItem()));
    return Math.min(room, plan.slots().most().orElse(room));
  }

  private Runner runner(
      DoneItems done, ResultWriter results, ProcessWatch watch, RunReporter account, RunLog log)
      throws IOException {
    // On a machine without GPUs all slots are on one that has no name.
    List<String> gpus = given.gpus().isEmpty() ? List.of("") : given.gpus();
    int perGpu = given.gpus().isEmpty() ? slotsOfCpus() : plan.slots().perGpu();
    Item like = first();
    var runner =
        new Runner(
            new Dealer(this::items, done::has, plan.items().count() - done.count(), rules()),
            new SlotBoard(perGpu, plan.slots().most()),
            executors(like, watch, log),
            delivery(like),
            results,
            clock,
            account);
    runner.gpus(gpus, List.of(), 0);
    return runner;
  }

  private Runner.Executors executors(Item like, ProcessWatch watch, RunLog log) {
    var commands = new CommandBuilder(plan.template(like), plan.folder(), given.environment());
    var tools = new SlotTools(Launcher.best(), watch, clock, folder, commands, plan.care(), log);
    return plan.worker().isPresent()
        ? (slot, bell) -> new WorkerExecutor(tools, plan.worker().get(), slot, bell)
        : (slot, bell) -> new ProcessExecutor(tools, slot, bell);
  }

  private Runner.Delivery delivery(Item like) {
    Optional<CommandTemplate> name = plan.outTemplate(like);
    return name.isPresent()
        ? new OutputFiles(name.get(), Path.of(plan.folder()))
        : (done, _) -> done.outcome();
  }

  private Dealer.Rules rules() {
    int all = given.gpus().isEmpty() ? slotsOfCpus() : given.gpus().size() * plan.slots().perGpu();
    int slots = Math.min(all, plan.slots().most().orElse(all));
    return new Dealer.Rules(
        plan.care().retries(),
        FIRST_PAUSE,
        plan.care().mostFailures().map(this::failures).orElse(OptionalLong.empty()),
        plan.slots().fixed() ? slots : 0,
        plan.care().retryOn());
  }

  private OptionalLong failures(String most) {
    double number = Double.parseDouble(most.replace("%", ""));
    return OptionalLong.of(
        (long) (most.endsWith("%") ? plan.items().count() * number / 100 : number));
  }

  private Item first() throws IOException {
    try (var items = ItemFile.read(folder.items())) {
      return items.next();
    }
  }

  private Iterator<Item> items() {
    try {
      return ItemFile.read(folder.items());
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  // ---- beside the work ----

  /** Makes lines survive the end of the machine, and says how far it is. */
  private void keep(ResultWriter results, RunReporter account) {
    while (!over) {
      LockSupport.parkNanos(BETWEEN_SYNCS.toNanos());
      try {
        results.sync();
        account.counted().write(folder.progress());
      } catch (IOException e) {
        // Who writes the lines hears of it, and says so.
      }
      listener.progress(account.progress());
    }
  }
}
