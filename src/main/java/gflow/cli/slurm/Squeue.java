package gflow.cli.slurm;

import gflow.api.JobView;
import gflow.cli.frame.ArgumentWords;
import gflow.cli.frame.Call;
import gflow.cli.frame.Column;
import gflow.cli.frame.Columns;
import gflow.cli.frame.Command;
import gflow.cli.frame.LineFormat;
import gflow.cli.frame.LineParts;
import gflow.cli.frame.Listing;
import gflow.cli.frame.Refused;
import gflow.job.JobRef;
import gflow.job.JobState;
import gflow.script.grammar.Given;
import gflow.script.grammar.Opt;
import gflow.script.value.ArrayIndices;
import gflow.script.value.BadInput;
import gflow.script.value.JobRefs;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;

/** {@code squeue}: the queue in Slurm's form, for scripts and programs that read it. */
public final class Squeue {
  /** For how long Slurm's list still has what is over: its MinJobAge. */
  static final Duration REMEMBERED = Duration.ofMinutes(5);

  /** As of the service; an array in one row has up to a million tasks. */
  private static final int MOST_ROWS = 100_000;

  public static final Command COMMAND =
      Command.slurms(
          "squeue",
          "[options]",
          "Lists jobs as Slurm's command of that name does. gqueue says more about why they wait.",
          List.of(
              Opt.value("jobs", "j", "ID[,ID…]", "only these").alias("job"),
              Opt.value("user", "u", "USER[,USER…]", "only jobs of these users").alias("users"),
              Opt.flag("me", "", "only mine"),
              Opt.value("states", "t", "STATE[,STATE…]", "only in these states, or all")
                  .alias("state"),
              Opt.value("name", "n", "NAME[,NAME…]", "only jobs of these names").alias("names"),
              Opt.value("partition", "p", "NAME[,NAME…]", "only of these partitions")
                  .alias("partitions"),
              Opt.value("account", "A", "NAME[,NAME…]", "only of these accounts").alias("accounts"),
              Opt.value("qos", "q", "NAME[,NAME…]", "only of these qualities of service"),
              Opt.value("nodelist", "w", "NODE[,NODE…]", "only on these nodes"),
              Opt.value("format", "o", "FORMAT", "columns by letter, as \"%i %j %T\""),
              Opt.value("Format", "O", "NAME[:WIDTH],…", "columns by name, as JobID:10,State"),
              Opt.value("sort", "S", "LETTER[,LETTER…]", "order by these columns; -i from the top"),
              Opt.flag("noheader", "h", "no header"),
              Opt.flag("array", "r", "a line for each task of an array that waits"),
              Opt.flag("long", "l", "more columns"),
              Opt.optional("steps", "s", "ID.STEP[,…]", "the steps that run"),
              Opt.flag("start", "", "those that wait, with the time that they may start"),
              Opt.flag("all", "a", "also hidden partitions; there are none"),
              Opt.flag("array-unique", "", "nothing changes: each task is listed once"),
              Opt.value("iterate", "i", "SECONDS", "again and again"),
              Opt.value("clusters", "M", "NAME", "there is only this one").alias("cluster"),
              Opt.flag("verbose", "v", "say which options count"),
              Opt.flag("help", "", "show this and end")),
          Squeue::run);

  private Squeue() {}

  private static int run(Call call, Given given) throws BadInput, Refused {
    SlurmWords.settings(call, COMMAND.grammar(), given);
    checkNodes(call, given);
    if (given.has("steps")) {
      return Listing.print(call, given, new SqueueSteps(call, steps(given))::text);
    }
    ArgumentWords.none(given);
    LineFormat<SlurmJob> format = format(call, given);
    return Listing.print(call, given, () -> text(call, given, format));
  }

  private static void checkNodes(Call call, Given given) throws BadInput, Refused {
    String host = given.has("nodelist") ? call.host() : "";
    for (String node : ArgumentWords.list(given, "nodelist")) {
      if (!node.equals(host)) {
        throw new Refused("Invalid node name " + node);
      }
    }
  }

  /** Slurm takes the list as a word of its own too. */
  private static Given steps(Given given) throws BadInput {
    if (given.words().isEmpty()) {
      return given;
    }
    var all = new TreeMap<>(given.byName());
    all.put("steps", given.words());
    return new Given(all, List.of());
  }

  private static LineFormat<SlurmJob> format(Call call, Given given) throws BadInput {
    Optional<String> named = given.value("Format").or(() -> call.variable("SQUEUE_FORMAT2"));
    Optional<String> letters = given.value("format");
    if (letters.isEmpty() && named.isPresent()) {
      return LineFormat.named(named.get(), SqueueColumns.ALL);
    }
    String usual = given.has("start") ? SqueueColumns.START : SqueueColumns.USUAL;
    String wanted =
        letters
            .or(() -> given.has("long") ? Optional.of(SqueueColumns.LONG) : Optional.empty())
            .or(() -> call.variable("SQUEUE_FORMAT"))
            .orElse(usual);
    return LineFormat.parse(wanted, SqueueColumns.ALL);
  }

  private static LineParts.Text text(Call call, Given given, LineFormat<SlurmJob> format)
      throws BadInput, Refused {
    var order = Columns.order(given.value("sort"), Squeue::sortedBy);
    List<SlurmJob> jobs = jobs(call, given).stream().sorted(order).toList();
    String date = given.has("long") ? SlurmJob.date(call.now(), call.zone()) + "\n" : "";
    return format.text(jobs, !given.has("noheader"), date);
  }

  private static Column<SlurmJob> sortedBy(String letter) throws BadInput {
    return Optional.of(letter)
        .filter(word -> word.length() == 1)
        .flatMap(word -> SqueueColumns.ALL.byLetter(word.charAt(0)))
        .orElseThrow(
            () ->
                new BadInput(
                    "Invalid sort specification: %s; write letters of %s"
                        .formatted(letter, SqueueColumns.ALL.letters())));
  }

  private static List<SlurmJob> jobs(Call call, Given given) throws BadInput, Refused {
    Set<JobState> states =
        given.read("states", SlurmStateFilter::parse).orElse(SlurmStateFilter.ACTIVE);
    List<JobRef> named = given.read("jobs", JobRefs::list).orElse(List.of());
    Optional<Instant> since =
        named.isEmpty() ? Optional.of(call.now().minus(REMEMBERED)) : Optional.empty();
    var query = SlurmQuery.of(call, given, states, since);
    String host = call.host();
    var jobs = new ArrayList<SlurmJob>();
    for (JobView job : found(query, named)) {
      if (!given.has("start") || job.state().equals("PENDING")) {
        jobs.addAll(rows(SlurmJob.of(job, host, call), given.has("array")));
        if (jobs.size() > MOST_ROWS) {
          throw new Refused("the list has more than " + MOST_ROWS + " rows: leave out -r");
        }
      }
    }
    return jobs;
  }

  /** Slurm says that there is no job only to who asks for a single one. */
  private static List<JobView> found(SlurmQuery query, List<JobRef> named) throws Refused {
    Optional<List<JobView>> all = query.jobs(named);
    if (all.isEmpty() && named.size() == 1) {
      throw Scontrol.noSuchJob();
    }
    return all.isPresent() ? all.get() : query.jobsThatAreThere(named);
  }

  private static List<SlurmJob> rows(SlurmJob job, boolean each) throws BadInput {
    String waiting = job.view().arrayTasks();
    if (!each || waiting == null) {
      return List.of(job);
    }
    return ArrayIndices.parse(waiting).indices().stream()
        .limit(MOST_ROWS + 1L)
        .mapToObj(i -> job.at(i))
        .toList();
  }
}
