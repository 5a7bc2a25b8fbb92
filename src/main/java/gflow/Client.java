package gflow;

import gflow.api.Answer;
import gflow.api.ApiRequest.Status;
import gflow.api.DaemonStatus;
import gflow.api.Gflow;
import gflow.api.HttpGflow;
import gflow.cli.Commands;
import gflow.cli.frame.Invocation;
import gflow.cli.frame.Output;
import gflow.config.BadConfig;
import gflow.config.Folders;
import gflow.map.plan.MapOptions;
import gflow.script.env.Environment;
import gflow.script.value.BadInput;
import gflow.store.DataLock;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.concurrent.locks.LockSupport;

/** A command in a JVM of its own: the same code as behind the door, with a service far away. */
final class Client {
  private static final Set<String> READERS =
      Set.of("gqueue", "ginfo", "gstats", "squeue", "sinfo", "sacct");
  private static final Set<String> SUBMITTERS =
      Set.of("gbatch", "sbatch", "grun", "srun", "salloc", "gmap");
  private static final Set<String> MAP_READERS = Set.of("show", "export", "attach");
  private static final Duration BETWEEN_LOOKS = Duration.ofMillis(200);
  private static final Duration COMES_BACK = Duration.ofSeconds(5);

  private final Invocation call;
  private final Output output;
  private final Environment variables;
  private final Folders folders;
  private final Gflow gflow;
  private boolean seen;

  Client(Invocation call, Output output) throws BadConfig {
    this.call = call;
    this.output = output;
    variables = Environment.of(call.origin().environment());
    folders = Folders.of(variables.texts(), call.caller().uid());
    gflow = new HttpGflow(folders.socket(), () -> comesBack(false), () -> comesBack(submits()));
    // One that was killed leaves its word at the door, and its guard starts the next; one whose
    // run folder was removed makes it again.
    seen =
        Files.exists(folders.door().resolve("daemon"))
            || DataLock.holder(folders.data()).isPresent();
  }

  int run() {
    List<String> words = call.arguments();
    var daemon = new Gflowd(folders, variables, gflow, output);
    boolean isDaemons = call.command().equals("gflowd") && !words.isEmpty();
    if (isDaemons && !words.getFirst().equals("status")) {
      return daemon.run(words);
    }
    int ready = onlyReads() || isMapByItself() ? 0 : makeSureOfDaemon();
    ready = isDaemons ? daemon.reached() : ready;
    if (ready != 0) {
      return ready;
    }
    int code = new Commands(Version.text(), Self.launcher()).run(call, gflow, output);
    call.input().hold().ifPresent(Client::remove);
    // What could not be printed was not said.
    return output.flush() ? code : Math.max(code, 1);
  }

  /** The job that it was for has removed it long ago, if there was one. */
  private static void remove(String fifo) {
    try {
      Files.deleteIfExists(Path.of(fifo));
    } catch (IOException e) {
      // The next daemon tidies up.
    }
  }

  /** Such a command asks at once, and so hears whether there is a daemon. */
  private boolean onlyReads() {
    return READERS.contains(call.command()) && !inJob();
  }

  private boolean isMap() {
    return call.command().equals("gmap");
  }

  /** One that runs in the job around it, is only shown, or looks at results. */
  private boolean isMapByItself() {
    if (!isMap()) {
      return false;
    }
    try {
      var given = MapOptions.GRAMMAR.parse(call.arguments());
      return inJob()
          || variables.value("SLURM_JOB_ID").isPresent()
          || given.has("dry-run")
          || given.words().stream().limit(1).anyMatch(MAP_READERS::contains);
    } catch (BadInput e) {
      // The command will say it.
      return true;
    }
  }

  private boolean inJob() {
    return variables.value("GFLOW_JOB_ID").isPresent();
  }

  private int makeSureOfDaemon() {
    boolean there = !missing();
    seen |= there;
    if (!there && inJob()) {
      waitForIt();
    } else if (!there && submits() && mayStart()) {
      return up();
    }
    return 0;
  }

  /** To a map CUDA_VISIBLE_DEVICES says which GPUs it may have, not which the daemon has. */
  private int up() {
    Environment its =
        isMap() ? variables.keep(name -> !name.equals("CUDA_VISIBLE_DEVICES")) : variables;
    int code = new Gflowd(folders, its, gflow, output).up(false);
    seen |= code == 0;
    return code;
  }

  /** As at the door: one that we have seen is waited for, and a submission then starts one. */
  private boolean comesBack(boolean start) {
    long end = System.nanoTime() + COMES_BACK.toNanos();
    while (seen && missing()) {
      if (System.nanoTime() > end) {
        // Nobody waits twice for one that does not come.
        seen = start && mayStart() && up() == 0;
        return seen;
      }
      LockSupport.parkNanos(BETWEEN_LOOKS.toNanos());
    }
    return seen;
  }

  private boolean missing() {
    return gflow.ask(new Status()) instanceof Answer.No<DaemonStatus>(Answer.Kind kind, String line)
        && kind == Answer.Kind.NO_DAEMON;
  }

  private boolean submits() {
    return SUBMITTERS.contains(call.command())
        && call.arguments().stream().noneMatch(w -> w.equals("--help") || w.equals("-h"));
  }

  private boolean mayStart() {
    return switch (variables.value("GFLOW_AUTOSTART").orElse("")) {
      case "yes" -> true;
      case "no" -> false;
      default -> !loginNode();
    };
  }

  /** With a real Slurm beside it a daemon must be asked for. */
  private boolean loginNode() {
    String path = variables.value("PATH").orElse("");
    for (String folder : path.split(":", -1)) {
      if (!folder.isEmpty() && isSlurms(Path.of(folder, "sbatch"))) {
        return true;
      }
    }
    return false;
  }

  /** Our own of that name is a link to the launcher. */
  private static boolean isSlurms(Path sbatch) {
    try {
      return Files.isExecutable(sbatch) && !sbatch.toRealPath().endsWith("gflow");
    } catch (IOException e) {
      return false;
    }
  }

  /** Inside a job nothing fails because the daemon is down: it comes back, and we go on. */
  private void waitForIt() {
    long start = System.nanoTime();
    boolean said = false;
    while (missing()) {
      if (!said && System.nanoTime() - start > Duration.ofSeconds(1).toNanos()) {
        output.problem(call.command() + ": gflowd is down; waiting for it to come back");
        said = true;
      }
      LockSupport.parkNanos(BETWEEN_LOOKS.toNanos());
    }
  }
}
