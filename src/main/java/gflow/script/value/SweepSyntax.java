package gflow.script.value;

import gflow.job.Sweep;
import gflow.job.Sweep.Factor;
import java.math.BigDecimal;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.TreeSet;
import java.util.regex.Pattern;

/** The parameters of a sweep: {@code lr=0.1,0.01}, {@code seed=1:5}, and CSV files. */
public final class SweepSyntax {
  private static final int MOST_VALUES = 100_000;
  private static final Pattern NAME = Pattern.compile("[A-Za-z_][A-Za-z0-9_]{0,99}");
  private static final Pattern RESERVED =
      Pattern.compile("GFLOW_.*|SLURM_.*|CUDA_VISIBLE_DEVICES|CUDA_DEVICE_ORDER");
  private static final String NUMBER = "[+-]?(?:\\d+\\.?\\d*|\\.\\d+)(?:[eE][+-]?\\d{1,3})?";
  private static final Pattern RANGE =
      Pattern.compile(NUMBER + ":" + NUMBER + "(:" + NUMBER + ")?");

  private SweepSyntax() {}

  /** The product of the factors, checked as a whole. */
  public static Sweep of(List<Factor> factors) throws BadInput {
    var names = new TreeSet<String>();
    long size = 1;
    for (Factor factor : factors) {
      for (String name : factor.names()) {
        if (!names.add(name)) {
          throw new BadInput("parameter '" + name + "' is given twice; name it once");
        }
      }
      size *= factor.rows().size();
      if (size > ArrayIndices.MOST_TASKS) {
        throw new BadInput(
            "the sweep has more than " + ArrayIndices.MOST_TASKS + " combinations; split it");
      }
    }
    return new Sweep(factors);
  }

  /** One {@code --param}. */
  public static Factor parameter(String text) throws BadInput {
    int equals = text.indexOf('=');
    if (equals < 0) {
      throw new BadInput("param '" + text + "' has no =; write lr=0.1,0.01 or seed=1:5");
    }
    String name = text.substring(0, equals).strip();
    String values = text.substring(equals + 1).strip();
    checkName("param '" + text + "': ", name);
    List<String> list =
        RANGE.matcher(values).matches() ? range(text, values.split(":")) : list(text, values);
    if (list.size() > MOST_VALUES) {
      throw tooMany(text);
    }
    return new Factor(List.of(name), list.stream().map(List::of).toList());
  }

  /** A {@code --param-file}: a header with names, and a combination in each row. */
  public static Factor file(String fileName, byte[] content) throws BadInput {
    try {
      return table(Csv.rows(text(content)));
    } catch (BadInput bad) {
      throw new BadInput("param file '" + fileName + "' " + bad.line());
    }
  }

  private static Factor table(List<Csv.Row> rows) throws BadInput {
    if (rows.isEmpty()) {
      throw new BadInput("is empty; its first line must name the parameters: lr,seed");
    }
    List<String> names = rows.getFirst().values();
    for (String name : names) {
      checkName("line " + rows.getFirst().line() + ": ", name);
    }
    if (rows.size() == 1) {
      throw new BadInput("has no row after its header; add one for each task");
    }
    var values = new ArrayList<List<String>>();
    for (Csv.Row row : rows.subList(1, rows.size())) {
      if (row.fields().size() != names.size()) {
        throw new BadInput(
            "line %d: %d values wanted as in the header, but there are %d"
                .formatted(row.line(), names.size(), row.fields().size()));
      }
      values.add(row.values());
    }
    return new Factor(names, values);
  }

  private static String text(byte[] content) throws BadInput {
    try {
      String text = StandardCharsets.UTF_8.newDecoder().decode(ByteBuffer.wrap(content)).toString();
      if (text.indexOf('\0') >= 0) {
        throw new BadInput("is no text; save it as CSV");
      }
      String withoutMark = text.startsWith("\uFEFF") ? text.substring(1) : text;
      return withoutMark.replace("\r\n", "\n");
    } catch (CharacterCodingException e) {
      throw new BadInput("is no UTF-8 text; save it as CSV in UTF-8");
    }
  }

  private static void checkName(String where, String name) throws BadInput {
    if (!NAME.matcher(name).matches()) {
      throw new BadInput(
          where + "'" + name + "' is no name; use letters, digits and _, as in learning_rate");
    }
    if (RESERVED.matcher(name).matches()) {
      throw new BadInput(where + "gflow sets " + name + " itself; take another name");
    }
  }

  private static List<String> list(String text, String values) throws BadInput {
    List<Csv.Row> rows;
    try {
      rows = Csv.rows(values);
    } catch (BadInput bad) {
      throw new BadInput("param '" + text + "': " + bad.line().replaceFirst("^line 1: ", ""));
    }
    if (rows.isEmpty()) {
      throw new BadInput("param '" + text + "' has no value; write lr=0.1,0.01 or seed=1:5");
    }
    for (Csv.Field field : rows.getFirst().fields()) {
      if (field.text().isEmpty() && !field.quoted()) {
        throw new BadInput("param '" + text + "' has an empty value; write \"\" if you want one");
      }
    }
    if (rows.size() > 1 || values.indexOf('\0') >= 0) {
      throw new BadInput(
          "param '" + text.lines().findFirst().orElse("") + "' has a line end in it");
    }
    return rows.getFirst().values();
  }

  private static List<String> range(String text, String[] pieces) throws BadInput {
    var first = new BigDecimal(pieces[0]);
    var last = new BigDecimal(pieces[1]);
    boolean down = last.compareTo(first) < 0;
    BigDecimal step =
        pieces.length == 3
            ? new BigDecimal(pieces[2])
            : down ? BigDecimal.ONE.negate() : BigDecimal.ONE;
    if (step.signum() == 0) {
      throw new BadInput("param '" + text + "' has a step of 0; write seed=1:5 or x=0:1:0.25");
    }
    if (last.compareTo(first) != 0 && down != step.signum() < 0) {
      throw new BadInput(
          "param '%s' never gets from %s to %s; turn the sign of its step"
              .formatted(text, pieces[0], pieces[1]));
    }
    BigDecimal steps = last.subtract(first).divideToIntegralValue(step);
    if (steps.compareTo(BigDecimal.valueOf(MOST_VALUES)) >= 0) {
      throw tooMany(text);
    }
    var values = new ArrayList<String>();
    for (int k = 0; k <= steps.intValueExact(); k++) {
      values.add(plain(first.add(step.multiply(BigDecimal.valueOf(k)))));
    }
    return values;
  }

  private static String plain(BigDecimal number) {
    return number.signum() == 0 ? "0" : number.stripTrailingZeros().toPlainString();
  }

  private static BadInput tooMany(String text) {
    String shown = text.length() > 60 ? text.substring(0, 60) + "…" : text;
    return new BadInput("param '" + shown + "' has more than " + MOST_VALUES + " values; split it");
  }
}
