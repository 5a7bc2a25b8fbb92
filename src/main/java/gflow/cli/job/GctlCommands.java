package gflow.cli.job;

import gflow.api.ApiRequest;
import gflow.api.ApiRequest.Controls;
import gflow.api.ApiRequest.Machine;
import gflow.api.ControlsView;
import gflow.api.Gflow.Control;
import gflow.api.Gflow.Done;
import gflow.api.MachineView.GpuView;
import gflow.cli.frame.ArgumentWords;
import gflow.cli.frame.Call;
import gflow.cli.frame.Command;
import gflow.cli.frame.PastTimes;
import gflow.cli.frame.Refused;
import gflow.cli.frame.Table;
import gflow.script.grammar.Given;
import gflow.script.grammar.Opt;
import gflow.script.value.BadInput;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.TreeSet;
import java.util.stream.IntStream;

/** {@code gctl}: what an operator may change; it holds also after a restart of the daemon. */
public final class GctlCommands {
  private static final int MOST_GPUS = 1024;

  private GctlCommands() {}

  private static final Command SHOW =
      Command.of(
          "gctl show",
          "",
          "Shows what was set, by gctl or in gflow.toml, and how to change it.",
          List.of(Command.JSON, Opt.HELP),
          GctlCommands::show);

  private static int show(Call call, Given given) throws BadInput, Refused {
    ArgumentWords.none(given);
    ControlsView controls = call.ask(new Controls());
    return call.answer(given, controls, () -> text(controls));
  }

  private static String text(ControlsView controls) {
    if (controls.settings().isEmpty()) {
      return "nothing is set, by gctl or in gflow.toml\n";
    }
    var table = new Table().texts("WHAT", "VALUE", "FROM", "CHANGE IT BY");
    controls.settings().forEach(s -> table.texts(s.what(), s.value(), s.from(), s.change()));
    return table.text(false);
  }

  /** What the words ask for. */
  private interface Meaning {
    Control of(Call call, Given given) throws BadInput, Refused;
  }

  private static int run(Call call, Given given, Meaning meaning) throws BadInput, Refused {
    Done done = call.ask(new ApiRequest.Control(meaning.of(call, given)));
    return call.answer(given, done, () -> done.text() + "\n");
  }

  public static List<Command> all() {
    return List.of(
        SHOW,
        gctl(
            "set-gpus",
            "all | LIST",
            "Gives new jobs only these GPUs, as 0,2 or 0-1,3; all lifts it.",
            List.of(),
            (call, given) -> setGpus(one(given, "all, or GPUs as 0,2"))),
        gctl(
            "drain",
            "GPU… | all [--reason TEXT]",
            "Gives these GPUs to no new job; what runs on them goes on.",
            List.of(Opt.value("reason", "", "TEXT", "why, for those who look")),
            (call, given) ->
                new Control.Drain(gpus(call, given), given.value("reason").orElse(""))),
        gctl(
            "undrain",
            "GPU… | all",
            "Gives these GPUs to jobs again.",
            List.of(),
            (call, given) -> new Control.Undrain(gpus(call, given))),
        gctl(
            "pause",
            "[--reason TEXT]",
            "Lets nothing start, as before a reboot; what runs goes on.",
            List.of(Opt.value("reason", "", "TEXT", "why, for those who wait")),
            alone((call, given) -> new Control.Pause(given.value("reason").orElse("")))),
        gctl(
            "resume",
            "",
            "Lets jobs start again.",
            List.of(),
            alone((call, given) -> new Control.Resume())),
        gctl(
            "set-limit",
            "SUBJECT N",
            "Lets at most N run at a time. Of an array write its id, as 42; of a user user:alice;"
                + " of a project project:vision. 0 lifts it.",
            List.of(),
            (call, given) -> setLimit(given.words())),
        ignore("ignore", "Lets GPUs be used although this user or command is on them.", true),
        ignore("unignore", "Counts this user or command as an outsider again.", false),
        gctl(
            "prune",
            "--older-than AGE",
            "Forgets jobs that ended longer ago; their logs go by [log] keep.",
            List.of(Opt.value("older-than", "", "AGE", "as 30d, 12h or 8w")),
            alone(GctlCommands::prune)));
  }

  private static Command ignore(String name, String about, boolean add) {
    List<Opt> options =
        List.of(
            Opt.value("user", "", "USER", "by the user who runs it"),
            Opt.value("command", "", "NAME", "by the name of the program"));
    return gctl(
        name, "--user U | --command C", about, options, alone((call, given) -> who(given, add)));
  }

  private static Command gctl(
      String name, String usage, String about, List<Opt> options, Meaning meaning) {
    var all = new ArrayList<>(options);
    all.add(Command.JSON);
    all.add(Opt.HELP);
    return Command.of(
        "gctl " + name, usage, about, all, (call, given) -> run(call, given, meaning));
  }

  /** Of one that has options and no words. */
  private static Meaning alone(Meaning meaning) {
    return (call, given) -> {
      ArgumentWords.none(given);
      return meaning.of(call, given);
    };
  }

  private static String one(Given given, String what) throws BadInput {
    if (given.words().size() != 1) {
      throw new BadInput("say one thing: " + what);
    }
    return given.words().getFirst();
  }

  private static Control setGpus(String word) throws BadInput {
    return word.equals("all")
        ? new Control.SetGpus(Optional.empty())
        : new Control.SetGpus(Optional.of(indices(List.of(word))));
  }

  private static List<Integer> gpus(Call call, Given given) throws BadInput, Refused {
    if (given.words().isEmpty()) {
      throw new BadInput("say which GPUs: 0,2 or 0-3, or all");
    }
    if (given.words().equals(List.of("all"))) {
      return call.ask(new Machine()).gpus().stream().map(GpuView::index).toList();
    }
    return indices(given.words());
  }

  private static List<Integer> indices(List<String> words) throws BadInput {
    var indices = new TreeSet<Integer>();
    for (String part : String.join(",", words).split(",", -1)) {
      if (!part.matches("\\d{1,4}(-\\d{1,4})?")) {
        throw new BadInput(
            "'" + String.join(" ", words) + "' is no list of GPUs; write 0,2 or 0-3");
      }
      int dash = part.indexOf('-');
      int first = Integer.parseInt(dash < 0 ? part : part.substring(0, dash));
      int last = dash < 0 ? first : Integer.parseInt(part.substring(dash + 1));
      if (last < first || last > MOST_GPUS) {
        throw new BadInput("GPUs '" + part + "' are no range; write 0-3");
      }
      IntStream.rangeClosed(first, last).forEach(indices::add);
    }
    return List.copyOf(indices);
  }

  private static Control setLimit(List<String> words) throws BadInput {
    if (words.size() != 2) {
      throw new BadInput("write what and how many: 42 4, user:alice 2, or project:vision 8");
    }
    String subject = words.getFirst();
    if (!subject.matches("\\d{1,18}|@|(user|project):.+")) {
      throw new BadInput(
          "'" + subject + "' has no limit; write a job id, user:NAME or project:NAME");
    }
    return new Control.SetLimit(
        subject, ArgumentWords.number("limit", words.get(1), 0, Integer.MAX_VALUE));
  }

  private static Control who(Given given, boolean add) throws BadInput {
    Optional<String> user = given.value("user");
    Optional<String> command = given.value("command");
    if (user.isPresent() == command.isPresent()) {
      throw new BadInput("give --user NAME or --command NAME");
    }
    return new Control.Ignore(user.isPresent(), user.or(() -> command).orElseThrow(), add);
  }

  private static Control prune(Call call, Given given) throws BadInput {
    String age = given.value("older-than").orElse("");
    if (age.isEmpty()) {
      throw new BadInput("say how old: --older-than 30d");
    }
    return new Control.Prune(call.now().minus(PastTimes.ago(age)));
  }
}
