package gflow.script.value;

import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** {@code FILE[:SECONDS]} of {@code --gpu-log}. */
public final class GpuLogSyntax {
  public static final int USUAL_SECONDS = 10;

  private static final Pattern SECONDS = Pattern.compile("(.+):(\\d+)");
  private static final int MOST = 3600;

  private GpuLogSyntax() {}

  public record Wanted(String file, int seconds) {
    /** As it is kept with the job. */
    public String text() {
      return file + ":" + seconds;
    }
  }

  public static Wanted parse(String text) throws BadInput {
    Matcher parts = SECONDS.matcher(text);
    if (text.isBlank() || text.indexOf('\0') >= 0 || text.startsWith(":")) {
      throw new BadInput("--gpu-log needs a file, as in --gpu-log gpu.csv:2");
    }
    return parts.matches()
        ? new Wanted(
            parts.group(1), WholeNumbers.between("--gpu-log seconds", parts.group(2), 1, MOST))
        : new Wanted(text, USUAL_SECONDS);
  }

  /** What was kept. */
  public static Wanted kept(String text) {
    int colon = text.lastIndexOf(':');
    return new Wanted(text.substring(0, colon), Integer.parseInt(text.substring(colon + 1)));
  }
}
