package gflow.process;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.util.Arrays;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.function.LongPredicate;

/**
 * How the processes of one attempt are known without cgroups, whoever their parent is by now. Two
 * marks, both inherited: an entry of the environment, and the soft limit on file locks, which the
 * kernel has ignored since 2.4 and which {@code env -i} does not clear. The value must not repeat
 * on a machine: it names the daemon's folder too.
 */
public record ProcessMark(String value) {
  public static final String VARIABLE = "GFLOW_MARK";
  private static final int RLIMIT_LOCKS = 10;
  private static final String LIMIT_NAME = "Max file locks";

  /** The lowest bits of the limit tell the steps of an attempt from each other; 0 is none. */
  private static final int STEP_BITS = 18;

  private static final int OUR_UID = Proc.status(Proc.self()).orElseThrow().uid();

  public ProcessMark {
    if (value.isEmpty() || value.indexOf('\0') >= 0) {
      throw new IllegalArgumentException("not a mark: '" + value + "'");
    }
  }

  /** The entry for the environment. */
  public String entry() {
    return VARIABLE + "=" + value;
  }

  /** Of who runs a part of the attempt without being one of it, and of what it starts. */
  ProcessMark ofGuests() {
    return new ProcessMark(value + "/guest");
  }

  /** The limit: FNV-1a of the value, kept within 47 to 62 bits, far above any real count. */
  long limit() {
    long hash = 0xcbf29ce484222325L;
    for (byte b : value.getBytes(UTF_8)) {
      hash = (hash ^ (b & 0xff)) * 0x100000001b3L;
    }
    return (hash & 0x3fff_ffff_ffff_ffffL & -1L << STEP_BITS) | 1L << 46;
  }

  /** The same for what is started by a step. */
  long limit(int step) {
    return limit() | (1 + step % ((1L << STEP_BITS) - 1));
  }

  /**
   * The limit as a shell takes it ({@code ulimit -S -w} in dash, {@code -x} in bash). The wrapper
   * of an attempt puts it on itself, before it does anything else: nobody has to hold up all other
   * births for it.
   */
  public String limitWord() {
    return Long.toString(limit());
  }

  /** Puts the limit on a process; what it starts from now on has it too. */
  boolean putOn(long pid) {
    return Libc.softLimit(pid, RLIMIT_LOCKS, limit()) >= 0;
  }

  /** The same for a process that is about to start the programs of a step. */
  boolean putOn(long pid, int step) {
    return Libc.softLimit(pid, RLIMIT_LOCKS, limit(step)) >= 0;
  }

  /** Takes any such limit off a process; its environment nobody can change. */
  static void takeOff(long pid) {
    long unlimited = -1;
    Libc.softLimit(pid, RLIMIT_LOCKS, unlimited);
  }

  /**
   * The environment of a process that was started with the mark: one that is just born, in the
   * middle of its exec, shows none for a moment. Empty if it is gone.
   */
  public Optional<byte[]> environment(ProcessId process) {
    while (process.alive() && !Thread.currentThread().isInterrupted()) {
      Optional<byte[]> block = Proc.environ(process.pid()).filter(this::isIn);
      if (block.isPresent()) {
        return block;
      }
      Pause.millis(1);
    }
    return Optional.empty();
  }

  public boolean isOn(long pid) {
    return limitIsOn(pid) || Proc.environ(pid).filter(this::isIn).isPresent();
  }

  /** Whatever step it is of. */
  boolean limitIsOn(long pid) {
    return hasLimit(pid, limit -> limit >> STEP_BITS == limit() >> STEP_BITS);
  }

  boolean limitIsOn(long pid, int step) {
    return hasLimit(pid, limit -> limit == limit(step));
  }

  /** Of which step a process is, by the limit. */
  OptionalInt step(long pid) {
    return Proc.softLimit(pid, LIMIT_NAME).stream()
        .map(limit -> limit - limit())
        .filter(step -> step > 0 && step < 1L << STEP_BITS)
        .mapToInt(step -> (int) step - 1)
        .findFirst();
  }

  /** Everybody can read the limits of others, and set his own: so it must be one of our user's. */
  private static boolean hasLimit(long pid, LongPredicate wanted) {
    return Proc.softLimit(pid, LIMIT_NAME).stream().anyMatch(wanted)
        && (OUR_UID == 0 || Proc.status(pid).filter(s -> s.uid() == OUR_UID).isPresent());
  }

  boolean isIn(byte[] environ) {
    return has(environ, entry().getBytes(UTF_8));
  }

  /** Whether this very entry is one of the environment. */
  static boolean has(byte[] environ, byte[] entry) {
    int start = 0;
    for (int i = 0; i <= environ.length; i++) {
      if (i == environ.length || environ[i] == 0) {
        if (Arrays.equals(environ, start, i, entry, 0, entry.length)) {
          return true;
        }
        start = i + 1;
      }
    }
    return false;
  }
}
