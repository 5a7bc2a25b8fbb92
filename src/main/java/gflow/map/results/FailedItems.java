package gflow.map.results;

import gflow.process.RawText;
import java.io.BufferedOutputStream;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Consumer;

/**
 * {@code failed.txt}: the failed items, one in a line, as {@code --items-from} takes them. If one
 * of them has a line end in it, all end in NUL instead, as {@code -0} takes them.
 */
public final class FailedItems {
  private FailedItems() {}

  public static void list(MapFolder folder) throws IOException {
    Path fresh = folder.failed().resolveSibling("failed.txt.new");
    var inLines = new AtomicBoolean(true);
    forEach(folder.results(), item -> inLines.set(inLines.get() && item.indexOf('\n') < 0));
    try (var out = new BufferedOutputStream(Files.newOutputStream(fresh))) {
      forEach(folder.results(), item -> write(out, item + (inLines.get() ? "\n" : "\0")));
    } catch (UncheckedIOException e) {
      throw e.getCause();
    }
    Files.move(fresh, folder.failed(), StandardCopyOption.REPLACE_EXISTING);
  }

  private static void forEach(Path results, Consumer<String> take) throws IOException {
    try (BufferedReader lines = Files.newBufferedReader(results)) {
      for (String line = lines.readLine(); line != null; line = lines.readLine()) {
        // Most went well, and need not be read as JSON.
        if (line.contains("\"status\":\"failed\"")) {
          ResultLines.parse(line, one -> tell(one, take));
        }
      }
    }
  }

  private static void tell(ResultLines.Line line, Consumer<String> take) {
    if (line.failed()) {
      take.accept(line.item());
    }
  }

  private static void write(OutputStream out, String text) {
    try {
      out.write(RawText.bytes(text));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
