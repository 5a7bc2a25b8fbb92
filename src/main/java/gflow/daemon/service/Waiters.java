package gflow.daemon.service;

import gflow.api.GoingDown;
import gflow.daemon.core.Core;
import gflow.daemon.core.Loop;
import gflow.daemon.core.Refusal;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Predicate;

/**
 * Those who wait until something is so. The loop looks for them after each turn that ended a task.
 */
public final class Waiters {
  private final List<Waiter> waiters = new CopyOnWriteArrayList<>();
  private final Loop loop;

  private record Waiter(Predicate<Core> so, CompletableFuture<Boolean> done) {}

  public Waiters(Loop loop) {
    this.loop = loop;
  }

  public void await(Predicate<Core> so) throws Refusal {
    var waiter = new Waiter(so, new CompletableFuture<>());
    waiters.add(waiter);
    try {
      if (!loop.look(so::test)) {
        waiter.done().get();
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new GoingDown();
    } catch (ExecutionException e) {
      if (e.getCause() instanceof GoingDown) {
        throw new Refusal("gflowd goes down; the job goes on, gjob wait waits for it again");
      }
      throw new IllegalStateException(e.getCause());
    } finally {
      waiters.remove(waiter);
    }
  }

  /** The same with patience; false if that came to its end. */
  boolean await(Predicate<Core> so, Duration patience) throws Refusal {
    var waiter = new Waiter(so, new CompletableFuture<>());
    waiters.add(waiter);
    try {
      return loop.look(so::test) || waiter.done().get(patience.toMillis(), TimeUnit.MILLISECONDS);
    } catch (TimeoutException e) {
      return false;
    } catch (InterruptedException e) {
      throw new GoingDown();
    } catch (ExecutionException e) {
      throw e.getCause() instanceof GoingDown down ? down : new IllegalStateException(e.getCause());
    } finally {
      waiters.remove(waiter);
    }
  }

  /** On the loop's thread. */
  public void look(Core core) {
    for (Waiter waiter : waiters) {
      try {
        if (waiter.so().test(core)) {
          waiter.done().complete(true);
        }
      } catch (RuntimeException e) {
        waiter.done().completeExceptionally(e);
      }
    }
  }

  public void close() {
    waiters.forEach(w -> w.done().completeExceptionally(new GoingDown()));
  }
}
