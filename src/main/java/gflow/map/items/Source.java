package gflow.map.items;

import java.util.List;
import java.util.stream.Collectors;

/** Where items come from, as it was asked for. */
public sealed interface Source {
  /**
   * {@code ::: a b ::: 1 2}: each of a group with each of the next; {@code :::+} adds a column to
   * the group before, so a group is rows of values.
   */
  record Arguments(List<List<List<String>>> groups) implements Source {
    public Arguments {
      groups = List.copyOf(groups);
    }
  }

  /** Files by patterns; a word without a star is that file. */
  record Patterns(List<String> patterns) implements Source {
    public Patterns {
      patterns = List.copyOf(patterns);
    }
  }

  /** The files of a folder, not the folders in it. */
  record Folder(String folder, String pattern) implements Source {}

  /** Two files each, which are named alike but for what is around the star. */
  record Pairs(String left, String right) implements Source {}

  /** What stands in a file ({@code -}: stdin). */
  record InFile(String file, Format format) implements Source {
    public boolean isStdin() {
      return file.equals("-");
    }
  }

  /** How a file says what its items are. */
  enum Format {
    /** Each line is one. */
    LINES,
    /** Each text that NUL ends. */
    NULS,
    /** Each line a JSON value; the fields of an object are columns. */
    JSON_LINES,
    /** The rows of a table under its header. */
    TABLE
  }

  record Numbers(List<Range> ranges) implements Source {
    public Numbers {
      ranges = List.copyOf(ranges);
    }
  }

  /** Those of the folder of an earlier run. */
  record Before(String folder) implements Source {}

  /** {@code width}: with zeros before it up to so many digits, 0 for none. */
  record Range(long first, long last, long step, int width) {
    long count() {
      return (last - first) / step + 1;
    }
  }

  /** In a complaint. */
  default String shown() {
    return switch (this) {
      case Arguments _ -> ":::";
      case Patterns(var patterns) ->
          patterns.stream().collect(Collectors.joining("' '", "--items '", "'"));
      case Folder(var folder, _) -> "--dir-path " + folder;
      case Pairs(var left, var right) -> "--pairs '" + left + "' '" + right + "'";
      case InFile in -> in.isStdin() ? "stdin" : in.file();
      case Numbers _ -> "--range";
      case Before(var folder) -> folder + "/items";
    };
  }
}
