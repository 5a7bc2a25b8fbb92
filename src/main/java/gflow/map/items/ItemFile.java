package gflow.map.items;

import static java.nio.charset.StandardCharsets.UTF_8;

import gflow.json.BadJson;
import gflow.json.Json;
import java.io.BufferedOutputStream;
import java.io.BufferedReader;
import java.io.Closeable;
import java.io.FileOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.DigestOutputStream;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.NoSuchElementException;
import java.util.SequencedMap;
import org.jspecify.annotations.Nullable;

/**
 * The items of a map in its folder: one JSON value in each line, in the order in which they are
 * dealt out. A text is an item of one value, a list one of several, and an object has all of it:
 * {@code {"values":["a"],"columns":{"lr":"0.1"}}}. Where items are sorted by size, each is an
 * object that says its index too; otherwise the lines count from 0.
 */
public final class ItemFile {
  private ItemFile() {}

  /** How many lines were written, and the hash of them. */
  public record Written(int count, String sha256) {}

  public static byte[] line(Item item) {
    Object tree =
        !item.columns().isEmpty()
            ? object(item)
            : item.values().size() == 1 ? item.values().getFirst() : item.values();
    return bytes(tree);
  }

  public static byte[] numberedLine(Item item) {
    var all = new LinkedHashMap<String, @Nullable Object>();
    all.put("index", item.index());
    all.putAll(object(item));
    return bytes(all);
  }

  private static Map<String, @Nullable Object> object(Item item) {
    var all = new LinkedHashMap<String, @Nullable Object>();
    all.put("values", item.values());
    if (!item.columns().isEmpty()) {
      all.put("columns", item.columns());
    }
    return all;
  }

  private static byte[] bytes(Object tree) {
    return (Json.text(tree) + "\n").getBytes(UTF_8);
  }

  /** {@code index}: of a line that does not say it. */
  public static Item parse(String line, int index) throws BadJson {
    return switch (Json.parse(line)) {
      case String value -> Item.of(index, value);
      case List<?> values -> new Item(index, texts(values), new LinkedHashMap<>());
      case Map<?, ?> all -> ofObject(all, index);
      case null, default -> throw new BadJson("no item: " + line);
    };
  }

  private static Item ofObject(Map<?, ?> all, int index) throws BadJson {
    SequencedMap<String, String> columns = new LinkedHashMap<>();
    if (all.get("columns") instanceof Map<?, ?> given) {
      given.forEach((name, value) -> columns.put((String) name, (String) value));
    }
    int number = all.get("index") instanceof Long said ? Math.toIntExact(said) : index;
    if (all.get("values") instanceof List<?> values) {
      return new Item(number, texts(values), columns);
    }
    throw new BadJson("an item without values");
  }

  private static List<String> texts(List<?> values) {
    return values.stream().map(String.class::cast).toList();
  }

  /** Reads them one by one; a damaged file is an {@link UncheckedIOException}. */
  public static Reading read(Path file) throws IOException {
    return new Reading(file);
  }

  /** To be closed; most readers do not come to the end. */
  public static final class Reading implements Iterator<Item>, Closeable {
    private final BufferedReader lines;
    private final Path file;
    private @Nullable String line;
    private int index;

    private Reading(Path file) throws IOException {
      this.file = file;
      lines = Files.newBufferedReader(file);
      line = lines.readLine();
    }

    @Override
    public boolean hasNext() {
      return line != null;
    }

    @Override
    public Item next() {
      if (line == null) {
        throw new NoSuchElementException();
      }
      try {
        Item item = parse(line, index++);
        line = lines.readLine();
        return item;
      } catch (BadJson | ClassCastException | ArithmeticException e) {
        throw new UncheckedIOException(
            new IOException(file + " line " + index + " is damaged: " + e.getMessage(), e));
      } catch (IOException e) {
        throw new UncheckedIOException(e);
      }
    }

    @Override
    public void close() throws IOException {
      lines.close();
    }
  }

  /** Writes lines, and synchronises at the end. */
  public static final class Writing implements AutoCloseable {
    private final MessageDigest sha = sha256();
    private final FileOutputStream file;
    private final OutputStream out;
    private long length;
    private int count;

    public Writing(Path path) throws IOException {
      file = new FileOutputStream(path.toFile());
      out = new BufferedOutputStream(new DigestOutputStream(file, sha), 1 << 16);
    }

    public void add(byte[] line) throws IOException {
      out.write(line);
      length += line.length;
      count++;
    }

    public long length() {
      return length;
    }

    public Written sync() throws IOException {
      out.flush();
      file.getFD().sync();
      return new Written(count, HexFormat.of().formatHex(sha.digest()));
    }

    @Override
    public void close() throws IOException {
      out.close();
    }

    private static MessageDigest sha256() {
      try {
        return MessageDigest.getInstance("SHA-256");
      } catch (NoSuchAlgorithmException e) {
        throw new IllegalStateException("every JDK has SHA-256", e);
      }
    }
  }
}
