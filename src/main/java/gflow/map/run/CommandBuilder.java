package gflow.map.run;

import gflow.map.results.Try;
import java.util.List;

/** What a try runs, where, and with which environment. */
interface CommandBuilder {
  /** The program by its path, and its arguments. */
  List<String> words(Try work, String gpu) throws NoProgram;

  /** The block, with {@code mark} as an entry of it. */
  byte[] environment(Try work, String gpu, String mark);

  String folder();

  /** The program of a try is not there. */
  final class NoProgram extends Exception {
    private static final long serialVersionUID = 1;

    NoProgram(String line) {
      super(line);
    }
  }
}
