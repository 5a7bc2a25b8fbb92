package gflow.process;

import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.function.Supplier;

/**
 * Sending signals, and reading those that are blocked. The numbers are those of x86-64 and aarch64.
 */
public final class Signals {
  public static final int HUP = 1;
  public static final int INT = 2;
  public static final int QUIT = 3;
  public static final int KILL = 9;
  public static final int USR1 = 10;
  public static final int USR2 = 12;
  public static final int TERM = 15;
  public static final int CONT = 18;
  public static final int STOP = 19;
  public static final int XFSZ = 25;
  public static final int PWR = 30;

  private Signals() {}

  /** To whoever has this pid now; false if nobody has, or it is not ours to signal. */
  public static boolean send(long pid, int signal) {
    // 0 and below would mean groups, and −1 everything that we may kill.
    return pid > 0 && Libc.call("kill", pid, signal) >= 0;
  }

  /** To all of a process group. */
  public static boolean sendGroup(long group, int signal) {
    return group > 1 && Libc.call("kill", -group, signal) >= 0;
  }

  /**
   * To this process and no other: the descriptor is opened first and looked at afterwards, so the
   * pid cannot change hands in between.
   */
  public static boolean send(ProcessId process, int signal) {
    int pidfd = Libc.pidfdOpen(process.pid());
    if (pidfd == -Libc.ESRCH) {
      return false;
    }
    if (pidfd < 0) {
      // An old kernel, or no descriptor is left: nearly as good.
      return process.alive() && send(process.pid(), signal);
    }
    try {
      return process.alive() && Libc.pidfdSendSignal(pidfd, signal) >= 0;
    } finally {
      Libc.close(pidfd);
    }
  }

  /**
   * Kills all that are found until none is left, or until the patience ends: a process in an
   * uninterruptible wait (a dead NFS server, a hung driver) stays. True if none is left.
   */
  public static boolean kill(Supplier<? extends Collection<ProcessId>> found, Duration patience) {
    long end = System.nanoTime() + patience.toNanos();
    for (long pause = 1; ; pause = Math.min(20, pause * 2)) {
      Collection<ProcessId> left = found.get();
      left.forEach(process -> send(process, KILL));
      if (left.isEmpty() || System.nanoTime() > end) {
        return left.isEmpty() || found.get().isEmpty();
      }
      Pause.millis(pause);
    }
  }

  /** What a parent hands on. */
  private static final List<Integer> HANDED_ON = List.of(HUP, INT, QUIT, USR1, USR2, TERM, CONT);

  /**
   * Those of the signals that a parent hands on which this process was started with blocked: they
   * wait to be read. None if who started it could not block them.
   */
  public static Optional<Descriptor> blocked() throws IOException {
    long set = 0;
    // Of the first thread, which never changed it.
    List<String> mask = Proc.statusFields(Proc.self(), "SigBlk");
    long blocked = mask.isEmpty() ? 0 : Long.parseUnsignedLong(mask.getFirst(), 16);
    for (int signal : HANDED_ON) {
      set |= blocked & 1L << (signal - 1);
    }
    return set == 0 ? Optional.empty() : Optional.of(Descriptor.ofSignals(set));
  }

  /** The signals in what was read from {@link #blocked}. */
  public static List<Integer> read(byte[] bytes) {
    var signals = new ArrayList<Integer>();
    // The kernel's record has 128 bytes and begins with the number.
    for (int at = 0; at + 128 <= bytes.length; at += 128) {
      signals.add((int) bytes[at]);
    }
    return signals;
  }
}
