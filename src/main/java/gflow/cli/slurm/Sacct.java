package gflow.cli.slurm;

import gflow.api.Answer;
import gflow.api.Gflow.JobList;
import gflow.api.Gflow.JobQuery;
import gflow.api.JobView;
import gflow.api.StepView;
import gflow.cli.frame.ArgumentWords;
import gflow.cli.frame.Call;
import gflow.cli.frame.Command;
import gflow.cli.frame.LineParts;
import gflow.cli.frame.PastTimes;
import gflow.cli.frame.Refused;
import gflow.job.JobId;
import gflow.job.JobRef;
import gflow.job.JobState;
import gflow.job.Owner;
import gflow.script.grammar.Given;
import gflow.script.grammar.Opt;
import gflow.script.value.BadInput;
import gflow.script.value.BeginTimes;
import gflow.script.value.JobRefs;
import java.time.Instant;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Predicate;
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
      SacctColumns.ALL.all().forEach(column -> call.line(column.name()));
      return 0;
    }
    var table = SacctTable.of(call, given);
    String host = Call.get(call.gflow().status()).host();
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

  /** Who names a step, as 42.0 or 42.batch, wants that line alone. */
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
    return given.has("allocations") || job.startTime() == null
        ? List.of()
        : Call.get(call.gflow().steps(new JobRef.ById(new JobId(job.jobId()))));
  }

  private static List<JobView> jobs(Call call, Given given) throws BadInput, Refused {
    List<JobRef> named = named(given);
    Set<JobState> states =
        given.value("state").isPresent()
            ? SlurmStates.parse(given.value("state").get())
            : EnumSet.allOf(JobState.class);
    Optional<Instant> since = since(call, given, named.isEmpty());
    Optional<Instant> until = time(call, given, "endtime");
    Predicate<JobView> fits = SlurmFilters.of(given);
    var found = new ArrayList<JobView>();
    if (states.isEmpty()) {
      return found;
    }
    var query =
        new JobQuery(
            named,
            states,
            users(call, given, named),
            SlurmFilters.list(given, "name"),
            Optional.empty(),
            since,
            Integer.MAX_VALUE);
    for (JobView job : found(call, query)) {
      boolean inTime = until.isEmpty() || !SlurmJob.instant(job.submitTime()).isAfter(until.get());
      if (inTime && fits.test(job)) {
        found.add(job);
      }
    }
    return found;
  }

  /** An id that is none has no line. */
  private static List<JobView> found(Call call, JobQuery query) throws Refused {
    var all = new ArrayList<JobView>();
    List<List<JobRef>> parts =
        query.jobs().isEmpty() ? List.of(List.of()) : query.jobs().stream().map(List::of).toList();
    for (List<JobRef> part : parts) {
      var one =
          new JobQuery(
              part,
              query.states(),
              query.users(),
              query.names(),
              query.project(),
              query.endedSince(),
              query.limit());
      switch (call.gflow().jobs(one)) {
        case Answer.Ok<JobList>(JobList list) -> all.addAll(list.jobs());
        case Answer.No<JobList>(var kind, String line) -> {
          if (kind != Answer.Kind.REFUSED) {
            throw new Refused(line, kind.exitCode());
          }
        }
      }
    }
    return all;
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
    Optional<String> text = given.value(option);
    if (text.isEmpty()) {
      return Optional.empty();
    }
    return Optional.of(
        text.get().startsWith("now") ? nearNow(call, text.get()) : written(call, text.get()));
  }

  /** Slurm's ways to write a time, besides ours. */
  private static Instant written(Call call, String text) throws BadInput {
    try {
      return PastTimes.time(text, call.now(), call.zone());
    } catch (BadInput ours) {
      try {
        return BeginTimes.past(text, call.now(), call.zone());
      } catch (BadInput e) {
        throw ours;
      }
    }
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
    List<String> said = SlurmFilters.users(call, given);
    return said.isEmpty() && !everybody ? List.of(caller.name()) : said;
  }
}
