package gflow.map;

import java.io.IOException;
import java.nio.file.DirectoryIteratorException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.NoSuchFileException;
import java.nio.file.NotDirectoryException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.regex.Pattern;
import java.util.regex.PatternSyntaxException;

/**
 * Names of files by a pattern, as a shell has them: {@code *}, {@code ?}, {@code [a-c]}, {@code
 * [!a-c]}, and {@code **} for folders at any depth. A name that starts with a dot is matched only
 * by a dot. Sorted.
 */
final class Glob {
  private final Path folder;
  private final boolean filesOnly;
  private final List<String> found = new ArrayList<>();

  private Glob(Path folder, boolean filesOnly) {
    this.folder = folder;
    this.filesOnly = filesOnly;
  }

  /** {@code start}: a folder as written, with no meaning of its stars; empty for this one. */
  static List<String> find(Path folder, String start, String pattern, boolean filesOnly)
      throws BadItems {
    var glob = new Glob(folder, filesOnly);
    boolean absolute = start.isEmpty() && pattern.startsWith("/");
    List<String> names = List.of(pattern.replaceFirst("^/+", "").split("/+", -1));
    glob.walk(absolute ? "/" : start, names);
    Collections.sort(glob.found);
    return glob.found;
  }

  static boolean isPattern(String word) {
    return word.chars().anyMatch(c -> c == '*' || c == '?' || c == '[');
  }

  private void walk(String start, List<String> names) throws BadItems {
    String name = names.getFirst();
    List<String> rest = names.subList(1, names.size());
    if (name.equals("**") && !rest.isEmpty()) {
      walk(start, rest);
      for (String child : children(start, "*")) {
        if (isFolder(child, LinkOption.NOFOLLOW_LINKS)) {
          walk(child, names);
        }
      }
      return;
    }
    List<String> here = isPattern(name) ? children(start, name) : List.of(join(start, name));
    for (String one : here) {
      if (!rest.isEmpty()) {
        if (isFolder(one)) {
          walk(one, rest);
        }
      } else if (isWanted(one, isPattern(name))) {
        found.add(one);
      }
    }
  }

  private boolean isWanted(String path, boolean seen) {
    Path file = RawPaths.path(folder, path);
    return filesOnly ? Files.isRegularFile(file) : seen || Files.exists(file);
  }

  private boolean isFolder(String path, LinkOption... options) {
    return Files.isDirectory(RawPaths.path(folder, path), options);
  }

  private List<String> children(String start, String pattern) throws BadItems {
    Pattern wanted = compiled(pattern);
    var children = new ArrayList<String>();
    try (DirectoryStream<Path> all = Files.newDirectoryStream(RawPaths.path(folder, start))) {
      for (Path path : all) {
        String name = RawPaths.name(path);
        boolean hidden = name.startsWith(".") && !pattern.startsWith(".");
        if (!hidden && wanted.matcher(name).matches()) {
          children.add(join(start, name));
        }
      }
    } catch (NoSuchFileException | NotDirectoryException e) {
      return children;
    } catch (IOException e) {
      throw unreadable(start, e);
    } catch (DirectoryIteratorException e) {
      throw unreadable(start, e.getCause());
    }
    return children;
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
