package gflow.map.items;

import java.util.List;
import java.util.stream.Collectors;

/** Where items come from, as it was asked for. */
public sealed interface Source {
  /** In a complaint. */
  String shown();

  /**
   * {@code ::: a b ::: 1 2}: each of a group with each of the next; {@code :::+} adds a column to
   * the group before, so a group is rows of values.
   */
  record Arguments(List<List<List<String>>> groups) implements Source {
    public Arguments {
      groups = List.copyOf(groups);
    }

    @Override
    public String shown() {
      return ":::";
    }
  }

  /** Files by patterns; a word without a star is that file. */
  record Patterns(List<String> patterns) implements Source {
    public Patterns {
      patterns = List.copyOf(patterns);
    }

    @Override
    public String shown() {
      return patterns.stream().collect(Collectors.joining("' '", "--items '", "'"));
    }
  }

  /** The files of a folder, not the folders in it. */
  record Folder(String folder, String pattern) implements Source {
    @Override
    public String shown() {
      return "--dir-path " + folder;
    }
  }

  /** Two files each, which are named alike but for what is around the star. */
  record Pairs(String left, String right) implements Source {
    @Override
    public String shown() {
      return "--pairs '" + left + "' '" + right + "'";
    }
  }

  /** Each line of a file ({@code -}: stdin), or each text that NUL ends. */
  record Lines(String file, boolean nul) implements Source {
    @Override
    public String shown() {
      return Source.file(file);
    }
  }

  /** Each line a JSON value; the fields of an object are columns. */
  record JsonLines(String file) implements Source {
    @Override
    public String shown() {
      return Source.file(file);
    }
  }

  /** The rows of a table under its header. */
  record Table(String file) implements Source {
    @Override
    public String shown() {
      return Source.file(file);
    }
  }

  record Numbers(List<Range> ranges) implements Source {
    public Numbers {
      ranges = List.copyOf(ranges);
    }

    @Override
    public String shown() {
      return "--range";
    }
  }

  /** Those of the folder of an earlier run. */
  record Before(String folder) implements Source {
    @Override
    public String shown() {
      return folder + "/items";
    }
  }

  /** {@code width}: with zeros before it up to so many digits, 0 for none. */
  record Range(long first, long last, long step, int width) {
    long count() {
      return (last - first) / step + 1;
    }
  }

  private static String file(String file) {
    return file.equals("-") ? "stdin" : file;
  }
}
