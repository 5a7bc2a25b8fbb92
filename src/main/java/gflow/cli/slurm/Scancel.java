package gflow.cli.slurm;

import gflow.api.Answer;
import gflow.api.ApiRequest.Cancel;
import gflow.api.ApiRequest.EndStep;
import gflow.api.ApiRequest.Signal;
import gflow.api.Gflow.Done;
import gflow.api.Gflow.Selection;
import gflow.api.JobView;
import gflow.cli.frame.Call;
import gflow.cli.frame.Command;
import gflow.cli.frame.Refused;
import gflow.job.JobId;
import gflow.job.JobRef;
import gflow.job.JobState;
import gflow.job.Recipients;
import gflow.script.grammar.Given;
import gflow.script.grammar.Opt;
import gflow.script.value.ArrayIndices;
import gflow.script.value.BadInput;
import gflow.script.value.JobRefs;
import gflow.script.value.SignalSyntax;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Set;

/** {@code scancel}: cancels or signals jobs, and as Slurm's says nothing of those that are not. */
public final class Scancel {
  private static final int KILL = 9;
  private static final String INVALID = "Invalid job id specified";
  private static final String OVER = "Job/step already completing or completed";
  public static final Command COMMAND =
      Command.slurms(
          "scancel",
          "[options] [ID…]",
          "Cancels jobs as Slurm's command of that name does. An id that is not there is no error.",
          List.of(
              Opt.value("signal", "s", "SIGNAL", "send this signal instead: USR1, SIGINT, 10"),
              Opt.flag("interactive", "i", "ask before each"),
              Opt.flag("batch", "b", "only to the script itself"),
              Opt.flag("full", "f", "to the script and all its steps"),
              Opt.value("user", "u", "USER", "all jobs of this user"),
              Opt.flag("me", "", "all jobs of mine"),
              Opt.value("name", "n", "NAME", "all jobs of this name").alias("jobname", "job-name"),
              Opt.value("state", "t", "STATE", "all jobs in this state, as PENDING")
                  .alias("states"),
              Opt.value("partition", "p", "NAME", "all jobs of this partition"),
              Opt.value("account", "A", "NAME", "all jobs of this account"),
              Opt.value("qos", "q", "NAME", "all jobs of this quality of service"),
              Opt.value("nodelist", "w", "NODE", "there is only this one"),
              Opt.value("clusters", "M", "NAME", "there is only this one").alias("cluster"),
              Opt.flag("ctld", "", "nothing changes"),
              Opt.flag("hurry", "H", "nothing changes"),
              Opt.flag("quiet", "Q", "say nothing of ids that are none"),
              Opt.flag("verbose", "v", "say what is done"),
              Opt.flag("help", "", "show this and end")),
          Scancel::run);

  private Scancel() {}

  private static int run(Call call, Given given) throws BadInput, Refused {
    List<JobRef> jobs = refs(given);
    boolean filtered =
        List.of("user", "me", "name", "state", "partition", "account", "qos").stream()
            .anyMatch(given::has);
    if (given.words().isEmpty() && !filtered) {
      throw new BadInput("No job identification provided");
    }
    Optional<Integer> signal = signal(given);
    OptionalInt other =
        signal.isEmpty() || signal.get() == KILL
            ? OptionalInt.empty()
            : OptionalInt.of(signal.get());
    // With one of these Slurm asks each daemon for the job itself, and minds if it is over.
    boolean minds = !filtered && (signal.isPresent() || given.has("batch") || given.has("full"));
    String whole = given.has("full") ? "full " : given.has("batch") ? "batch " : "";
    String doing = signal.map(s -> "Signal " + s + " to " + whole).orElse("Terminating ");
    boolean missed = false;
    try (var asking = new ScancelQuestions(call, given)) {
      var work = new Work(call, given, asking, other, minds, doing);
      for (String word : given.words().stream().filter(JobRefs::isStep).toList()) {
        missed |= work.misses(word);
      }
      List<Selection> meant =
          filtered
              ? chosen(call, given, jobs)
              : jobs.stream().map(job -> Selection.of(List.of(job))).toList();
      for (Selection one : meant) {
        missed |= work.misses(one);
      }
      if (meant.isEmpty() && filtered && given.has("verbose")) {
        call.problem("error: No active jobs match ALL job filters, including: " + filters(given));
      }
    }
    return missed ? 1 : 0;
  }

  /** What is done to each, and what is said of it. */
  private record Work(
      Call call,
      Given given,
      ScancelQuestions asking,
      OptionalInt other,
      boolean minds,
      String doing) {
    /** Whether a step that had to be there was not. */
    boolean misses(String step) throws BadInput, Refused {
      if (!asking.step(step)) {
        return false;
      }
      var answer = call.gflow().ask(new EndStep(JobRefs.step(step), other));
      Optional<String> failed = failed(doing + "step " + step, answer);
      return failed.isPresent() && minds && complain("step id " + step, INVALID);
    }

    boolean misses(Selection one) throws Refused {
      JobRef job = one.jobs().getFirst();
      if (asking.isOver(job)) {
        return complain("id " + job, INVALID);
      }
      // What waits gets no signal, and what runs of its array was not meant.
      if ((other.isPresent() && !one.states().isEmpty()) || !asking.job(job)) {
        return false;
      }
      Answer<List<Done>> answer =
          other.isEmpty()
              ? call.gflow().ask(new Cancel(one))
              : call.gflow().ask(new Signal(one.jobs(), other.getAsInt(), recipients(given)));
      Optional<String> failed = failed(doing + "job " + job, answer);
      return failed.isPresent()
          && (minds || given.has("verbose"))
          && complain("id " + job, minds ? INVALID : failed.get())
          && minds;
    }

    /** Why there was nothing to do it to; empty if there was. */
    private Optional<String> failed(String what, Answer<List<Done>> answer) throws Refused {
      if (given.has("verbose")) {
        call.problem(what);
      }
      List<Done> all = Call.found(answer).orElse(List.of());
      boolean unknown = all.stream().allMatch(Done::isUnknown);
      return all.stream().anyMatch(Done::changed)
          ? Optional.empty()
          : Optional.of(unknown ? INVALID : OVER);
    }

    private boolean complain(String what, String why) {
      if (!given.has("quiet")) {
        call.problem("error: Kill job error on job " + what + ": " + why);
      }
      return true;
    }
  }

  private static String filters(Given given) {
    var text = new StringBuilder();
    for (String name : List.of("account", "name", "partition", "qos", "state", "user")) {
      String slurms = name.equals("name") ? "job_name" : name.equals("user") ? "user_name" : name;
      given.value(name).ifPresent(value -> text.append(slurms + "=" + value + " "));
    }
    return text.toString();
  }

  private static List<JobRef> refs(Given given) throws BadInput {
    var refs = new ArrayList<JobRef>();
    for (String word : given.words()) {
      try {
        refs.addAll(JobRefs.isStep(word) ? List.of() : JobRefs.list(word));
      } catch (BadInput e) {
        throw new BadInput("Invalid job id " + word + "; write 42, 42_7, 42_[1-3] or 42.0");
      }
    }
    return refs;
  }

  private static Optional<Integer> signal(Given given) throws BadInput {
    try {
      return given.read("signal", SignalSyntax::number);
    } catch (BadInput e) {
      throw new BadInput(
          "Unknown job signal: " + given.value("signal").orElse("") + "; " + e.line());
    }
  }

  private static Recipients recipients(Given given) {
    if (given.has("full")) {
      return Recipients.ALL;
    }
    return given.has("batch") ? Recipients.SCRIPT : Recipients.STEPS;
  }

  /** Those that fit all filters, and are among the named ones where some are named. */
  private static List<Selection> chosen(Call call, Given given, List<JobRef> named)
      throws BadInput, Refused {
    Set<JobState> states =
        given.read("state", SlurmStateFilter::parse).orElse(SlurmStateFilter.ACTIVE);
    var query = SlurmQuery.of(call, given, states, Optional.empty());
    var all = new LinkedHashSet<Selection>();
    for (JobView job : query.jobs(named).orElse(List.of())) {
      all.addAll(selections(job, named));
    }
    return List.copyOf(all);
  }

  /** A million tasks that wait are cancelled as one; those of them that were named, one by one. */
  private static List<Selection> selections(JobView row, List<JobRef> named) throws BadInput {
    if (row.arrayJobId() == null || row.arrayTasks() == null) {
      return List.of(Selection.of(List.of(new JobRef.ById(new JobId(row.jobId())))));
    }
    var array = new JobId(row.arrayJobId());
    if (named.stream().noneMatch(Scancel::isTask)) {
      Set<JobState> pending = Set.of(JobState.PENDING);
      List<JobRef> whole = List.of(new JobRef.ById(array));
      var held = Optional.of(row.held());
      return List.of(new Selection(whole, pending, held, List.of(), List.of(), false));
    }
    return ArrayIndices.parse(row.arrayTasks()).indices().stream()
        .mapToObj(index -> Selection.of(List.of(new JobRef.ArrayTask(array, index))))
        .toList();
  }

  private static boolean isTask(JobRef ref) {
    return ref instanceof JobRef.ArrayTask || ref instanceof JobRef.LastTask;
  }
}
