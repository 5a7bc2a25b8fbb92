package gflow.script.order;

import gflow.job.Owner;
import gflow.script.value.BadInput;
import gflow.script.value.DisplayNames;
import java.util.Collections;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * What a caller sends to submit one job: the options by their long names ({@code gpus} → {@code
 * 2}), what to run, where it comes from, and the content of the files that options name. The daemon
 * turns it into a spec, so the command line, {@code --from} and the API are judged by the same
 * rules.
 */
public record Order(
    SortedMap<String, List<String>> options,
    Body body,
    Origin origin,
    SortedMap<String, byte[]> files) {

  /** What is to run. */
  public sealed interface Body {
    record Command(List<String> words) implements Body {}

    /** A script's text as it was at submission; the name is its path where it has one. */
    record Script(String name, byte[] text, List<String> arguments, Directives directives)
        implements Body {
      public Script(String name, byte[] text, List<String> arguments) {
        this(name, text, arguments, new Directives(DisplayNames.base(name), text));
      }
    }

    record Wrap(String line) implements Body {}

    /** A file with roles, as it was at submission. */
    record Group(String name, byte[] text) implements Body {
      GroupOptions options() throws BadInput {
        return GroupOptions.read(DisplayNames.base(name), text);
      }
    }
  }

  /** Who orders, from which folder, with which environment (NUL-separated), umask and limits. */
  public record Origin(
      Owner owner, String folder, byte[] environment, int umask, List<String> ulimits) {}

  public Order {
    options = Collections.unmodifiableSortedMap(new TreeMap<>(options));
    files = Collections.unmodifiableSortedMap(new TreeMap<>(files));
  }
}
