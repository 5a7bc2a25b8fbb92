package gflow.daemon.core;

import gflow.api.Answer;
import gflow.api.ContainedBugs;
import gflow.api.GoingDown;
import java.util.Optional;
import java.util.function.Supplier;

/** Requests of callers: whatever one of them meets is its own end and nobody else's. */
public final class Requests {
  private static final ScopedValue<Request> CURRENT = ScopedValue.newInstance();

  private final ContainedBugs bugs;
  private final PoisonedRequests poison;

  /** What is asked for: by name, and in words that are the same when somebody asks it again. */
  public record Request(String name, Supplier<?> words) {}

  /** Something that may be refused. */
  public interface Part<T> {
    T call() throws Refusal;
  }

  public Requests(ContainedBugs bugs, PoisonedRequests poison) {
    this.bugs = bugs;
    this.poison = poison;
  }

  /** The request that this thread is about, if it is about one. */
  static Optional<Request> current() {
    return CURRENT.isBound() ? Optional.of(CURRENT.get()) : Optional.empty();
  }

  public <T> Answer<T> answer(Request request, Part<T> part) {
    try {
      poison.check(request);
      return Answer.ok(ScopedValue.where(CURRENT, request).call(part::call));
    } catch (Refusal refusal) {
      return refusal.answer();
    } catch (GoingDown e) {
      throw e;
    } catch (RuntimeException | StackOverflowError e) {
      return new Answer.No<>(Answer.Kind.INTERNAL, bugs.contain(request.name(), e));
    }
  }
}
