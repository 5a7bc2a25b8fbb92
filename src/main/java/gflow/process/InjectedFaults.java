package gflow.process;

import org.jspecify.annotations.Nullable;

/**
 * Where a test has calls of the kernel go wrong that never do when one looks. Off, it costs a
 * glance at a field.
 */
final class InjectedFaults {
  static volatile @Nullable Fault fault;

  private InjectedFaults() {}

  interface Fault {
    /** The error that this call shall have instead of being made, or 0. */
    int of(String call);
  }

  static int error(String call) {
    Fault now = fault;
    return now == null ? 0 : now.of(call);
  }
}
