package gflow.script.grammar;

import java.util.ArrayList;
import java.util.List;
import java.util.SequencedMap;
import java.util.TreeMap;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * Completion scripts for shells. A grammar named {@code gjob log} is the subcommand log of gjob.
 * Only ids of jobs ask the daemon; all else is in the text.
 */
public final class Completion {
  private static final String JOBS = "gqueue -h -o %i 2>/dev/null";

  private Completion() {}

  private static final String BASH =
      """
      @FUNCTION() {
        local cur=${COMP_WORDS[COMP_CWORD]} prev=${COMP_WORDS[COMP_CWORD-1]}
        case "${COMP_WORDS[1]}" in
      @CASES  esac
      @WORDS}
      complete -o default -F @FUNCTION @COMMAND
      """;

  public static String bash(List<Grammar> grammars) {
    var text = new StringBuilder("# bash completion for gflow\n");
    commands(grammars).forEach((command, parts) -> text.append(bash(command, parts)));
    return text.toString();
  }

  private static String bash(String command, List<Grammar> parts) {
    String words = String.join(" ", subcommands(parts));
    return BASH.replace("@FUNCTION", "_gflow_" + command.replace('-', '_'))
        .replace("@COMMAND", command)
        .replace(
            "@WORDS",
            words.isEmpty()
                ? ""
                : "  ((COMP_CWORD == 1)) && [[ $cur != -* ]] && " + reply(words) + "\n")
        .replace("@CASES", parts.stream().map(Completion::bashCase).collect(Collectors.joining()));
  }

  /** Offers those of the words that begin so. */
  private static String reply(String words) {
    return "COMPREPLY=($(compgen -W \"" + words + "\" -- \"$cur\"))";
  }

  private static String bashCase(Grammar grammar) {
    String sub = subcommand(grammar);
    var text = new StringBuilder("  " + (sub.isEmpty() ? "*" : sub) + ")\n");
    text.append("    case \"$prev\" in\n");
    for (Opt option : shown(grammar)) {
      if (option.takesWord()) {
        text.append("    ").append(String.join("|", forms(option))).append(") ");
        text.append(bashValues(option)).append("return ;;\n");
      }
    }
    text.append("    esac\n    [[ $cur == -* ]] && " + reply(longs(grammar)) + "\n");
    if (takesJobs(grammar)) {
      text.append("    [[ $cur == -* ]] || " + reply("$(" + JOBS + ")") + "\n");
    }
    return text.append("    ;;\n").toString();
  }

  private static String bashValues(Opt option) {
    List<String> words = namesJobs(option) ? List.of("$(" + JOBS + ")") : words(option);
    return words.isEmpty() ? "" : reply(String.join(" ", words)) + "; ";
  }

  public static String zsh(List<Grammar> grammars) {
    // zsh runs bash's completions; so both shells offer the same.
    String names = String.join(" ", commands(grammars).keySet());
    return "#compdef " + names + "\nautoload -U +X bashcompinit && bashcompinit\n" + bash(grammars);
  }

  public static String fish(List<Grammar> grammars) {
    var text = new StringBuilder("# fish completion for gflow\n");
    commands(grammars)
        .forEach(
            (command, parts) -> {
              for (Grammar part : parts) {
                text.append(fish(command, part, subcommands(parts)));
              }
            });
    return text.toString();
  }

  private static String fish(String command, Grammar grammar, List<String> subcommands) {
    var text = new StringBuilder();
    String sub = subcommand(grammar);
    String start = "complete -c " + command;
    if (!sub.isEmpty()) {
      text.append(
          start + " -f -n 'not __fish_seen_subcommand_from " + String.join(" ", subcommands));
      text.append("' -a " + sub + " -d '" + plain(grammar.about()) + "'\n");
      start += " -n '__fish_seen_subcommand_from " + sub + "'";
    }
    if (takesJobs(grammar)) {
      text.append(start + " -f -a '(" + JOBS + ")'\n");
    }
    for (Opt option : shown(grammar)) {
      text.append(start).append(fishOption(option)).append('\n');
    }
    return text.toString();
  }

  private static String fishOption(Opt option) {
    var text = new StringBuilder();
    option.shorts().chars().forEach(c -> text.append(" -s ").append((char) c));
    text.append(" -l ").append(option.name());
    if (option.takesWord()) {
      text.append(takesFiles(option) ? " -r" : " -x");
    }
    List<String> words = words(option);
    if (namesJobs(option)) {
      text.append(" -a '(").append(JOBS).append(")'");
    } else if (!words.isEmpty()) {
      text.append(" -a '").append(String.join(" ", words)).append('\'');
    }
    return text.append(" -d '").append(plain(option.help())).append('\'').toString();
  }

  private static SequencedMap<String, List<Grammar>> commands(List<Grammar> grammars) {
    var commands = new TreeMap<String, List<Grammar>>();
    for (Grammar grammar : grammars) {
      String command = grammar.command().split(" ", 2)[0];
      commands.computeIfAbsent(command, c -> new ArrayList<>()).add(grammar);
    }
    // A case for any word must stand behind those for one.
    commands.values().forEach(parts -> parts.sort((a, b) -> rank(a) - rank(b)));
    return commands;
  }

  private static int rank(Grammar grammar) {
    return subcommand(grammar).isEmpty() ? 1 : 0;
  }

  private static String subcommand(Grammar grammar) {
    String[] parts = grammar.command().split(" ", 2);
    return parts.length == 2 ? parts[1] : "";
  }

  private static List<String> subcommands(List<Grammar> parts) {
    return parts.stream().map(Completion::subcommand).filter(s -> !s.isEmpty()).toList();
  }

  private static List<Opt> shown(Grammar grammar) {
    return grammar.options().stream().filter(o -> !o.hidden()).toList();
  }

  private static String longs(Grammar grammar) {
    return shown(grammar).stream().map(o -> "--" + o.name()).collect(Collectors.joining(" "));
  }

  private static List<String> forms(Opt option) {
    return Stream.concat(
            option.shorts().chars().mapToObj(c -> "-" + (char) c),
            Stream.concat(Stream.of(option.name()), option.aliases().stream()).map(n -> "--" + n))
        .toList();
  }

  /** The words in lower case of a placeholder like {@code append|truncate}. */
  private static List<String> words(Opt option) {
    return Stream.of(option.placeholder().split("\\|", -1))
        .filter(word -> word.matches("[a-z][a-z_-]*"))
        .toList();
  }

  private static boolean namesJobs(Opt option) {
    return option.placeholder().matches("(ID|JOB).*");
  }

  private static boolean takesJobs(Grammar grammar) {
    return grammar.help().lines().findFirst().orElse("").matches(".*\\b(ID|JOB)S?\\b.*");
  }

  private static boolean takesFiles(Opt option) {
    return Stream.of(option.placeholder().split("\\|", -1))
        .anyMatch(w -> w.matches("FILE|DIR|PATH"));
  }

  private static String plain(String text) {
    return text.replace("'", "").replace("\n", " ");
  }
}
