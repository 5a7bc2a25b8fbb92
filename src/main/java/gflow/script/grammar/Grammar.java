package gflow.script.grammar;

import gflow.script.value.BadInput;
import gflow.script.value.NearestWord;
import gflow.script.value.RawWords;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.function.Predicate;
import java.util.stream.Stream;

/**
 * The options of one command, read as GNU getopt reads them. {@code stopsAtFirstWord}: what follows
 * the first word that is no option belongs to that word, as in {@code gbatch python -u x.py}.
 */
public final class Grammar {
  /**
   * What gflow adds to the options of Slurm: an abbreviation is one of Slurm's if it can be, so
   * that nothing that is added here changes what a script means.
   */
  public static final List<String> OURS =
      Opt.names(
          "gpu-memory gpu-memory-limit gpu-log shared placement spread stagger fence no-fence "
              + "mps no-mps nvmps gpu-mps group "
              + "gpu-type gpu-ids exclude-gpus memory time-limit timelimit depends-on retries "
              + "max-retries retry-on param param-file max-concurrent name conda-env "
              + "conda-prefix config project from dry-run json shell allocation grace slurm");

  private final String command;
  private final String usage;
  private final String about;
  private final List<Opt> options;
  private final boolean stopsAtFirstWord;
  private final boolean raw;
  private final SortedMap<String, Opt> byName = new TreeMap<>();

  public Grammar(
      String command, String usage, String about, List<Opt> options, boolean stopsAtFirstWord) {
    this(command, usage, about, options, stopsAtFirstWord, false);
  }

  private Grammar(
      String command,
      String usage,
      String about,
      List<Opt> options,
      boolean stopsAtFirstWord,
      boolean raw) {
    this.raw = raw;
    this.command = command;
    this.usage = usage;
    this.about = about;
    this.options = command.startsWith("g") ? List.copyOf(options) : withSlurms(options);
    this.stopsAtFirstWord = stopsAtFirstWord;
    for (Opt option : this.options) {
      byName.put(option.name(), option);
      option.aliases().forEach(alias -> byName.put(alias, option));
    }
  }

  private static List<Opt> withSlurms(List<Opt> options) {
    return Stream.concat(options.stream(), Opt.SLURMS.stream()).distinct().toList();
  }

  /** The same for a command that knows what to do with words that are no text. */
  public Grammar raw() {
    return new Grammar(command, usage, about, options, stopsAtFirstWord, true);
  }

  public String command() {
    return command;
  }

  public String about() {
    return about;
  }

  public List<Opt> options() {
    return options;
  }

  /** Usage, purpose and the options, within 100 columns. */
  public String help() {
    return HelpText.of(command, usage, about, options, ours() ? List.of() : HelpText.SLURMS);
  }

  /** {@code --usage} of Slurm's commands: every option in brackets. */
  public String brief() {
    return HelpText.brief(command, usage, options);
  }

  /** Reads a command line. The line of a refusal starts with the command's name. */
  public Given parse(List<String> arguments) throws BadInput {
    return parse(arguments, _ -> false);
  }

  /** The same, but options that are none here are passed over if that says so of their names. */
  public Given parse(List<String> arguments, Predicate<String> ignored) throws BadInput {
    try {
      return read(arguments, ignored);
    } catch (BadInput bad) {
      throw new BadInput(command + ": " + bad.line());
    }
  }

  /** As parse, but the line of a refusal does not start with the command. */
  public Given read(List<String> arguments) throws BadInput {
    return read(arguments, _ -> false);
  }

  private Given read(List<String> arguments, Predicate<String> ignored) throws BadInput {
    Given given = new Reading(arguments, ignored).read();
    return raw ? given : text(given);
  }

  /** All of it but what a program is given. */
  private Given text(Given given) throws BadInput {
    for (Opt option : options) {
      for (String value : given.values(option.name())) {
        RawWords.text("--" + option.name(), value);
      }
    }
    List<String> words = given.words();
    for (String word : stopsAtFirstWord ? words.stream().limit(1).toList() : words) {
      RawWords.text("'" + word + "'", word);
    }
    return given;
  }

  /** Checks options that did not come from a command line, such as the JSON of the API. */
  public Given check(SortedMap<String, List<String>> byName) throws BadInput {
    var known = new TreeMap<String, List<String>>();
    for (var entry : byName.entrySet()) {
      if (entry.getValue().isEmpty()) {
        continue;
      }
      Opt option = exact(entry.getKey()).orElse(null);
      if (option == null) {
        throw unknown(entry.getKey());
      }
      if (option.arity() == Opt.Arity.VALUE
          && entry.getValue().contains("")
          && !Given.mayBeEmpty(option.name())) {
        throw needsValue(option);
      }
      List<String> values = entry.getValue();
      for (String value : values) {
        RawWords.text("--" + option.name(), value);
      }
      known.put(option.name(), option.repeat() ? List.copyOf(values) : List.of(values.getLast()));
    }
    return new Given(known, List.of());
  }

  private Opt byLong(String word) throws BadInput {
    Optional<Opt> exact = exact(word);
    if (exact.isPresent()) {
      return exact.get();
    }
    List<Opt> begun = begunBy(word);
    if (begun.size() != 1) {
      throw unknown(word);
    }
    return begun.getFirst();
  }

  /** Whether the word, without its dashes, names an option or begins the name of one. */
  public boolean knows(String word) {
    return exact(word).isPresent() || !begunBy(word).isEmpty();
  }

  private Optional<Opt> exact(String word) {
    return Optional.ofNullable(byName.get(word));
  }

  private List<Opt> begunBy(String word) {
    List<Opt> slurms = begunBy(word, name -> !OURS.contains(name));
    return slurms.isEmpty()
        ? begunBy(word, OURS::contains).stream().filter(o -> !o.hidden()).toList()
        : slurms;
  }

  private List<Opt> begunBy(String word, Predicate<String> whose) {
    return options.stream()
        .filter(option -> !word.isEmpty())
        .filter(
            option ->
                Stream.concat(Stream.of(option.name()), option.aliases().stream())
                    .anyMatch(name -> name.startsWith(word) && whose.test(name)))
        .toList();
  }

  private Opt byLetter(char letter) throws BadInput {
    for (Opt option : options) {
      if (option.shorts().indexOf(letter) >= 0) {
        return option;
      }
    }
    throw bad("there is no option -" + letter + seeHelp());
  }

  private BadInput unknown(String word) {
    var names = new ArrayList<String>();
    for (Opt option : options) {
      if (!option.hidden()) {
        names.add(option.name());
        names.addAll(option.aliases());
      }
    }
    List<String> begun = begunBy(word).stream().map(Opt::name).limit(3).toList();
    List<String> meant = NearestWord.to(word, names).map(List::of).orElse(begun);
    String hint = meant.isEmpty() ? "" : "; did you mean --" + String.join(" or --", meant) + "?";
    return bad("there is no option --" + word + hint + seeHelp());
  }

  /** Slurm's commands take any word for a value, and so do ours of those names. */
  private boolean ours() {
    return command.startsWith("g");
  }

  private String seeHelp() {
    return " (" + command + " --help lists them)";
  }

  private static BadInput needsValue(Opt option) {
    return bad("--" + option.name() + " needs a value: " + option.form());
  }

  private static BadInput bad(String what) {
    return new BadInput(what);
  }

  /** One pass over the words of a command line. */
  private final class Reading {
    private final List<String> arguments;
    private final Predicate<String> ignored;
    private final Given.Collector found = new Given.Collector();
    private int at;

    Reading(List<String> arguments, Predicate<String> ignored) {
      this.arguments = arguments;
      this.ignored = ignored;
    }

    Given read() throws BadInput {
      while (at < arguments.size()) {
        String word = arguments.get(at++);
        if (word.equals("--")) {
          takeRest();
        } else if (word.startsWith("--")) {
          readLong(word.substring(2));
        } else if (word.startsWith("-") && word.length() > 1) {
          readLetters(word);
        } else {
          found.word(word);
          if (stopsAtFirstWord) {
            takeRest();
          }
        }
      }
      return found.given();
    }

    private void takeRest() {
      arguments.subList(at, arguments.size()).forEach(found::word);
      at = arguments.size();
    }

    private void readLong(String word) throws BadInput {
      int equals = word.indexOf('=');
      String name = equals < 0 ? word : word.substring(0, equals);
      if (!knows(name) && ignored.test("--" + name)) {
        return;
      }
      Opt option = byLong(name);
      switch (option.arity()) {
        case FLAG -> {
          if (equals >= 0) {
            throw bad("--" + option.name() + " takes no value; write only --" + option.name());
          }
          found.add(option, "");
        }
        case VALUE -> found.add(option, equals < 0 ? separate(option) : word.substring(equals + 1));
        case PAIR -> {
          found.add(option, equals < 0 ? separate(option) : word.substring(equals + 1));
          found.add(option, next(option));
        }
        case OPTIONAL_VALUE -> found.add(option, equals < 0 ? "" : word.substring(equals + 1));
      }
    }

    private void readLetters(String word) throws BadInput {
      String name = word.substring(1).replaceFirst("=.*", "");
      if (name.length() > 1 && exact(name).isPresent()) {
        throw bad("-" + name + " needs two dashes; write --" + name);
      }
      for (int i = 1; i < word.length(); i++) {
        Opt option = byLetter(word.charAt(i));
        switch (option.arity()) {
          case FLAG -> found.add(option, "");
          case OPTIONAL_VALUE -> {
            found.add(option, word.substring(i + 1));
            return;
          }
          case VALUE -> {
            String attached = word.substring(i + 1);
            found.add(option, attached.isEmpty() ? next(option) : attached);
            return;
          }
          case PAIR -> throw new IllegalStateException("an option of two words has no letter");
        }
      }
    }

    private String separate(Opt option) throws BadInput {
      String value = next(option);
      if (value.startsWith("=")) {
        throw bad("a blank stands before " + value + "; write --" + option.name() + value);
      }
      if (ours()
          && value.startsWith("--")
          && exact(value.substring(2).split("=", 2)[0]).isPresent()) {
        String meant = "--" + option.name() + "=" + value;
        throw bad(
            "--%s has no value: %s is an option; write %s if it is meant"
                .formatted(option.name(), value, meant));
      }
      return value;
    }

    private String next(Opt option) throws BadInput {
      if (at == arguments.size()) {
        throw needsValue(option);
      }
      return arguments.get(at++);
    }
  }
}
