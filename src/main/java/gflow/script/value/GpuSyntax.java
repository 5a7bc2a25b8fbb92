package gflow.script.value;

import gflow.job.GpuPart;
import gflow.job.GpuRequest;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * GPUs as options write them: {@code 2}, {@code a100:2}, {@code 1/4}, {@code 1-8}, {@code
 * gpu:a100:2}.
 */
public final class GpuSyntax {
  public static final int MOST = 1024;
  private static final Pattern COUNT = Pattern.compile("\\d{1,9}(\\.0+)?");
  private static final Pattern RANGE = Pattern.compile("(\\d{1,9})-(\\d{1,9})");
  private static final Pattern DECIMAL = Pattern.compile("0?\\.\\d{1,9}");
  private static final Pattern FRACTION = Pattern.compile("(\\d{1,9})/(\\d{1,9})");
  public static final Pattern TYPE =
      Pattern.compile("[A-Za-z][A-Za-z0-9_.-]*|\\d+[A-Za-z_][\\w.-]*");
  private static final Pattern GRES = Pattern.compile("gpu(?::([^:,]+))?(?::([^:,]+))?");

  public static final Pattern NONE_OF_IT = Pattern.compile("[a-z]\\w*(:\\w+)?:0");

  /** Real ones, however near their names are. */
  private static final List<String> OTHER_GRES = List.of("tpu", "npu", "mps", "shard");

  /**
   * How many of which type; the type is empty if any will do. {@code most}: how many it can use.
   */
  public record Wanted(GpuRequest request, Optional<String> type, int most) {
    public Wanted(GpuRequest request, Optional<String> type) {
      this(request, type, request.count());
    }

    public boolean elastic() {
      return most > request.count();
    }

    public Wanted withType(Optional<String> other) {
      return new Wanted(request, type.or(() -> other), most);
    }

    public static Wanted whole(int count) {
      return new Wanted(new GpuRequest.Whole(count), Optional.empty());
    }

    /** Only for whole GPUs. */
    public Wanted times(int tasks) {
      int count = request.count() * tasks;
      return new Wanted(count == 0 ? new GpuRequest.None() : new GpuRequest.Whole(count), type);
    }
  }

  private GpuSyntax() {}

  public static Wanted gpus(String text) throws BadInput {
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
  public static String base(String text) {
    return text.strip().replaceFirst("(^|:)(\\d+)-\\d+$", "$1$2");
  }

  private static GpuRequest amount(String text, String number) throws BadInput {
    if (COUNT.matcher(number).matches()) {
      int count = new BigDecimal(number).intValue();
      if (count == 0 && number.indexOf('.') >= 0) {
        return part(text, BigInteger.ZERO, BigInteger.ONE);
      }
      if (count > MOST) {
        throw new BadInput(
            "gpus '" + text + "' is more than " + MOST + "; no machine has that many");
      }
      return count == 0 ? new GpuRequest.None() : new GpuRequest.Whole(count);
    }
    if (DECIMAL.matcher(number).matches()) {
      var decimal = new BigDecimal(number);
      return part(text, decimal.unscaledValue(), BigInteger.TEN.pow(decimal.scale()));
    }
    Matcher fraction = FRACTION.matcher(number);
    if (fraction.matches()) {
      return part(text, new BigInteger(fraction.group(1)), new BigInteger(fraction.group(2)));
    }
    if (number.matches("\\d{1,9}\\.\\d{1,9}")) {
      throw new BadInput(
          "gpus '" + text + "' is neither whole GPUs nor a part of one; write 2 or 1/2");
    }
    throw bad(text);
  }

  private static GpuRequest part(String text, BigInteger dividend, BigInteger divisor)
      throws BadInput {
    if (dividend.signum() == 0 || divisor.signum() == 0) {
      throw new BadInput("gpus '" + text + "' is nothing of a GPU; leave it out, or write 1/4");
    }
    if (dividend.compareTo(divisor) >= 0) {
      throw new BadInput(
          "gpus '" + text + "' is no part of one GPU; write 1/4, or 2 for whole ones");
    }
    if (!GpuPart.isExact(dividend, divisor)) {
      throw new BadInput(
          "gpus '" + text + "' cannot be counted; write 1/2 to 1/36, or up to three decimals");
    }
    return GpuRequest.part(GpuPart.of(dividend, divisor));
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
      if (wanted.request() instanceof GpuRequest.Shared || wanted.elastic()) {
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

  public static Wanted count(String name, String text) throws BadInput {
    return switch (name) {
      case "gres" -> gres(text);
      case "gpus-per-node", "gpus-per-socket" -> wholes(name, text);
      default -> gpus(text);
    };
  }

  /** GPUs for each of so many tasks, if they are known: parts of one are for all together. */
  public static Wanted perTask(String text, OptionalInt tasks) throws BadInput {
    if (isPart(text) && gpus(text).request() instanceof GpuRequest.Shared shared) {
      int number = tasks.orElse(1);
      boolean room = shared.part().value() * number <= 1;
      int gpus = (int) Math.ceil(shared.part().value() * number);
      throw new BadInput(
          "gpus-per-task '%s'%s: %s; write %s --spread"
              .formatted(
                  text,
                  tasks.isPresent() ? " for " + number + " tasks" : "",
                  room ? "parts are for the whole job" : "one GPU has no room for them",
                  "--gpus " + (room ? shared.part().times(number) : gpus)));
    }
    return wholes("gpus-per-task", text);
  }

  private static boolean isPart(String text) {
    return text.indexOf('/') >= 0 || text.indexOf('.') >= 0;
  }

  private static Wanted wholes(String name, String text) throws BadInput {
    try {
      Wanted wanted = gpus(text);
      if (!(wanted.request() instanceof GpuRequest.Shared) && !wanted.elastic()) {
        return wanted;
      }
    } catch (BadInput e) {
      // Said below, in the words of this option.
    }
    throw new BadInput(name + " '" + text + "' is not understood; write 2 or a100:2");
  }

  private static BadInput bad(String text) {
    return new BadInput(
        "gpus '" + text + "' is not understood; write 2, a100:2, or 1/4 for a part of one");
  }

  private static BadInput badGres(String text) {
    return new BadInput("gres '" + text + "' is not understood; write gpu:2 or gpu:a100:2");
  }
}
