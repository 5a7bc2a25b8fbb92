package gflow.cli.step;

import gflow.api.Answer;
import gflow.api.ApiRequest.Cancel;
import gflow.api.ApiRequest.Join;
import gflow.api.ApiRequest.Submit;
import gflow.api.Gflow.Receipt;
import gflow.api.Gflow.Selection;
import gflow.api.JoinAnswer;
import gflow.api.JoinOrder;
import gflow.cli.frame.Call;
import gflow.cli.frame.ErrorStyle;
import gflow.cli.frame.Pauses;
import gflow.cli.frame.Refused;
import gflow.job.JobId;
import gflow.job.JobRef;
import gflow.script.grammar.Given;
import gflow.script.order.AllocationHolder;
import gflow.script.order.BatchOptions;
import gflow.script.order.Order;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;

/** Takes an allocation for the caller, or finds the job that he names, and waits until it runs. */
public final class Allocating {
  private static final Duration QUIET = Duration.ofMillis(300);
  private static final Duration PATIENCE = Duration.ofSeconds(15);
  private static final Duration OPENED = Duration.ofSeconds(5);
  private static final Duration MOMENT = Duration.ofMillis(2);
  private static final String UNABLE = "Unable to allocate resources: ";
  private static final String COMPLETED = "Job/step already completing or completed";
  private static final int CANCELLED = 130;

  private final Call call;
  private final Given given;
  private final Speech speech;
  private final PatientAsking asking;

  /** Whose words are used. */
  public enum Speech {
    OURS,
    SRUN,
    SALLOC;

    /** salloc's way to complain says so itself. */
    String error(String line) {
      return this == SRUN ? "error: " + line : line;
    }
  }

  public Allocating(Call call, Given given, Speech speech) {
    this.call = call;
    this.given = given;
    this.speech = speech;
    this.asking = new PatientAsking(call, speech);
  }

  /** A job of these options that is there for the caller as long as he is; it runs. */
  public JoinAnswer.Joined take(SortedMap<String, List<String>> options, List<String> words)
      throws Refused {
    Optional<Duration> immediate = immediate(given);
    String fifo =
        call.invocation()
            .input()
            .hold()
            .orElseThrow(() -> new Refused("cannot make a FIFO; is the temporary folder full?"));
    var told = new TreeMap<>(options);
    if (speech != Speech.OURS) {
      told.put(BatchOptions.SLURM, List.of(""));
    }
    var order =
        new Order(
            told, AllocationHolder.body(fifo, words), call.invocation().origin(), new TreeMap<>());
    return switch (call.gflow().ask(new Submit(List.of(order), call.invocation().key()))) {
      case Answer.Ok<List<Receipt>>(var receipts) -> {
        receipts.getFirst().warning().ifPresent(call::problem);
        var joined = await(receipts.getFirst().jobId(), immediate);
        awaitHolder(Path.of(fifo));
        yield joined;
      }
      case Answer.No<List<Receipt>>(var kind, String line) -> throw refused(kind, line);
    };
  }

  /**
   * The job removes the FIFO when it has opened it. A program that is over before that would say
   * its code into a FIFO that nobody reads, and the job would count as killed.
   */
  private static void awaitHolder(Path fifo) {
    long end = System.nanoTime() + OPENED.toNanos();
    while (Files.exists(fifo) && System.nanoTime() < end && Pauses.sleep(MOMENT)) {
      // Most are there already.
    }
  }

  private Refused refused(Answer.Kind kind, String line) {
    if (speech == Speech.OURS || kind == Answer.Kind.NO_DAEMON) {
      return new Refused(speech.error(line), kind.exitCode());
    }
    List<String> words = ErrorStyle.words(line, failed());
    words.forEach(word -> call.problem("error: " + word));
    return new Refused(speech.error(words.isEmpty() ? failed() + line : line));
  }

  private String failed() {
    return speech == Speech.SALLOC ? "Job submit/allocate failed: " : UNABLE;
  }

  // ---- until it runs ----

  private JoinAnswer.Joined await(long job, Optional<Duration> immediate) throws Refused {
    JoinAnswer answer = ask(job, immediate.orElse(QUIET));
    boolean said = false;
    while (answer instanceof JoinAnswer.Waits(long _, String why)) {
      if (immediate.isPresent()) {
        if (speech == Speech.SALLOC) {
          queued(job, why);
        }
        withdraw(job);
        throw new Refused(
            speech.error(UNABLE + "Immediate execution impossible, insufficient priority"));
      }
      said = said || queued(job, why);
      if (!call.output().flush()) {
        withdraw(job);
        throw new Refused("the caller is gone");
      }
      answer = ask(job, PATIENCE);
    }
    return switch (answer) {
      case JoinAnswer.Joined joined -> {
        if (said) {
          call.problem("job " + job + " has been allocated resources");
        }
        yield joined;
      }
      case JoinAnswer.Waits _ -> throw new IllegalStateException("still waits");
      case JoinAnswer.Over(long _, String state, String why) -> throw withdrawn(job, state, why);
    };
  }

  private Refused withdrawn(long job, String state, String why) {
    if (speech == Speech.OURS) {
      return new Refused("job " + job + " is over: " + state + reason(why), CANCELLED);
    }
    call.problem("Job has been cancelled");
    if (speech == Speech.SALLOC) {
      call.problem("Job allocation " + job + " has been revoked.");
    }
    return new Refused(speech.error(failed() + COMPLETED));
  }

  private static String reason(String why) {
    return why.isEmpty() ? "" : " (" + why + ")";
  }

  private JoinAnswer ask(long job, Duration patience) throws Refused {
    var order = new Asker(call).join(Long.toString(job), true);
    return asking.ask(new Join(order, patience));
  }

  private boolean queued(long job, String why) {
    if (given.has("quiet")) {
      return false;
    }
    String reason = speech == Speech.OURS ? reason(why) : "";
    if (speech == Speech.SALLOC) {
      call.problem("Pending job allocation " + job);
    }
    call.problem("job " + job + " queued and waiting for resources" + reason);
    return true;
  }

  void withdraw(long job) {
    var one = List.<JobRef>of(new JobRef.ById(new JobId(job)));
    var _ = call.gflow().ask(new Cancel(Selection.of(one)));
  }

  // ---- a job that is there ----

  JoinAnswer.Joined join(String job) throws Refused {
    JoinAnswer answer;
    try {
      var order = new Asker(call).join(job, false);
      answer = asking.ask(new Join(order, Duration.ZERO));
    } catch (Refused e) {
      throw speech == Speech.SRUN ? unconfirmed(job, "Invalid job id specified", e.line()) : e;
    }
    return switch (answer) {
      case JoinAnswer.Joined joined -> joined;
      case JoinAnswer.Waits(long id, String why) ->
          throw notNow(id, "Job is pending execution", "has not started yet" + reason(why));
      case JoinAnswer.Over(long id, String state, String _) ->
          throw notNow(id, COMPLETED, "does not run any more: it is " + state);
    };
  }

  private Refused notNow(long job, String slurms, String ours) {
    String line = "job " + job + " " + ours;
    return speech == Speech.SRUN
        ? unconfirmed(Long.toString(job), slurms, "error: " + line)
        : new Refused(line);
  }

  /** Slurm's two lines, and then ours. */
  private Refused unconfirmed(String job, String slurms, String ours) {
    call.problem("error: Unable to confirm allocation for job " + job + ": " + slurms);
    call.problem("Check SLURM_JOB_ID environment variable. Expired or invalid job " + job);
    return new Refused(ours);
  }

  /** The process that asks: the caller's own. */
  record Asker(long pid, long startTime) {
    Asker(Call call) throws Refused {
      this(part(call, 2), part(call, 1));
    }

    private static long part(Call call, int fromEnd) throws Refused {
      String[] key = call.invocation().key().orElse("").split("-", -1);
      if (key.length < 2) {
        throw new Refused("who asks is not known");
      }
      return Long.parseLong(key[key.length - fromEnd]);
    }

    JoinOrder join(String job, boolean holds) {
      return new JoinOrder(job, pid, startTime, holds);
    }
  }

  /** {@code --immediate[=SECONDS]}, if it was given. */
  static Optional<Duration> immediate(Given given) throws Refused {
    if (!given.has("immediate")) {
      return Optional.empty();
    }
    String text = given.value("immediate").orElse("");
    if (!text.matches("\\d{0,6}")) {
      throw new Refused("--immediate '" + text + "' is no number of seconds");
    }
    return Optional.of(Duration.ofSeconds(text.isEmpty() ? 1 : Math.min(20, Long.parseLong(text))));
  }

  /** The caller's shell, where no program is named. */
  public static List<String> shell(Call call) {
    return List.of(call.variable("SHELL").orElse("/bin/sh"));
  }
}
