package gflow.daemon.core;

import gflow.api.Answer;

/** What was asked for cannot be done: one line for the user. Nothing has changed. */
public final class Refusal extends Exception {
  private static final long serialVersionUID = 1;

  private final Answer.Kind kind;

  public Refusal(String line) {
    this(Answer.Kind.REFUSED, line);
  }

  public Refusal(Answer.Kind kind, String line) {
    super(line);
    this.kind = kind;
  }

  <T> Answer<T> answer() {
    return new Answer.No<>(kind, String.valueOf(getMessage()));
  }
}
