package gflow.script.order;

import gflow.job.GpuFilter;
import gflow.job.GpuRequest;
import gflow.job.Ranges;
import gflow.script.grammar.Given;
import gflow.script.grammar.Opt;
import gflow.script.value.BadInput;
import gflow.script.value.NearestWord;
import gflow.script.value.Sizes;
import gflow.script.value.WholeNumbers;
import java.math.BigDecimal;
import java.util.List;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Makes one request out of all options that speak about GPUs, or says where they disagree. */
public final class GpuOptions {
  private static final int MOST = 1024;
  private static final Pattern COUNT = Pattern.compile("\\d{1,9}(\\.0+)?");
  private static final Pattern RANGE = Pattern.compile("(\\d{1,9})-(\\d{1,9})");
  private static final Pattern SHARE = Pattern.compile("0?\\.\\d{1,9}");
  private static final Pattern TYPE =
      Pattern.compile("[A-Za-z][A-Za-z0-9_.-]*|\\d+[A-Za-z_][\\w.-]*");
  private static final Pattern GRES = Pattern.compile("gpu(?::([^:,]+))?(?::([^:,]+))?");

  public static final Pattern NONE_OF_IT = Pattern.compile("[a-z]\\w*(:\\w+)?:0");

  /** Real ones, however near their names are. */
  private static final List<String> OTHER_GRES = List.of("tpu", "npu", "mps", "shard");

  private static final String PER_SOCKET = "gpus-per-socket";

  /** Those that say how many; on one machine they mean the same. */
  static final List<String> COUNTS = List.of("gpus", "gres", "gpus-per-node", PER_SOCKET);

  static final List<String> NAMES =
      Opt.names(
          "gpus gres gpus-per-node gpus-per-socket sockets-per-node gpu-memory shared gpu-type"
              + " gpu-ids exclude-gpus");

  /**
   * How many of which type; the type is empty if any will do. {@code most}: how many it can use.
   */
  record Wanted(GpuRequest request, Optional<String> type, int most) {
    Wanted(GpuRequest request, Optional<String> type) {
      this(request, type, request.count());
    }

    boolean elastic() {
      return most > request.count();
    }

    Wanted withType(Optional<String> other) {
      return new Wanted(request, type.or(() -> other), most);
    }

    static Wanted whole(int count) {
      return new Wanted(new GpuRequest.Whole(count), Optional.empty());
    }

    /** Only for whole GPUs. */
    Wanted times(int tasks) {
      int count = request.count() * tasks;
      return new Wanted(count == 0 ? new GpuRequest.None() : new GpuRequest.Whole(count), type);
    }
  }

  private final Given given;

  private GpuOptions(Given given) {
    this.given = given;
  }

  static Wanted wanted(Given given) throws BadInput {
    return new GpuOptions(given).wanted();
  }

  static GpuFilter filter(Given given, Wanted wanted) throws BadInput {
    return new GpuOptions(given).filter(wanted);
  }

  private Wanted wanted() throws BadInput {
    Optional<Wanted> counted = counted();
    Optional<String> memory = given.value("gpu-memory");
    boolean share = counted.isPresent() && counted.get().request() instanceof GpuRequest.Share;
    if (memory.isPresent()) {
      return onShared(memory.get(), counted);
    }
    if (given.has("shared") && !share) {
      throw new BadInput(
          "--shared needs the memory that the job will use: add --gpu-memory 8G, or use --gpus"
              + " 0.5");
    }
    if (counted.isPresent()) {
      return counted.get();
    }
    // Who names the cards wants them all.
    Ranges ids = list("gpu-ids");
    return new Wanted(
        ids.isEmpty() ? new GpuRequest.None() : new GpuRequest.Whole(ids.size()), Optional.empty());
  }

  private Wanted onShared(String memory, Optional<Wanted> counted) throws BadInput {
    if (!given.has("shared")) {
      throw new BadInput(
          "--gpu-memory is for a GPU that is shared: add --shared, or leave it out for a whole"
              + " one");
    }
    long bytes = Sizes.parse(memory);
    if (bytes == 0) {
      throw new BadInput("--gpu-memory must be more than 0; write 8G");
    }
    if (counted.isPresent()
        && !counted.get().equals(Wanted.whole(1).withType(counted.get().type()))) {
      throw new BadInput(
          "--gpu-memory is memory on one GPU; it does not go with --gpus "
              + given.value("gpus").or(() -> given.value("gres")).orElse(""));
    }
    return new Wanted(new GpuRequest.Memory(bytes), counted.flatMap(Wanted::type));
  }

  /** What the options that count say, if anything; more than one must say the same. */
  private Optional<Wanted> counted() throws BadInput {
    Optional<Wanted> found = Optional.empty();
    String first = "";
    for (String name : COUNTS) {
      Optional<Wanted> next = given.read(name, text -> count(name, text));
      if (next.isPresent() && name.equals(PER_SOCKET)) {
        next = Optional.of(next.get().times(sockets()));
      }
      if (next.isPresent() && found.isPresent()) {
        if (!next.get().request().equals(found.get().request())) {
          throw new BadInput(
              "%s and %s disagree; give one of them".formatted(shown(first), shown(name)));
        }
        found = Optional.of(found.get().withType(next.get().type()));
      } else if (next.isPresent()) {
        found = next;
        first = name;
      }
    }
    return found;
  }

  /** Slurm does not guess them either. */
  private int sockets() throws BadInput {
    int sockets = given.number("sockets-per-node", 1, MOST, 0);
    if (sockets == 0) {
      throw new BadInput("--gpus-per-socket needs --sockets-per-node; or write --gpus");
    }
    return sockets;
  }

  private static Wanted count(String name, String text) throws BadInput {
    return switch (name) {
      case "gres" -> gres(text);
      case "gpus-per-node", PER_SOCKET -> wholes(name, text);
      default -> gpus(text);
    };
  }

  /** GPUs for each task. */
  static Wanted perTask(String text) throws BadInput {
    return wholes("gpus-per-task", text);
  }

  private static Wanted wholes(String name, String text) throws BadInput {
    try {
      Wanted wanted = gpus(text);
      if (!(wanted.request() instanceof GpuRequest.Share) && !wanted.elastic()) {
        return wanted;
      }
    } catch (BadInput e) {
      // Said below, in the words of this option.
    }
    throw new BadInput(name + " '" + text + "' is not understood; write 2 or a100:2");
  }

  private String shown(String name) {
    return "--" + name + " " + given.value(name).orElse("");
  }

  static Wanted gpus(String text) throws BadInput {
    String word = text.strip();
    int colon = word.indexOf(':');
    if (colon < 0 && TYPE.matcher(word).matches()) {
      return new Wanted(new GpuRequest.Whole(1), Optional.of(word));
    }
    String type = colon < 0 ? "" : word.substring(0, colon);
    if (colon >= 0 && !TYPE.matcher(type).matches()) {
      throw bad(text);
    }
    String number = word.substring(colon + 1);
    Optional<String> of = colon < 0 ? Optional.empty() : Optional.of(type);
    Matcher range = RANGE.matcher(number);
    return range.matches()
        ? range(text, range.group(1), range.group(2), of)
        : new Wanted(amount(text, number), of);
  }

  /** Starts with the first number, and uses up to the second while nobody else wants them. */
  private static Wanted range(String text, String least, String most, Optional<String> type)
      throws BadInput {
    GpuRequest base = amount(text, least);
    int bound = amount(text, most).count();
    if (base.count() == 0 || bound < base.count()) {
      throw new BadInput(
          "gpus '" + text + "' is no range; write 1-8 to start with 1 and use up to 8");
    }
    return new Wanted(base, type, bound);
  }

  /** The number that it starts with: what Slurm's variables and steps know. */
  static String base(String text) {
    return text.strip().replaceFirst("(^|:)(\\d+)-\\d+$", "$1$2");
  }

  private static GpuRequest amount(String text, String number) throws BadInput {
    if (COUNT.matcher(number).matches()) {
      int count = new BigDecimal(number).intValue();
      if (count > MOST) {
        throw new BadInput(
            "gpus '" + text + "' is more than " + MOST + "; no machine has that many");
      }
      return count == 0 ? new GpuRequest.None() : new GpuRequest.Whole(count);
    }
    if (SHARE.matcher(number).matches()) {
      return share(text, new BigDecimal(number).movePointRight(3));
    }
    if (number.matches("\\d{1,9}\\.\\d{1,9}")) {
      throw new BadInput(
          "gpus '" + text + "' is neither whole GPUs nor a part of one; write 2 or 0.5");
    }
    throw bad(text);
  }

  private static GpuRequest share(String text, BigDecimal thousandths) throws BadInput {
    if (thousandths.signum() == 0) {
      return new GpuRequest.None();
    }
    if (thousandths.stripTrailingZeros().scale() > 0) {
      throw new BadInput("gpus '" + text + "' is finer than a thousandth; write 0.333");
    }
    return new GpuRequest.Share(thousandths.intValueExact());
  }

  private static Wanted gres(String text) throws BadInput {
    String word = text.strip();
    // None of another kind is none, and of no other kind there is any.
    if (word.equalsIgnoreCase("none") || NONE_OF_IT.matcher(word).matches()) {
      return new Wanted(new GpuRequest.None(), Optional.empty());
    }
    Matcher matcher = GRES.matcher(word);
    if (!matcher.matches()) {
      throw otherGres(text, word);
    }
    String first = matcher.group(1) == null ? "1" : matcher.group(1);
    String second = matcher.group(2);
    String amount = second == null ? first : first + ":" + second;
    try {
      Wanted wanted = gpus(amount);
      if (wanted.request() instanceof GpuRequest.Share || wanted.elastic()) {
        throw badGres(text);
      }
      return wanted;
    } catch (BadInput e) {
      throw badGres(text);
    }
  }

  private static BadInput otherGres(String text, String word) {
    if (word.indexOf(',') >= 0) {
      return new BadInput(
          "gres '" + text + "' is a list; ask for GPUs only, and of one type: gpu:a100:2");
    }
    String name = word.replaceFirst("[:\\d].*", "");
    String rest = word.substring(name.length()).replaceFirst("^:", "");
    boolean meant =
        !OTHER_GRES.contains(name) && NearestWord.to(name, List.of("gpu", "gpus")).isPresent();
    if (name.isEmpty() || (name.equals("gpu") && rest.isEmpty())) {
      return badGres(text);
    }
    return new BadInput(
        meant
            ? "gres '" + text + "' is not understood; write gpu:" + (rest.isEmpty() ? "1" : rest)
            : "there is no gres '" + name + "' on this machine, only gpu; write gpu:2");
  }

  private GpuFilter filter(Wanted wanted) throws BadInput {
    Ranges only = list("gpu-ids");
    Ranges exclude = list("exclude-gpus");
    int count = wanted.request().count();
    for (String name : List.of("gpu-type", "gpu-ids", "exclude-gpus")) {
      if (count == 0 && given.value(name).isPresent()) {
        throw new BadInput("--" + name + " without a GPU; add --gpus 1");
      }
    }
    if (!only.isEmpty() && only.size() < count) {
      throw new BadInput(
          "--gpus %d needs %d GPUs, but --gpu-ids %s names only %d; name more or ask for fewer"
              .formatted(count, count, only, only.size()));
    }
    if (!only.isEmpty() && only.minus(exclude).size() < count) {
      throw new BadInput(
          "--exclude-gpus " + exclude + " takes away GPUs that --gpu-ids " + only + " asks for");
    }
    return new GpuFilter(type(wanted), numbers(only), numbers(exclude));
  }

  private Optional<String> type(Wanted wanted) throws BadInput {
    Optional<String> named = given.value("gpu-type");
    if (named.isPresent() && !TYPE.matcher(named.get()).matches()) {
      throw new BadInput("gpu-type '" + named.get() + "' is no word of a model's name; write a100");
    }
    if (named.isPresent() && wanted.type().isPresent()) {
      if (!named.get().equalsIgnoreCase(wanted.type().get())) {
        throw new BadInput(
            "GPU types "
                + wanted.type().get()
                + " and --gpu-type "
                + named.get()
                + " disagree; give one of them");
      }
    }
    return named.or(wanted::type);
  }

  private Ranges list(String name) throws BadInput {
    Optional<String> text = given.value(name);
    return text.isPresent() ? WholeNumbers.list(name, text.get(), MOST - 1) : Ranges.EMPTY;
  }

  private static List<Integer> numbers(Ranges ranges) {
    return ranges.stream().boxed().toList();
  }

  private static BadInput bad(String text) {
    return new BadInput(
        "gpus '" + text + "' is not understood; write 2, a100:2, or 0.25 for a part of one");
  }

  private static BadInput badGres(String text) {
    return new BadInput("gres '" + text + "' is not understood; write gpu:2 or gpu:a100:2");
  }
}
