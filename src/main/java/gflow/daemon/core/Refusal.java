package gflow.daemon.core;

import gflow.api.Answer;
import gflow.store.Store.StoreException;

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

  /** A question to the store. */
  public interface Stored<T> {
    T get() throws StoreException;
  }

  /** What the store answers; that it cannot is the refusal of whatever needs it. */
  public static <T> T stored(Stored<T> question) throws Refusal {
    try {
      return question.get();
    } catch (StoreException e) {
      throw new Refusal(String.valueOf(e.getMessage()));
    }
  }

  <T> Answer<T> answer() {
    return new Answer.No<>(kind, String.valueOf(getMessage()));
  }
}
