package gflow.api;

import java.nio.file.Path;
import java.util.function.Consumer;
import java.util.function.Predicate;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** What a route answers, before it is bytes. */
sealed interface ApiReply {
  record Tree(int status, @Nullable Object tree) implements ApiReply {}

  /** The content of a file as it is now. */
  record Content(Path file) implements ApiReply {}

  /** An answer that may take days; white space says meanwhile that we are still there. */
  record Later<A>(Form<A> form, Supplier<Answer<A>> call) implements ApiReply {}

  /** Server-sent events, until the call ends. */
  record Events(Consumer<Predicate<Event>> call) implements ApiReply {}

  record Event(String kind, long id, Object data) {}

  /** A reply that is one line why not. */
  final class Problem extends Exception {
    private static final long serialVersionUID = 1;
    private final int status;

    Problem(int status, String line) {
      super(line);
      this.status = status;
    }

    int status() {
      return status;
    }

    String line() {
      return String.valueOf(getMessage());
    }

    static Problem of(Answer.No<?> no) {
      int status =
          switch (no.kind()) {
            case USAGE -> 400;
            case FORBIDDEN -> 403;
            case REFUSED -> 409;
            case GONE -> 410;
            case INTERNAL -> 500;
            case NO_DAEMON -> 503;
          };
      return new Problem(status, no.line());
    }
  }
}
