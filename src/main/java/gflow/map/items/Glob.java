package gflow.map.items;

import gflow.process.RawText;
import java.io.IOException;
import java.nio.file.DirectoryIteratorException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.NoSuchFileException;
import java.nio.file.NotDirectoryException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.regex.Pattern;
import java.util.regex.PatternSyntaxException;

/**
 * Names of files by a pattern, as a shell has them: {@code *}, {@code ?}, {@code [a-c]}, {@code
 * [!a-c]}, and {@code **} for folders at any depth. A name that starts with a dot is matched only
 * by a dot. Sorted by their bytes, and kept as bytes: there may be a million.
 */
final class Glob {
  private final Path folder;
  private final boolean filesOnly;
  private final List<byte[]> found = new ArrayList<>();

  private Glob(Path folder, boolean filesOnly) {
    this.folder = folder;
    this.filesOnly = filesOnly;
  }

  /** {@code start}: a folder as written, with no meaning of its stars; empty for this one. */
  static List<byte[]> find(Path folder, String start, String pattern, boolean filesOnly)
      throws BadItems {
    var glob = new Glob(folder, filesOnly);
    boolean absolute = start.isEmpty() && pattern.startsWith("/");
    List<String> names = List.of(pattern.replaceFirst("^/+", "").split("/+", -1));
    glob.walk(absolute ? "/" : start, names);
    glob.found.sort(Arrays::compareUnsigned);
    return glob.found;
  }

  private interface Each {
    void take(String path) throws BadItems;
  }

  static boolean isPattern(String word) {
    return word.chars().anyMatch(c -> c == '*' || c == '?' || c == '[');
  }

  private void walk(String start, List<String> names) throws BadItems {
    String name = names.getFirst();
    List<String> rest = names.subList(1, names.size());
    if (name.equals("**") && !rest.isEmpty()) {
      walk(start, rest);
      children(start, "*", child -> walkInto(child, names, LinkOption.NOFOLLOW_LINKS));
    } else if (!rest.isEmpty()) {
      each(start, name, child -> walkInto(child, rest));
    } else {
      each(start, name, child -> take(child, isPattern(name)));
    }
  }

  private void walkInto(String path, List<String> names, LinkOption... options) throws BadItems {
    if (Files.isDirectory(RawPaths.path(folder, path), options)) {
      walk(path, names);
    }
  }

  /** {@code seen}: the kernel has just named it. */
  private void take(String path, boolean seen) {
    Path file = RawPaths.path(folder, path);
    if (filesOnly ? Files.isRegularFile(file) : seen || Files.exists(file)) {
      found.add(RawText.bytes(path));
    }
  }

  private void each(String start, String name, Each each) throws BadItems {
    if (isPattern(name)) {
      children(start, name, each);
    } else {
      each.take(join(start, name));
    }
  }

  private void children(String start, String pattern, Each each) throws BadItems {
    Pattern wanted = compiled(pattern);
    try (DirectoryStream<Path> all = Files.newDirectoryStream(RawPaths.path(folder, start))) {
      for (Path path : all) {
        String name = RawPaths.name(path);
        boolean hidden = name.startsWith(".") && !pattern.startsWith(".");
        if (!hidden && wanted.matcher(name).matches()) {
          each.take(join(start, name));
        }
      }
    } catch (NoSuchFileException | NotDirectoryException e) {
      // Nothing there matches.
    } catch (IOException e) {
      throw unreadable(start, e);
    } catch (DirectoryIteratorException e) {
      throw unreadable(start, e.getCause());
    }
  }

  /** What it holds would be missing without a word. */
  private BadItems unreadable(String start, IOException e) {
    String shown = start.isEmpty() ? folder.toString() : start;
    return new BadItems("cannot read the folder " + shown + ": " + Sources.why(e));
  }

  private static Pattern compiled(String pattern) throws BadItems {
    try {
      return Pattern.compile(regex(pattern), Pattern.DOTALL);
    } catch (PatternSyntaxException e) {
      throw new BadItems("'" + pattern + "' is no pattern; write *, ?, [abc], [a-c] or [!a-c]");
    }
  }

  private static String join(String start, String name) {
    return start.isEmpty() || start.endsWith("/") ? start + name : start + "/" + name;
  }

  static String regex(String pattern) {
    var regex = new StringBuilder();
    for (int at = 0; at < pattern.length(); at++) {
      char c = pattern.charAt(at);
      int end = c == '[' ? pattern.indexOf(']', at + 2) : -1;
      if (c == '*') {
        regex.append(".*");
      } else if (c == '?') {
        regex.append('.');
      } else if (end > 0) {
        regex.append(choice(pattern.substring(at + 1, end)));
        at = end;
      } else {
        regex.append(Pattern.quote(String.valueOf(c)));
      }
    }
    return regex.toString();
  }

  private static String choice(String letters) {
    boolean not = letters.startsWith("!") || letters.startsWith("^");
    String inside = (not ? letters.substring(1) : letters).replaceAll("[\\\\\\[\\]&^]", "\\\\$0");
    return "[" + (not ? "^" : "") + inside + "]";
  }
}
