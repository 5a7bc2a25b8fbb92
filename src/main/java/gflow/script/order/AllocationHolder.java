package gflow.script.order;

import static java.nio.charset.StandardCharsets.UTF_8;

import gflow.script.order.Order.Body;
import java.util.List;

/**
 * The program of an allocation: a job like any other, so that everything that is known of jobs
 * holds for it, but what it was made for runs elsewhere. It waits on a FIFO that the parent of that
 * keeps open: the exit code comes through it, and its end without one is the end of the parent.
 */
public final class AllocationHolder {
  /**
   * A signal for the job is meant for the program, so this one waits on. Opened for both, a FIFO
   * does not make us wait for a writer that may be gone already.
   */
  private static final String TEXT =
      """
      #!/bin/sh
      # Holds an allocation for a program that runs elsewhere, as on a terminal.
      trap '' HUP INT QUIT TERM USR1 USR2
      [ -p FIFO ] || exit 137
      exec 3<>FIFO 4<FIFO 3>&-
      rm -f FIFO
      read -r code <&4 || exit 137
      exit "$code"
      """;

  private AllocationHolder() {}

  /** {@code words}: what it is for, so that listings show that. */
  public static Body body(String fifo, List<String> words) {
    String text = TEXT.replace("FIFO", "'" + fifo.replace("'", "'\\''") + "'");
    return new Body.Script(words.getFirst(), text.getBytes(UTF_8), words.subList(1, words.size()));
  }
}
