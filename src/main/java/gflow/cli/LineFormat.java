package gflow.cli;

import gflow.api.JobView;
import gflow.script.BadInput;
import java.time.ZoneId;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;

/**
 * squeue's {@code -o}: {@code "%.18i %.9P %j"}. A letter is a field, a number its width (longer
 * text is cut), a dot puts it to the right; all else is printed as it stands.
 */
final class SqueueFormat {
  private final List<Part> parts;

  private SqueueFormat(List<Part> parts) {
    this.parts = parts;
  }

  private sealed interface Part {
    record Text(String text) implements Part {}

    record Column(Field field, int width, boolean right) implements Part {}
  }

  static SqueueFormat parse(String format) throws BadInput {
    var parts = new ArrayList<Part>();
    for (int at = 0; at < format.length(); ) {
      if (format.charAt(at) != '%') {
        int end = format.indexOf('%', at);
        parts.add(new Part.Text(format.substring(at, end < 0 ? format.length() : end)));
        at = end < 0 ? format.length() : end;
      } else {
        at = column(format, at + 1, parts);
      }
    }
    return new SqueueFormat(parts);
  }

  /** Reads what follows a percent sign; returns where the rest begins. */
  private static int column(String format, int start, List<Part> parts) throws BadInput {
    int at = start;
    boolean right = at < format.length() && format.charAt(at) == '.';
    at += right ? 1 : 0;
    int width = 0;
    for (; at < format.length() && Character.isDigit(format.charAt(at)); at++) {
      width = Math.min(10_000, width * 10 + Character.digit(format.charAt(at), 10));
    }
    if (at == format.length()) {
      throw new BadInput("the format '" + format + "' ends after a %; a letter must follow");
    }
    char letter = format.charAt(at);
    if (letter == '%') {
      parts.add(new Part.Text("%"));
      return at + 1;
    }
    var field = Field.byLetter(letter);
    if (field.isEmpty()) {
      throw new BadInput("the format has no %" + letter + "; there are " + Field.letters());
    }
    parts.add(new Part.Column(field.get(), width, right));
    return at + 1;
  }

  String header() {
    return line(Field::squeueHeader);
  }

  String line(JobView job, ZoneId zone) {
    return line(field -> field.show(job, zone));
  }

  private String line(Function<Field, String> shown) {
    var line = new StringBuilder();
    for (Part part : parts) {
      line.append(
          switch (part) {
            case Part.Text(String text) -> text;
            case Part.Column(Field field, int width, boolean right) ->
                fit(shown.apply(field), width, right);
          });
    }
    return line.toString();
  }

  private static String fit(String text, int width, boolean right) {
    int length = text.codePointCount(0, text.length());
    if (width == 0 || length == width) {
      return text;
    }
    if (length > width) {
      return text.substring(0, text.offsetByCodePoints(0, width));
    }
    String blanks = " ".repeat(width - length);
    return right ? blanks + text : text + blanks;
  }
}
