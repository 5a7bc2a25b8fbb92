package gflow.cli.slurm;

import gflow.cli.frame.Call;
import gflow.cli.frame.LineFormat;
import gflow.script.grammar.Given;
import gflow.script.grammar.Grammar;
import gflow.script.grammar.Opt;
import gflow.script.value.BadInput;
import gflow.script.value.Times;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/** What {@code -v} of Slurm's commands says of the call itself. */
final class SlurmWords {
  private static final String DASHES = "-".repeat(20);

  private SlurmWords() {}

  /** Of sbatch and salloc: the options that were given, and from {@code -vv} what goes along. */
  static void defined(Call call, Given given) {
    int level = given.values("verbose").size();
    if (level == 0) {
      return;
    }
    var lines = new ArrayList<String>();
    given
        .byName()
        .forEach(
            (name, values) -> lines.add(line(name.equals("name") ? "job-name" : name, values)));
    call.problem("defined options");
    call.problem(DASHES + " " + DASHES);
    lines.stream().sorted().forEach(call::problem);
    call.problem(DASHES + " " + DASHES);
    call.problem("end of defined options");
    if (level > 1) {
      call.problem("debug:  propagating UMASK=%04o".formatted(call.invocation().origin().umask()));
    }
    call.output().flush();
  }

  private static String line(String name, List<String> values) {
    String value =
        switch (name) {
          case "verbose" -> Integer.toString(values.size());
          case "time" -> time(values.getLast());
          default -> SlurmJob.or(String.join(",", values), "set");
        };
    return LineFormat.fit(name, Math.max(20, name.length()), false) + ": " + value;
  }

  private static String time(String text) {
    try {
      return Times.limit(text)
          .map(Duration::toSeconds)
          .map(seconds -> SlurmJob.clock((double) seconds))
          .orElse("UNLIMITED");
    } catch (BadInput e) {
      return text;
    }
  }

  /** Of squeue and sinfo: every option, and what it is now. */
  static void settings(Call call, Grammar grammar, Given given) {
    if (!given.has("verbose")) {
      return;
    }
    call.line("-".repeat(29));
    for (Opt option : grammar.options()) {
      if (!option.hidden()) {
        String name = LineFormat.fit(option.name(), Math.max(11, option.name().length()), false);
        call.line(name + " = " + setting(option, given));
      }
    }
    call.line("-".repeat(29));
  }

  private static String setting(Opt option, Given given) {
    return switch (option.name()) {
      case "verbose" -> Integer.toString(given.values("verbose").size());
      case "iterate" -> given.value("iterate").orElse("0");
      default ->
          option.arity() == Opt.Arity.FLAG
              ? Boolean.toString(given.has(option.name()))
              : given.value(option.name()).orElse(SlurmJob.NOTHING);
    };
  }
}
