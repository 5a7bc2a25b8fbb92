package gflow.script.grammar;

import java.util.List;
import java.util.Objects;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * One option: its long name without dashes, its letters, other long names, and what it takes. In
 * the placeholder {@code a|b|FILE} the words in lower case are values to choose from, those in
 * upper case stand for something. An option without help is hidden: programs use it, people do not.
 */
public record Opt(
    String name,
    String shorts,
    List<String> aliases,
    Arity arity,
    boolean repeat,
    String placeholder,
    String help) {

  public enum Arity {
    FLAG,
    VALUE,
    /** Two words; such an option counts each time, and has twice as many values. */
    PAIR,
    /** The value comes only as {@code --x=v}. */
    OPTIONAL_VALUE
  }

  public Opt {
    aliases = List.copyOf(aliases);
  }

  public static Opt flag(String name, String shorts, String help) {
    return new Opt(name, shorts, List.of(), Arity.FLAG, false, "", help);
  }

  public static Opt value(String name, String shorts, String placeholder, String help) {
    return new Opt(name, shorts, List.of(), Arity.VALUE, false, placeholder, help);
  }

  public static Opt pair(String name, String placeholder, String help) {
    return new Opt(name, "", List.of(), Arity.PAIR, true, placeholder, help);
  }

  public static Opt optional(String name, String shorts, String placeholder, String help) {
    return new Opt(name, shorts, List.of(), Arity.OPTIONAL_VALUE, false, placeholder, help);
  }

  private static final Pattern HIDDEN =
      Pattern.compile("([a-z-]+)(?:/([a-z-]+))?(?:,(\\w))?(?:(\\[)?=([^\\s\\]]+)]?)?");

  /**
   * Options without help: {@code reboot}, {@code bb=TEXT}, {@code nice[=N]} for a value that may be
   * left out, with a letter {@code clusters,M=NAMES}, with another name {@code
   * oversubscribe/share}.
   */
  public static List<Opt> hidden(String table) {
    return HIDDEN
        .matcher(table)
        .results()
        .map(
            row -> {
              Arity arity =
                  row.group(5) == null
                      ? Arity.FLAG
                      : row.group(4) == null ? Arity.VALUE : Arity.OPTIONAL_VALUE;
              return new Opt(
                  row.group(1),
                  Objects.requireNonNullElse(row.group(3), ""),
                  Stream.ofNullable(row.group(2)).toList(),
                  arity,
                  false,
                  Objects.requireNonNullElse(row.group(5), ""),
                  "");
            })
        .toList();
  }

  /** Names of options, with blanks between them. */
  public static List<String> names(String list) {
    return List.of(list.split(" "));
  }

  public static final Opt HELP = flag("help", "h", "show this and end");

  /** What each of Slurm's commands has besides. */
  static final List<Opt> SLURMS =
      List.of(
          flag("usage", "", "show the options in brief and end"),
          flag("version", "V", "show the version and end"));

  public Opt alias(String... names) {
    return new Opt(name, shorts, List.of(names), arity, repeat, placeholder, help);
  }

  /** The same option, but each time it is given counts. */
  public Opt repeated() {
    return new Opt(name, shorts, aliases, arity, true, placeholder, help);
  }

  public boolean hidden() {
    return help.isEmpty();
  }

  /** Whether the word after it belongs to it. */
  boolean takesWord() {
    return arity == Arity.VALUE || arity == Arity.PAIR;
  }

  /** As it is written: {@code --gpus N}. */
  String form() {
    return switch (arity) {
      case FLAG -> "--" + name;
      case VALUE, PAIR -> "--" + name + " " + placeholder;
      case OPTIONAL_VALUE -> "--" + name + "[=" + placeholder + "]";
    };
  }
}
