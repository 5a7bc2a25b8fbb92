package gflow.map.plan;

import gflow.job.RetryOn;
import gflow.map.items.CommandTemplate;
import gflow.map.items.Source;
import gflow.map.items.SourceOptions;
import gflow.script.grammar.Given;
import gflow.script.order.RetrySyntax;
import gflow.script.value.BadInput;
import gflow.script.value.Times;
import gflow.script.value.WholeNumbers;
import java.math.BigDecimal;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Makes an order of what a command line of {@code gmap} says, or says what is wrong with it. */
public record MapOrders(Given given) {
  private static final int DEBUG_ITEMS = 8;
  private static final int MOST_RETRIES = 1000;
  private static final int MOST_AT_ONCE = 65_536;
  private static final Duration START = Duration.ofMinutes(10);
  private static final Pattern GPUS = Pattern.compile("all|(\\d{1,4})(?:-(\\d{1,4}|all))?");
  private static final Pattern PART = Pattern.compile("(100|\\d{1,2})(\\.\\d+)?%");
  private static final Pattern SPAN = Pattern.compile("(\\d{1,9}(?:\\.\\d{1,3})?)(ms|s|m|min|h|d)");

  /** {@code typed}: stdin is a terminal, so nothing comes from there unless it is asked for. */
  public static MapOrder read(Given given, boolean typed) throws BadInput {
    return new MapOrders(given).read(typed);
  }

  private MapOrder read(boolean typed) throws BadInput {
    var sources = new SourceOptions(given);
    Optional<Source> source = sources.source();
    List<String> command = command(sources.command());
    MapOrder.Results results = results();
    MapOrder.Items items = items(source.isPresent() ? source.get() : unsaid(results, typed));
    Optional<MapPlan.Worker> worker = worker(command);
    var way = new MapOrder.Way(slots(), care(), output(), worker);
    var flags =
        new MapOrder.Flags(
            given.has("dry-run"), given.has("detach"), given.has("json"), given.has("quiet"));
    var job = new TreeMap<>(given.byName());
    job.keySet().retainAll(MapOptions.JOB);
    return new MapOrder(command, items, way, results, flags, job, given.byName().keySet());
  }

  private List<String> command(List<String> words) throws BadInput {
    if (words.isEmpty() && !given.has("resume")) {
      throw new BadInput("no command; write gmap [options] COMMAND [ARGS…] ::: a b c");
    }
    if (!words.isEmpty() && words.getFirst().isEmpty()) {
      throw new BadInput("the name of the program is empty");
    }
    return words;
  }

  /** Nothing said: the items of the folder that is resumed, or what comes through a pipe. */
  private Source unsaid(MapOrder.Results results, boolean typed) throws BadInput {
    if (results.resume()) {
      return new Source.Before(results.folder().orElseThrow());
    }
    if (typed) {
      throw new BadInput("no items; add ::: a b c, --items 'data/*.xyz' or --items-from FILE");
    }
    return SourceOptions.lines("-", given);
  }

  private MapOrder.Items items(Source source) throws BadInput {
    int limit = number("size-limit", 0, Integer.MAX_VALUE, 0);
    if (given.has("debug")) {
      limit = limit == 0 ? DEBUG_ITEMS : Math.min(limit, DEBUG_ITEMS);
    }
    int perCall = number("per-call", 1, 100_000, 1);
    if (perCall > 1 && hasMoreValues(source)) {
      throw new BadInput("-N is for items of one value; those of " + source.shown() + " have more");
    }
    return new MapOrder.Items(source, limit, perCall, text("size-from"));
  }

  private static boolean hasMoreValues(Source source) {
    return switch (source) {
      case Source.Arguments(var groups) ->
          groups.size() > 1 || groups.stream().flatMap(List::stream).anyMatch(r -> r.size() > 1);
      case Source.Pairs _ -> true;
      case Source.InFile(_, var format) -> format == Source.Format.TABLE;
      case Source.Patterns _, Source.Folder _, Source.Numbers _, Source.Before _ -> false;
    };
  }

  private MapPlan.Slots slots() throws BadInput {
    String gpus = gpus();
    if (gpus.equals("0") && given.has("per-gpu")) {
      throw new BadInput("--gpus 0 and --per-gpu disagree; -j N says how many run at once");
    }
    if (given.has("static") && given.has("size-from")) {
      throw new BadInput("--static and --size-from both say where items go; give one of them");
    }
    if (given.has("static") && gpus.contains("-")) {
      throw new BadInput(
          "--static keeps its GPUs from the start; say how many: --gpus "
              + gpus.substring(gpus.indexOf('-') + 1));
    }
    return new MapPlan.Slots(
        gpus,
        number("per-gpu", 1, 1024, 1),
        number("batch-size", MOST_AT_ONCE),
        number("cpus-per-item", 1, MOST_AT_ONCE, 1),
        given.has("static"));
  }

  /** {@code auto}, {@code 0}, {@code 8}, {@code 1-8} or {@code 1-all}. */
  private String gpus() throws BadInput {
    String text = text("gpus").orElse("auto");
    if (text.equals("auto")) {
      return text;
    }
    Matcher gpus = GPUS.matcher(text);
    boolean fits = gpus.matches();
    if (fits && gpus.group(2) != null) {
      int least = Integer.parseInt(gpus.group(1));
      fits = least > 0 && (gpus.group(2).equals("all") || Integer.parseInt(gpus.group(2)) >= least);
    }
    if (!fits) {
      throw new BadInput("--gpus '" + text + "' is not understood; write 8, 1-8, 2-all, all or 0");
    }
    return text;
  }

  private MapPlan.Care care() throws BadInput {
    Optional<String> failures = text("max-failures");
    if (failures.isPresent()
        && !failures.get().matches("\\d{1,9}")
        && !PART.matcher(failures.get()).matches()) {
      throw new BadInput(
          "--max-failures '" + failures.get() + "' is not understood; write 10 or 5%");
    }
    return new MapPlan.Care(
        time("timeout"), number("retries", 0, MOST_RETRIES, 0), retryOn(), failures, text("check"));
  }

  private List<RetryOn> retryOn() throws BadInput {
    if (given.has("retry-on") && !given.has("retries")) {
      throw new BadInput("--retry-on says after what; add --retries K to say how often");
    }
    return given.read("retry-on", RetrySyntax::words).orElse(List.of());
  }

  private MapPlan.Output output() throws BadInput {
    return new MapPlan.Output(
        text("out-template"), given.has("tag"), given.has("keep-order"), !given.has("no-append"));
  }

  private Optional<MapPlan.Worker> worker(List<String> command) throws BadInput {
    OptionalInt recycle = number("recycle", Integer.MAX_VALUE);
    Optional<Duration> start = time("start-timeout");
    if (!given.has("worker")) {
      if (recycle.isPresent() || start.isPresent()) {
        throw new BadInput(
            (recycle.isPresent() ? "--recycle" : "--start-timeout")
                + " is for workers; add --worker");
      }
      return Optional.empty();
    }
    Optional<String> named = CommandTemplate.namesItem(command);
    if (named.isPresent()) {
      throw new BadInput(
          "a worker is started before it has an item, so '"
              + named.get()
              + "' cannot be filled in");
    }
    return Optional.of(new MapPlan.Worker(recycle, start.orElse(START)));
  }

  private MapOrder.Results results() throws BadInput {
    boolean resume = given.has("resume");
    Optional<String> folder = text("results");
    for (String name : List.of("retry-failed", "changed-items")) {
      if (given.has(name) && !resume) {
        throw new BadInput("--" + name + " goes with --resume");
      }
    }
    if (resume && folder.isEmpty()) {
      throw new BadInput("--resume needs --results DIR, the folder of the run to go on with");
    }
    return new MapOrder.Results(
        folder, resume, given.has("retry-failed"), given.has("changed-items"));
  }

  private int number(String name, int least, int most, int otherwise) throws BadInput {
    Optional<String> text = given.value(name);
    return text.isPresent()
        ? WholeNumbers.between("--" + name, text.get(), least, most)
        : otherwise;
  }

  /** From 1 on; empty if it is not said. */
  private OptionalInt number(String name, int most) throws BadInput {
    int number = number(name, 1, most, 0);
    return number == 0 ? OptionalInt.empty() : OptionalInt.of(number);
  }

  private Optional<String> text(String name) throws BadInput {
    Optional<String> text = given.value(name);
    if (text.isPresent() && text.get().isBlank()) {
      throw new BadInput("--" + name + " is empty");
    }
    return text;
  }

  /** A bare number would be minutes to Slurm's users and seconds to parallel's. */
  private Optional<Duration> time(String name) throws BadInput {
    Optional<String> text = given.value(name);
    if (text.isEmpty()) {
      return Optional.empty();
    }
    Duration time = time(name, text.get().strip());
    if (time.isZero()) {
      throw new BadInput("--" + name + " must be more than 0; leave it out for no limit");
    }
    return Optional.of(time);
  }

  private static Duration clock(String name, String text) throws BadInput {
    try {
      return Times.duration(text);
    } catch (BadInput e) {
      throw new BadInput(
          "--" + name + " '" + text + "' is not understood; write 90s, 5m, 2h or 1:00:00");
    }
  }

  private static Duration time(String name, String text) throws BadInput {
    if (text.matches("\\d{1,9}")) {
      throw new BadInput("--%s %s: say %ss or %sm".formatted(name, text, text, text));
    }
    Matcher span = SPAN.matcher(text);
    if (!span.matches()) {
      return clock(name, text);
    }
    String word = span.group(2);
    long unit = word.equals("ms") ? 1 : Times.duration("1" + word).toMillis();
    return Duration.ofMillis(
        new BigDecimal(span.group(1)).multiply(BigDecimal.valueOf(unit)).longValue());
  }
}
