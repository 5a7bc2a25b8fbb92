package gflow.api;

/** What the service says: the value, or one line why not. */
public sealed interface Answer<T> {
  record Ok<T>(T value) implements Answer<T> {}

  record No<T>(Kind kind, String line) implements Answer<T> {}

  /** What kind of no; the number is the exit code of the command. */
  enum Kind {
    REFUSED(1),
    /** A bug of ours; the line has its number. */
    INTERNAL(1),
    /** Not for who asks. */
    FORBIDDEN(1),
    /** It was there, and is no longer kept. */
    GONE(1),
    USAGE(2),
    NO_DAEMON(3);

    private final int exitCode;

    Kind(int exitCode) {
      this.exitCode = exitCode;
    }

    public int exitCode() {
      return exitCode;
    }
  }

  static <T> Answer<T> ok(T value) {
    return new Ok<>(value);
  }

  static <T> Answer<T> refused(String line) {
    return new No<>(Kind.REFUSED, line);
  }
}
