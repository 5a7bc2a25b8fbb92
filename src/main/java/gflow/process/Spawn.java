package gflow.process;

import java.util.ArrayList;
import java.util.List;

/**
 * What to start: the program by its path (the words are {@link RawText}), the environment as the
 * kernel's block (a NUL after each entry, any bytes), the folder (relative paths of stdin, stdout
 * and stderr start there), and open descriptors of ours that the child finds as {@link
 * #FIRST_INHERITED} and following.
 */
public record Spawn(
    List<String> argv,
    byte[] environment,
    String folder,
    Stdio stdin,
    Stdio stdout,
    Stdio stderr,
    List<Integer> inherit) {
  /** Above what a shell can redirect with one digit. */
  public static final int FIRST_INHERITED = 10;

  public Spawn {
    argv = List.copyOf(argv);
    inherit = List.copyOf(inherit);
    if (argv.isEmpty() || !argv.getFirst().startsWith("/")) {
      throw new IllegalArgumentException("a program is named by its absolute path, not " + argv);
    }
    if (argv.stream().anyMatch(word -> word.indexOf('\0') >= 0) || folder.indexOf('\0') >= 0) {
      throw new IllegalArgumentException("arguments and folder cannot hold a NUL character");
    }
    if (stdin instanceof Stdio.SameAsStdout || stdout instanceof Stdio.SameAsStdout) {
      throw new IllegalArgumentException("only stderr can be the same as stdout");
    }
  }

  /** Where each entry of the block starts; empty ones are left out. */
  List<Integer> entries() {
    var starts = new ArrayList<Integer>();
    for (int i = 0; i < environment.length; i++) {
      if (environment[i] != 0 && (i == 0 || environment[i - 1] == 0)) {
        starts.add(i);
      }
    }
    return starts;
  }
}
