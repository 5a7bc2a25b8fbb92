package gflow;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.LocalDate;
import java.time.ZoneId;

/** Long runs by hand leave a line in {@code docs/long-runs.md}; those of a build do not. */
public final class LongRuns {
  private static final boolean WANTED = Boolean.getBoolean("long.run");
  private static final Path TABLE = Path.of("docs/long-runs.md");

  private LongRuns() {}

  public static void note(String command, String result) throws IOException {
    if (WANTED) {
      String row =
          "| %s | `%s` | %s |\n".formatted(LocalDate.now(ZoneId.systemDefault()), command, result);
      String page = Files.readString(TABLE);
      int end = page.indexOf("\n\n", page.indexOf("|---|")) + 1;
      Files.writeString(TABLE, page.substring(0, end) + row + page.substring(end));
    }
  }
}
