package gflow.fuzz;

import gflow.script.grammar.Grammar;
import gflow.script.grammar.Opt;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;

/** Command lines of every command and scripts with directives: real options, wrong values. */
final class CommandLines {
  /** These run programs of the caller's own, or wait for what never comes here. */
  private static final Set<String> NOT = Set.of("gmap", "salloc", "gjob shell", "gjob wait");

  private static final Set<String> WAITING = Set.of("wait", "watch", "follow", "iterate", "pty");

  private static final List<String> WORDS =
      List.of("true", "1", "1,2", "1-5", "@", "1_0", "1_[0-3]", "42.0", "job.sh", "x.sh", "-");

  private static final List<String> VERBS =
      List.of(
          "show",
          "job",
          "jobs",
          "hold",
          "release",
          "requeue",
          "update",
          "JobId=1",
          "Priority=7",
          "TimeLimit=+60",
          "partition",
          "node",
          "config",
          "ping",
          "suspend",
          "step",
          "1.0");

  private final Mutations mutations;
  private final List<Grammar> grammars;

  /** The command, as {@code gjob show} two words of it, with what it is given. */
  record Line(String command, List<String> arguments, String script) {}

  CommandLines(Mutations mutations, List<Grammar> grammars) {
    this.mutations = mutations;
    this.grammars =
        grammars.stream()
            .filter(g -> NOT.stream().noneMatch(not -> g.command().startsWith(not)))
            .toList();
  }

  Line next() {
    Grammar grammar = mutations.any(grammars);
    var words = new ArrayList<>(List.of(grammar.command().split(" ", -1)));
    String command = words.removeFirst();
    for (int i = mutations.below(4); i > 0; i--) {
      words.addAll(option(grammar));
    }
    for (int i = mutations.below(3); i > 0; i--) {
      List<String> some = command.equals("scontrol") ? VERBS : WORDS;
      words.add(mutations.chance(4) ? mutations.changed(mutations.any(some)) : mutations.any(some));
    }
    words.removeIf(word -> word.indexOf('\0') >= 0);
    return new Line(command, words, script(grammar));
  }

  private List<String> option(Grammar grammar) {
    Opt option = mutations.any(grammar.options());
    if (WAITING.contains(option.name())) {
      return List.of();
    }
    String dashed =
        "--" + (mutations.chance(15) ? mutations.changed(option.name()) : option.name());
    String value = value(option);
    return switch (option.arity()) {
      case FLAG -> List.of(mutations.chance(20) ? dashed + "=" + value : dashed);
      case VALUE -> mutations.chance(2) ? List.of(dashed, value) : List.of(dashed + "=" + value);
      case PAIR -> List.of(dashed, value, mutations.text());
      case OPTIONAL_VALUE -> List.of(mutations.chance(2) ? dashed : dashed + "=" + value);
    };
  }

  private String value(Opt option) {
    String[] choices = option.placeholder().split("\\|", -1);
    return mutations.chance(3) ? choices[mutations.below(choices.length)] : mutations.text();
  }

  private String script(Grammar grammar) {
    var script = new StringBuilder(mutations.chance(10) ? "" : "#!/bin/sh\n");
    for (int i = mutations.below(5); i > 0; i--) {
      script.append(mutations.any(List.of("#SBATCH ", "# GFLOW ", "#GFLOW ", "#PBS ", "#SBATCH")));
      script.append(String.join(" ", option(grammar))).append('\n');
    }
    return mutations.chance(4) ? mutations.changed(script.toString()) : script + "true\n";
  }
}
