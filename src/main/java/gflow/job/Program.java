package gflow.job;

import java.util.List;

/** What a job runs. */
public sealed interface Program {
  /** A program and its arguments, run without a shell. */
  record Argv(List<String> words) implements Program {
    public Argv {
      words = List.copyOf(words);
      if (words.isEmpty()) {
        throw new IllegalArgumentException("a command needs at least one word");
      }
    }
  }

  /**
   * A copy of a script as it was at submission, with its arguments; its first line says who reads
   * it.
   */
  record Script(BlobId text, List<String> arguments) implements Program {
    public Script {
      arguments = List.copyOf(arguments);
    }
  }

  /** A line for {@code /bin/sh}. */
  record ShellLine(String line) implements Program {}
}
