package gflow.cli.job;

import gflow.api.ApiRequest.Stats;
import gflow.api.StatsView;
import gflow.cli.frame.ArgumentWords;
import gflow.cli.frame.Call;
import gflow.cli.frame.Command;
import gflow.cli.frame.JobText;
import gflow.cli.frame.PastTimes;
import gflow.cli.frame.Refused;
import gflow.cli.frame.Table;
import gflow.script.grammar.Given;
import gflow.script.grammar.Opt;
import gflow.script.value.BadInput;
import java.time.Instant;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

/** {@code gstats}: what has been done, by whom, with how much GPU time. */
public final class Gstats {
  private static final double HOUR = 3600;
  public static final Command COMMAND =
      Command.of(
          "gstats",
          "[-u USER] [-P PROJECT] [--since TIME] [--json]",
          "Sums up ended jobs: states, GPU and CPU time, mean wait and run.",
          List.of(
              Opt.value("user", "u", "USER", "only jobs of this user"),
              Opt.value("project", "P", "NAME", "only jobs of this project"),
              Opt.value(
                  "since", "S", "TIME", "ended since: 2026-11-01, today, 7d (seven days ago)"),
              Command.JSON,
              Opt.HELP),
          Gstats::run);

  private Gstats() {}

  private static int run(Call call, Given given) throws BadInput, Refused {
    ArgumentWords.none(given);
    Optional<Instant> since =
        given.read("since", text -> PastTimes.time(text, call.now(), call.zone()));
    StatsView stats = call.ask(new Stats(given.value("user"), given.value("project"), since));
    return call.answer(given, stats, () -> text(stats));
  }

  private static String text(StatsView stats) {
    long all = stats.states().stream().mapToLong(StatsView.StateCount::count).sum();
    var sums = new Table().texts("Tasks", Long.toString(all));
    stats.states().forEach(count -> sums.texts("  " + count.state(), Long.toString(count.count())));
    sums.texts("GPU hours", hours(stats.gpuSeconds()))
        .texts("CPU hours", hours(stats.cpuSeconds()))
        .texts("Mean wait", JobText.elapsed(stats.meanWait()))
        .texts("Mean run", JobText.elapsed(stats.meanRun()));
    if (stats.meanGpuUse() != null) {
      sums.texts("Mean GPU use", Math.round(stats.meanGpuUse()) + "%");
    }
    if (stats.users().isEmpty()) {
      return sums.text(false);
    }
    var users = new Table().texts("USER", "TASKS", "GPU HOURS", "CPU HOURS");
    stats
        .users()
        .forEach(
            u ->
                users.texts(
                    u.user(),
                    Long.toString(u.tasks()),
                    hours(u.gpuSeconds()),
                    hours(u.cpuSeconds())));
    return sums.text(false) + "\n" + users.text(false);
  }

  private static String hours(double seconds) {
    return String.format(Locale.ROOT, "%.2f", seconds / HOUR);
  }
}
