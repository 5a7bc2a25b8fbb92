package gflow.map.results;

import static java.nio.charset.StandardCharsets.UTF_8;
import static java.nio.file.StandardOpenOption.APPEND;
import static java.nio.file.StandardOpenOption.CREATE;

import gflow.json.Json;
import gflow.map.items.ItemFile;
import gflow.process.RawText;
import java.io.BufferedOutputStream;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jspecify.annotations.Nullable;

/**
 * {@code results.jsonl} as it is read: by who shows it, and by who goes on with a map. Line by
 * line, for there may be a million; what is no line of ours is passed over.
 */
public record ResultReader(MapFolder folder) {
  /** Hears of each line. */
  public interface Reader {
    void take(ResultLine line) throws IOException;
  }

  /** How long the file is without a line that was cut off: who goes on takes that away. */
  public long length() throws IOException {
    if (!Files.exists(folder.results())) {
      return 0;
    }
    try (var file = FileChannel.open(folder.results())) {
      return ResultWriter.wholeLines(file);
    }
  }

  public void forEach(Reader reader) throws IOException {
    forEach("", reader);
  }

  /** Only those with this in them; the others need not be read as JSON. */
  private void forEach(String part, Reader reader) throws IOException {
    try (BufferedReader lines = Files.newBufferedReader(folder.results())) {
      for (String text = lines.readLine(); text != null; text = lines.readLine()) {
        Optional<ResultLine> line = text.contains(part) ? ResultLine.parse(text) : Optional.empty();
        if (line.isPresent()) {
          reader.take(line.get());
        }
      }
    }
  }

  /**
   * Which items have their line already. All lines are whole: {@link ResultWriter} has opened it.
   */
  public DoneItems done() throws IOException {
    var done = DoneItems.none();
    forEach(
        line -> {
          if (line.index() >= 0 && !line.text("status").isEmpty()) {
            (line.failed() ? done.failed() : done.good()).set((int) line.index());
          }
        });
    return done;
  }

  /**
   * Writes {@code failed.txt}: the failed items, one in a line, as {@code --items-from} takes them.
   * If one of them has a line end in it, all end in NUL instead, as {@code -0} takes them.
   */
  public void listFailed() throws IOException {
    Path fresh = FileReplacement.fresh(folder.failed());
    var inLines = new AtomicBoolean(true);
    forEachFailed(line -> inLines.set(inLines.get() && line.item().indexOf('\n') < 0));
    String end = inLines.get() ? "\n" : "\0";
    try (var out = new BufferedOutputStream(Files.newOutputStream(fresh))) {
      forEachFailed(line -> out.write(RawText.bytes(line.item() + end)));
    }
    Files.move(fresh, folder.failed(), StandardCopyOption.REPLACE_EXISTING);
  }

  private void forEachFailed(Reader reader) throws IOException {
    forEach(
        "\"status\":\"failed\"",
        line -> {
          if (line.failed()) {
            reader.take(line);
          }
        });
  }

  // ---- going on ----

  /**
   * Writes the results as they shall be, beside those that are: without what failed, and with the
   * lines of {@code items} where those stand, if these are others than before. What is taken out is
   * kept in the log; {@link FileReplacement} puts the new file in place.
   */
  public void prepare(boolean dropFailed, Optional<Path> items) throws IOException {
    if (!Files.exists(folder.results())) {
      return;
    }
    Files.createDirectories(folder.logs());
    Optional<Map<Object, Integer>> places =
        items.isPresent() ? Optional.of(places(items.get())) : Optional.empty();
    Path fresh = FileReplacement.fresh(folder.results());
    Path before = folder.logs().resolve("results-before.jsonl");
    try (OutputStream kept = new BufferedOutputStream(Files.newOutputStream(fresh));
        OutputStream gone = Files.newOutputStream(before, CREATE, APPEND)) {
      forEach(
          line -> {
            Optional<Map<?, ?>> now =
                dropFailed && line.failed() ? Optional.empty() : moved(line.all(), places);
            (now.isPresent() ? kept : gone)
                .write((Json.text(now.orElse(line.all())) + "\n").getBytes(UTF_8));
          });
    }
  }

  private static Map<Object, Integer> places(Path items) throws IOException {
    var places = new HashMap<Object, Integer>();
    try (var all = ItemFile.read(items)) {
      all.forEachRemaining(item -> places.putIfAbsent(Result.shown(item), item.index()));
    }
    return places;
  }

  /** To where its item stands now; each place is given once, and nothing is where it is not. */
  private static Optional<Map<?, ?>> moved(Map<?, ?> line, Optional<Map<Object, Integer>> places) {
    if (places.isEmpty()) {
      return Optional.of(line);
    }
    Integer place = places.get().remove(line.get("item"));
    if (place == null) {
      return Optional.empty();
    }
    var moved = new LinkedHashMap<Object, @Nullable Object>(line);
    moved.put("index", place.longValue());
    return Optional.of(moved);
  }
}
