package gflow.cli.slurm;

import gflow.api.JobView;
import gflow.api.StepView;
import gflow.cli.frame.ArgumentWords;
import gflow.cli.frame.Call;
import gflow.cli.frame.Command;
import gflow.cli.frame.LineParts;
import gflow.cli.frame.PastTimes;
import gflow.cli.frame.Refused;
import gflow.job.JobRef;
import gflow.job.JobState;
import gflow.job.Owner;
import gflow.script.grammar.Given;
import gflow.script.grammar.Opt;
import gflow.script.value.BadInput;
import gflow.script.value.JobRefs;
import java.time.Instant;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;

/** {@code sacct}: jobs that are over and those that are not, from the history. */
public final class Sacct {
  public static final Command COMMAND =
      Command.slurms(
          "sacct",
          "[<OPTION>]",
          "Lists what jobs used and how they ended, as Slurm's command of that name does. Without"
              + " -j or -S it begins with today's jobs.",
          List.of(
              Opt.value("jobs", "j", "ID[,ID…]", "only these").repeated().alias("job"),
              Opt.value("format", "o", "NAME[%WIDTH],…", "these columns, as JobID,State%20"),
              Opt.flag("parsable", "p", "columns between bars, with one at the end").alias("parse"),
              Opt.flag("parsable2", "P", "columns between bars").alias("parse2"),
              Opt.value("delimiter", "", "TEXT", "this instead of a bar"),
              Opt.flag("noheader", "n", "no header"),
              Opt.flag("allocations", "X", "only whole jobs, not what ran in them"),
              Opt.flag("brief", "b", "only id, state and exit code"),
              Opt.flag("helpformat", "e", "list the columns"),
              Opt.value("starttime", "S", "TIME", "not what was over before: 2026-11-01, today"),
              Opt.value("endtime", "E", "TIME", "not what was submitted later"),
              Opt.value("state", "s", "STATE[,STATE…]", "only in these states"),
              Opt.value("name", "", "NAME[,NAME…]", "only jobs of these names"),
              Opt.value("user", "u", "USER[,USER…]", "only jobs of these users")
                  .alias("uid", "users"),
              Opt.flag("allusers", "a", "jobs of all users"),
              Opt.value("partition", "r", "NAME[,NAME…]", "only of these partitions"),
              Opt.value("account", "A", "NAME[,NAME…]", "only of these accounts").alias("accounts"),
              Opt.value("qos", "q", "NAME[,NAME…]", "only of these qualities of service"),
              Opt.flag("duplicates", "D", "nothing changes"),
              Opt.flag("truncate", "T", "nothing changes"),
              Opt.flag("allclusters", "L", "there is only this one"),
              Opt.value("clusters", "M", "NAME", "there is only this one").alias("cluster"),
              Opt.value("units", "", "UNIT", "nothing changes"),
              Opt.flag("verbose", "v", "nothing more is said"),
              Opt.flag("help", "h", "show this and end")),
          Sacct::run);

  private Sacct() {}

  private static int run(Call call, Given given) throws BadInput, Refused {
    ArgumentWords.none(given);
    if (given.has("helpformat")) {
      SacctColumns.ALL.forEach(column -> call.line(column.name()));
      return 0;
    }
    var table = new SacctTable(call, given);
    String host = call.host();
    var rows = new ArrayList<SacctRow>();
    for (JobView job : jobs(call, given)) {
      var slurm = SlurmJob.of(job, host, call);
      List<SacctRow> all = SacctRow.of(slurm, steps(call, given, job));
      rows.addAll(given.has("allocations") ? all.subList(0, 1) : all);
    }
    List<String> words =
        given.values("jobs").stream().flatMap(w -> Stream.of(w.split(",", -1))).toList();
    rows.removeIf(row -> !isMeant(row, words));
    LineParts.send(table.text(rows, given.has("noheader")), call.output()::out);
    return 0;
  }

  /** Whoever names a step, as 42.0 or 42.batch, wants that line alone. */
  private static boolean isMeant(SacctRow row, List<String> words) {
    List<String> job = List.of(row.job().id(), "" + row.job().view().jobId());
    boolean byStep =
        words.stream()
            .anyMatch(w -> job.contains(w.replaceFirst("\\..*", "")) && w.indexOf('.') > 0);
    return !byStep
        || words.contains(row.id())
        || words.contains(row.rawId())
        || words.stream().anyMatch(job::contains);
  }

  private static List<StepView> steps(Call call, Given given, JobView job) throws Refused {
    return given.has("allocations") || job.startTime() == null ? List.of() : call.steps(job);
  }

  private static List<JobView> jobs(Call call, Given given) throws BadInput, Refused {
    List<JobRef> named = named(given);
    Set<JobState> states =
        given.read("state", SlurmStateFilter::parse).orElse(EnumSet.allOf(JobState.class));
    Optional<Instant> since = since(call, given, named.isEmpty());
    Optional<Instant> until = time(call, given, "endtime");
    var query = SlurmQuery.of(call, given, states, since, users(call, given, named));
    // An id that is none has no line.
    List<JobView> found =
        named.isEmpty() ? query.jobs(named).orElse(List.of()) : query.jobsThatAreThere(named);
    return found.stream()
        .filter(job -> until.isEmpty() || !SlurmJob.instant(job.submitTime()).isAfter(until.get()))
        .toList();
  }

  private static List<JobRef> named(Given given) throws BadInput {
    var named = new ArrayList<JobRef>();
    for (String words : given.values("jobs")) {
      for (String word : words.split(",", -1)) {
        named.addAll(JobRefs.list(word.replaceFirst("\\..*", "")));
      }
    }
    return named;
  }

  private static Optional<Instant> since(Call call, Given given, boolean all) throws BadInput {
    Optional<Instant> said = time(call, given, "starttime");
    return said.isPresent() || !all
        ? said
        : Optional.of(PastTimes.time("today", call.now(), call.zone()));
  }

  private static Optional<Instant> time(Call call, Given given, String option) throws BadInput {
    return given.read(
        option,
        text ->
            text.startsWith("now")
                ? nearNow(call, text)
                : PastTimes.time(text, call.now(), call.zone()));
  }

  /** {@code now}, {@code now-2days}: only the first letter of the unit counts. */
  private static Instant nearNow(Call call, String text) throws BadInput {
    String ago = text.substring(3).strip();
    if (ago.isEmpty()) {
      return call.now();
    }
    String plain = ago.replaceFirst("^-\\s*(\\d+)\\s*([a-z])[a-z]*$", "$1$2");
    return call.now().minus(PastTimes.ago(plain));
  }

  /** As of Slurm's: others' only for root, or if they are asked for. */
  private static List<String> users(Call call, Given given, List<JobRef> named) throws BadInput {
    Owner caller = call.invocation().caller();
    boolean everybody = given.has("allusers") || !named.isEmpty() || caller.uid() == 0;
    List<String> said = ArgumentWords.users(call, given);
    return said.isEmpty() && !everybody ? List.of(caller.name()) : said;
  }
}
