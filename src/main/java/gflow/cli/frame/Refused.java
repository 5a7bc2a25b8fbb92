package gflow.cli.frame;

import gflow.api.Answer;

/** The service, or the command itself, said no: one line for the user and the exit code. */
public final class Refused extends Exception {
  private static final long serialVersionUID = 1;

  private final int exitCode;

  public Refused(String line) {
    this(line, Answer.Kind.REFUSED.exitCode());
  }

  public Refused(String line, int exitCode) {
    super(line);
    this.exitCode = exitCode;
  }

  public String line() {
    return String.valueOf(getMessage());
  }

  public int exitCode() {
    return exitCode;
  }
}
