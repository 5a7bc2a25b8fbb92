package gflow.cli;

import gflow.api.Answer;

/** The service, or the command itself, said no: one line for the user and the exit code. */
final class Refused extends Exception {
  private static final long serialVersionUID = 1;

  private final int exitCode;

  Refused(String line) {
    this(line, Answer.Kind.REFUSED.exitCode());
  }

  Refused(String line, int exitCode) {
    super(line);
    this.exitCode = exitCode;
  }

  String line() {
    return String.valueOf(getMessage());
  }

  int exitCode() {
    return exitCode;
  }
}
