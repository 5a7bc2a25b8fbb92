package gflow.cli;

import gflow.api.Answer;
import gflow.api.ApiRequest;
import gflow.api.DaemonStatus;
import gflow.api.Gflow;
import gflow.cli.frame.Call;
import gflow.cli.frame.Command;
import gflow.cli.frame.ErrorStyle;
import gflow.cli.frame.Invocation;
import gflow.cli.frame.Output;
import gflow.cli.frame.Table;
import gflow.cli.job.DaemonState;
import gflow.cli.job.Gbatch;
import gflow.cli.job.Gcancel;
import gflow.cli.job.GctlCommands;
import gflow.cli.job.Ginfo;
import gflow.cli.job.Gqueue;
import gflow.cli.job.Gstats;
import gflow.cli.job.JobEff;
import gflow.cli.job.JobLog;
import gflow.cli.job.JobPlot;
import gflow.cli.job.JobShow;
import gflow.cli.job.JobVerbs;
import gflow.cli.map.Gmap;
import gflow.cli.map.MapAttach;
import gflow.cli.map.MapExport;
import gflow.cli.map.MapShow;
import gflow.cli.slurm.Sacct;
import gflow.cli.slurm.Salloc;
import gflow.cli.slurm.Sbatch;
import gflow.cli.slurm.Scancel;
import gflow.cli.slurm.Scontrol;
import gflow.cli.slurm.Sinfo;
import gflow.cli.slurm.SlurmJob;
import gflow.cli.slurm.Squeue;
import gflow.cli.step.Grun;
import gflow.script.grammar.Completion;
import gflow.script.grammar.Given;
import gflow.script.grammar.Grammar;
import gflow.script.value.BadInput;
import gflow.script.value.NearestWord;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Optional;
import java.util.SequencedMap;
import java.util.SortedSet;
import java.util.TreeSet;

/**
 * All commands by their names, and the way to them: {@code gqueue}, {@code gflow gqueue} and {@code
 * gflow queue} are the same.
 */
public final class Commands {
  private static final int USAGE = 2;
  private static final String ROOT = "gflow";
  private static final String MAP = "gmap";
  private static final String EACH = "\nEach takes --help.\n";

  private final String version;
  private final List<Grun> steps = List.of(new Grun("grun"), new Grun("srun"));
  private final SequencedMap<String, Command> byName = new LinkedHashMap<>();

  /** {@code program}: the launcher, for what runs commands itself. */
  public Commands(String version, Path program) {
    this.version = version;
    add(Gbatch.COMMAND);
    steps.forEach(step -> add(step.command()));
    add(Gmap.command(program));
    add(MapShow.COMMAND);
    add(MapExport.COMMAND);
    add(MapAttach.command(program));
    add(Gqueue.COMMAND);
    add(JobShow.COMMAND);
    add(JobEff.COMMAND);
    add(JobPlot.COMMAND);
    add(JobLog.COMMAND);
    JobVerbs.all().forEach(this::add);
    add(Grun.SHELL);
    add(Gcancel.COMMAND);
    add(Ginfo.COMMAND);
    GctlCommands.all().forEach(this::add);
    add(Gstats.COMMAND);
    add(DaemonState.COMMAND);
    add(Sbatch.COMMAND);
    add(Salloc.COMMAND);
    add(Squeue.COMMAND);
    add(Scancel.COMMAND);
    add(Scontrol.COMMAND);
    add(Sacct.COMMAND);
    add(JobEff.SEFF);
    add(Sinfo.COMMAND);
  }

  private void add(Command command) {
    byName.put(command.grammar().command(), command);
  }

  /** The grammars of all commands, for completion and for the pages about them. */
  public List<Grammar> grammars() {
    return byName.values().stream().map(Command::grammar).toList();
  }

  /** False if the command needs a process of the caller's own. */
  public boolean fits(Invocation invocation) {
    if (invocation.command().equals(MAP)) {
      // It takes signals, and runs programs of the caller's.
      return false;
    }
    return steps.stream()
        .filter(step -> step.name().equals(invocation.command()))
        .allMatch(step -> step.isOneTask(invocation));
  }

  /** Runs a command and returns its exit code. */
  public int run(Invocation invocation, Gflow gflow, Output output) {
    String name = invocation.command();
    return name.equals(ROOT)
        ? root(invocation, gflow, output)
        : dispatch(name, invocation.arguments(), new Call(name, invocation, gflow, output));
  }

  private int root(Invocation invocation, Gflow gflow, Output output) {
    var call = new Call(ROOT, invocation, gflow, output);
    List<String> words = invocation.arguments();
    String first = words.isEmpty() ? "--help" : words.getFirst();
    List<String> rest = words.isEmpty() ? words : words.subList(1, words.size());
    return switch (first) {
      case "--version", "version", "-V" -> call.say(ROOT + " " + version + "\n");
      case "--help", "-h", "help" -> {
        call.say(overview());
        yield words.isEmpty() ? USAGE : 0;
      }
      case "completion" -> completion(call, rest);
      default -> dispatch(meant(first), rest, call);
    };
  }

  /** {@code queue} is gqueue; what is no command in either form stays as it was written. */
  private String meant(String word) {
    boolean abbreviated = known("g" + word) || word.equals("status");
    return abbreviated && !known(word) ? "g" + word : word;
  }

  private boolean known(String name) {
    return names().contains(name);
  }

  /** First words: what can be typed as a command. */
  private SortedSet<String> names() {
    var names = new TreeSet<String>();
    byName.keySet().forEach(name -> names.add(name.split(" ", 2)[0]));
    return names;
  }

  private int dispatch(String name, List<String> words, Call call) {
    // Some of those that stand alone have parts as well: gmap, and gmap show.
    Command part = words.isEmpty() ? null : byName.get(name + " " + words.getFirst());
    if (part != null) {
      return run(part, words.subList(1, words.size()), call);
    }
    boolean status = name.equals("gflowd-status") || name.equals("gstatus");
    Command command = byName.get(status ? "gflowd status" : name);
    if (command != null) {
      return run(command, words, call);
    }
    return known(name) ? group(name, words, call) : unknown(name, call);
  }

  /** A command with parts, of which none was named. */
  private int group(String name, List<String> words, Call call) {
    if (!words.isEmpty() && List.of("--help", "-h", "help").contains(words.getFirst())) {
      String usage = "Usage: " + name + " COMMAND …\n\nCommands:\n";
      return call.say(usage + list(name + " ").text(false) + EACH);
    }
    List<String> parts =
        byName.keySet().stream()
            .filter(other -> other.startsWith(name + " "))
            .map(other -> other.substring(name.length() + 1))
            .toList();
    String choices = "; there are " + String.join(", ", parts);
    if (words.isEmpty()) {
      call.output().problem(name + ": say what to do" + choices);
      return USAGE;
    }
    String hint =
        NearestWord.to(words.getFirst(), parts)
            .map(p -> "; did you mean " + p + "?")
            .orElse(choices);
    call.output().problem(name + ": there is no '" + words.getFirst() + "'" + hint);
    return USAGE;
  }

  private int run(Command command, List<String> words, Call caller) {
    Grammar grammar = command.grammar();
    var call = new Call(grammar.command(), caller.invocation(), caller.gflow(), caller.output());
    Given given;
    try {
      given = read(command, words, call);
    } catch (BadInput e) {
      return command.complaints().misread(call, words, e);
    }
    if (given.has("help")) {
      return call.say(grammar.help());
    }
    if (given.has("usage")) {
      return call.say(grammar.brief());
    }
    if (given.has("version")) {
      return call.say("slurm " + SlurmJob.SLURM + " (gflow " + version + ")\n");
    }
    return command.run(call, given);
  }

  /** In Slurm's words there may be options that only a site knows; which, its daemon says. */
  private static Given read(Command command, List<String> words, Call call) throws BadInput {
    try {
      return command.grammar().parse(words);
    } catch (BadInput e) {
      return command.complaints() != ErrorStyle.OURS
              && call.gflow().ask(new ApiRequest.Status())
                  instanceof Answer.Ok<DaemonStatus>(var it)
          ? command.grammar().parse(words, it.ignoredOptions()::contains)
          : command.grammar().parse(words);
    }
  }

  private int unknown(String name, Call call) {
    String hint =
        NearestWord.to(name, names())
            .or(() -> NearestWord.to("g" + name, names()))
            .map(near -> "; did you mean " + near + "?")
            .orElse("; there are " + String.join(", ", names()));
    call.output().problem(ROOT + ": there is no command '" + name + "'" + hint);
    return USAGE;
  }

  private int completion(Call call, List<String> words) {
    // Slurm's names may have a completion already, where Slurm is.
    var own = grammars().stream().filter(g -> g.command().startsWith("g")).toList();
    Optional<String> script =
        switch (words.size() == 1 ? words.getFirst() : "") {
          case "bash" -> Optional.of(Completion.bash(own));
          case "zsh" -> Optional.of(Completion.zsh(own));
          case "fish" -> Optional.of(Completion.fish(own));
          default -> Optional.empty();
        };
    script.ifPresentOrElse(
        call.output()::out, () -> call.problem("completion is for one of bash, zsh and fish"));
    return script.isPresent() ? 0 : USAGE;
  }

  /** The commands whose names begin so, and what they are for. */
  private Table list(String start) {
    var table = new Table();
    byName.forEach(
        (name, command) -> {
          if (name.startsWith(start)) {
            table.texts("  " + name, firstSentence(command.grammar().about()));
          }
        });
    return table;
  }

  private String overview() {
    Table table =
        list("")
            .texts("  gflow slurm-env", "Prints what puts Slurm's names on PATH, for eval.")
            .texts("  gflow demo", "A tour with a private daemon and simulated GPUs.")
            .texts(
                "  gflow wait-for", "Waits for a socket, a port, a web address, a file or a line.")
            .texts("  gflow doctor", "Looks at all that gflow stands on, and says what to type.")
            .texts(
                "  gflow install", "Puts the program and its commands into ~/.local, or --prefix.")
            .texts("  gflow dist", "Packs the program into one file for other machines.")
            .texts("  gflow completion SHELL", "Prints the completion for bash, zsh or fish.")
            .texts("  gflow --version", "Prints the version.");
    return """
    Usage: gflow COMMAND …  (or the command by its own name, as gqueue)
    Runs GPU work on the GPUs that you have, in Slurm's words.

    Commands:
    """
        + table.text(false)
        + EACH;
  }

  private static String firstSentence(String about) {
    int end = about.indexOf(". ");
    return end < 0 ? about.lines().findFirst().orElse("") : about.substring(0, end + 1);
  }
}
