package gflow.process;

import java.util.Set;
import java.util.concurrent.atomic.AtomicInteger;

/** Has some of the kernel's calls go wrong, counted from its making, until it is closed. */
public final class BrokenCalls implements AutoCloseable {
  /** They cannot fail in a way that matters, and to leave them out only costs us descriptors. */
  private static final Set<String> SPARED = Set.of("close", "posix_spawn_file_actions_destroy");

  private final AtomicInteger calls = new AtomicInteger();

  private BrokenCalls() {}

  /** Of the calls, {@code times} from the {@code first} (1, 2 …) have that error. */
  public static BrokenCalls from(int first, int times, int errno) {
    var broken = new BrokenCalls();
    InjectedFaults.fault =
        call -> {
          int now = SPARED.contains(call) ? 0 : broken.calls.incrementAndGet();
          return now >= first && now < first + times ? errno : 0;
        };
    return broken;
  }

  public static BrokenCalls none() {
    return from(0, 0, 0);
  }

  public int count() {
    return calls.get();
  }

  @Override
  public void close() {
    InjectedFaults.fault = null;
  }
}
