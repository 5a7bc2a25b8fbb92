package gflow.process;

/** Sending signals. The numbers are those of x86-64 and aarch64. */
public final class Signals {
  public static final int HUP = 1;
  public static final int INT = 2;
  public static final int KILL = 9;
  public static final int TERM = 15;
  public static final int CONT = 18;
  public static final int STOP = 19;

  private Signals() {}

  /** To whoever has this pid now; false if nobody has, or it is not ours to signal. */
  public static boolean send(long pid, int signal) {
    // 0 and below would mean groups, and −1 everything that we may kill.
    return pid > 0 && Libc.kill(pid, signal) >= 0;
  }

  /** To all of a process group. */
  public static boolean sendGroup(long group, int signal) {
    return group > 1 && Libc.kill(-group, signal) >= 0;
  }

  /**
   * To this process and no other: the descriptor is opened first and looked at afterwards, so the
   * pid cannot change hands in between.
   */
  public static boolean send(ProcessId process, int signal) {
    int pidfd = Libc.pidfdOpen(process.pid());
    if (pidfd == -Libc.ENOSYS) {
      return process.alive() && send(process.pid(), signal);
    }
    if (pidfd < 0) {
      return false;
    }
    try {
      return process.alive() && Libc.pidfdSendSignal(pidfd, signal) >= 0;
    } finally {
      Libc.close(pidfd);
    }
  }
}
