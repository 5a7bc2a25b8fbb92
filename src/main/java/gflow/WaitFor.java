package gflow;

import gflow.cli.frame.Invocation;
import gflow.cli.frame.Output;
import gflow.group.Readiness;
import gflow.process.Pause;
import gflow.process.Proc;
import gflow.process.ProcessId;
import gflow.script.env.Environment;
import gflow.script.grammar.Given;
import gflow.script.grammar.Grammar;
import gflow.script.grammar.Opt;
import gflow.script.group.Condition;
import gflow.script.value.BadInput;
import gflow.script.value.Times;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * {@code gflow wait-for}: in scripts, instead of a sleep between a server and who needs it. It asks
 * nothing of a daemon, and is always a process of its own.
 */
final class WaitFor {
  private static final Grammar GRAMMAR =
      new Grammar(
          "gflow wait-for",
          "[options] unix:PATH|tcp:[HOST:]PORT|http://…|file:PATH|log:REGEX…",
          "Waits until all of these are there. Sockets are seen without connecting to them.",
          List.of(
              Opt.value("timeout", "", "TIME", "give up after so long, as 90s or 1h (5m)"),
              Opt.value("pid", "", "PID", "give up when this process has ended; it is the server"),
              Opt.value("log", "", "FILE", "the file that log: means (the job's own log)"),
              Opt.HELP),
          false);

  private final Invocation call;
  private final Output output;

  WaitFor(Invocation call, Output output) {
    this.call = call;
    this.output = output;
  }

  int run(List<String> words) {
    try {
      Given given = GRAMMAR.parse(words);
      if (given.has("help")) {
        output.out(GRAMMAR.help());
        return 0;
      }
      return await(given);
    } catch (BadInput e) {
      String name = GRAMMAR.command() + ": ";
      output.problem((e.line().startsWith(name) ? "" : name) + e.line());
      return 2;
    }
  }

  private int await(Given given) throws BadInput {
    String timeout = given.value("timeout").orElse("5m");
    Duration time = time(timeout);
    List<Condition> conditions = conditions(given);
    Optional<Long> pid = given.read("pid", WaitFor::pid);
    Optional<ProcessId> server = pid.flatMap(WaitFor::living);
    var place =
        Readiness.place(call.origin().folder(), log(given, conditions), pid.orElse(Proc.self()));
    var readiness = new Readiness(conditions, place, time);
    while (true) {
      // Looked at first: what a server did before its end still counts.
      boolean over = pid.isPresent() && (server.isEmpty() || !living(pid.get()).equals(server));
      List<String> missing = readiness.missing();
      if (missing.isEmpty()) {
        return 0;
      }
      if (over || readiness.isLate()) {
        String why = over ? "process " + pid.get() + " has ended, and " : "";
        problem((over ? why : "after " + timeout + " ") + String.join("; ", missing));
        return 1;
      }
      Pause.millis(readiness.pause());
    }
  }

  /** Slurm's bare minutes would be taken for seconds here. */
  private static Duration time(String text) throws BadInput {
    if (text.strip().matches("\\d+")) {
      throw new BadInput(
          "--timeout " + text + ": say of what; write " + text + "s or " + text + "m");
    }
    return Times.duration(text);
  }

  private static List<Condition> conditions(Given given) throws BadInput {
    if (given.words().isEmpty()) {
      throw new BadInput("say what to wait for: " + Condition.EXAMPLES);
    }
    var conditions = new ArrayList<Condition>();
    for (String word : given.words()) {
      conditions.add(Condition.parse(word));
      Readiness.check(conditions.getLast());
    }
    return conditions;
  }

  private Optional<Path> log(Given given, List<Condition> conditions) throws BadInput {
    Path folder = Path.of(call.origin().folder());
    Optional<Path> log =
        given
            .value("log")
            .or(() -> Environment.of(call.origin().environment()).value("GFLOW_JOB_LOG"))
            .map(folder::resolve);
    if (log.isEmpty() && conditions.stream().anyMatch(Condition.LogLine.class::isInstance)) {
      throw new BadInput("log: is for the job's own log; outside a job add --log FILE");
    }
    return log;
  }

  private static long pid(String text) throws BadInput {
    if (!text.matches("[1-9]\\d{0,9}")) {
      throw new BadInput("--pid '" + text + "' is no process; write --pid $!");
    }
    return Long.parseLong(text);
  }

  /** One that has ended, and that nobody has waited for, is none. */
  private static Optional<ProcessId> living(long pid) {
    return Proc.stat(pid).filter(stat -> !stat.dead()).map(Proc.Stat::id);
  }

  private void problem(String line) {
    output.problem(GRAMMAR.command() + ": " + line);
  }
}
