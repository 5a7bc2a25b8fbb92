package gflow.process;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;

/**
 * What the kernel says of a process under /proc. Empty means that the process is gone, or that it
 * is not ours to look at; if that cannot be known now, as without a free descriptor, an {@link
 * UncheckedIOException} says so: one that lives must not be taken for dead.
 */
public final class Proc {
  private static final Path ROOT = Path.of("/proc");

  private Proc() {}

  /** One line of {@code /proc/PID/stat}; the name may hold spaces and parentheses. */
  public record Stat(
      long pid,
      String name,
      char state,
      long parent,
      long group,
      long session,
      int threads,
      long startTime) {
    /** Nothing of it runs. A main thread that has ended while others go on is not dead. */
    public boolean dead() {
      return (state == 'Z' || state == 'X') && threads <= 1;
    }

    public ProcessId id() {
      return new ProcessId(pid, startTime);
    }

    /** The name is cut at the last parenthesis: it may hold any character itself. */
    static Stat parse(String line) {
      int open = line.indexOf('(');
      int close = line.lastIndexOf(')');
      var field = line.substring(close + 2).split(" ", -1);
      return new Stat(
          Long.parseLong(line.substring(0, open - 1)),
          line.substring(open + 1, close),
          field[0].charAt(0),
          Long.parseLong(field[1]),
          Long.parseLong(field[2]),
          Long.parseLong(field[3]),
          Integer.parseInt(field[17]),
          Long.parseLong(field[19]));
    }
  }

  /** Who a process is, with its real ids and the user that it acts for. */
  public record Status(int uid, int effectiveUid, int gid, List<Integer> groups, int umask) {
    static Status parse(String text) {
      var uid = fields(text, "Uid");
      var gid = fields(text, "Gid");
      var groups = fields(text, "Groups").stream().map(Integer::parseUnsignedInt).toList();
      var umask = fields(text, "Umask");
      return new Status(
          Integer.parseUnsignedInt(uid.get(0)),
          Integer.parseUnsignedInt(uid.get(1)),
          Integer.parseUnsignedInt(gid.get(0)),
          groups,
          umask.isEmpty() ? 0022 : Integer.parseInt(umask.getFirst(), 8));
    }
  }

  /** How much is resident, in bytes: now, and at most since its last exec. */
  record Memory(long now, long peak) {
    /** A dead one has none. */
    static Optional<Memory> parse(String text) {
      List<String> now = fields(text, "VmRSS");
      List<String> peak = fields(text, "VmHWM");
      return now.isEmpty() || peak.isEmpty()
          ? Optional.empty()
          : Optional.of(new Memory(bytes(now), bytes(peak)));
    }

    private static long bytes(List<String> kilobytes) {
      return Long.parseLong(kilobytes.getFirst()) * 1024;
    }
  }

  /** The words of one line of a status. */
  private static List<String> fields(String text, String name) {
    for (String line : text.split("\n", -1)) {
      if (line.startsWith(name + ":")) {
        String rest = line.substring(name.length() + 1).strip();
        return rest.isEmpty() ? List.of() : List.of(rest.replace('\t', ' ').split(" ", -1));
      }
    }
    return List.of();
  }

  /** One resource limit, named as the kernel does ("Max open files"); empty is unlimited. */
  public record Limit(String name, OptionalLong soft, OptionalLong hard) {
    /** The columns have fixed places; the units of the last one are part of no number. */
    static List<Limit> parse(String text) {
      return text.lines().skip(1).filter(line -> line.length() >= 68).map(Limit::line).toList();
    }

    private static Limit line(String line) {
      return new Limit(
          line.substring(0, 26).strip(),
          number(line.substring(26, 47).strip()),
          number(line.substring(47, 68).strip()));
    }

    private static OptionalLong number(String text) {
      return text.equals("unlimited")
          ? OptionalLong.empty()
          : OptionalLong.of(Long.parseUnsignedLong(text));
    }
  }

  /** Our own pid. The JDK's way to it makes a pool of threads, to watch children. */
  public static long self() {
    try {
      return Long.parseLong(Files.readSymbolicLink(ROOT.resolve("self")).toString());
    } catch (IOException e) {
      throw new UncheckedIOException("/proc does not know us", e);
    }
  }

  public static String bootId() {
    byte[] id = KernelFile.read(ROOT.resolve("sys/kernel/random/boot_id")).orElseThrow();
    return new String(id, UTF_8).strip();
  }

  public static Optional<Stat> stat(long pid) {
    return file(pid, "stat").map(bytes -> Stat.parse(new String(bytes, ISO_8859_1)));
  }

  /** The same by fewer calls of the kernel, for a daemon. */
  static Optional<Stat> statAtOnce(long pid) {
    return KernelFile.readAtOnce(path(pid, "stat"))
        .map(bytes -> Stat.parse(new String(bytes, ISO_8859_1)));
  }

  public static Optional<Status> status(long pid) {
    return file(pid, "status").map(bytes -> Status.parse(new String(bytes, ISO_8859_1)));
  }

  /** The words of one line of it; none if there is no such line. */
  static List<String> statusFields(long pid, String name) {
    return file(pid, "status")
        .map(bytes -> fields(new String(bytes, ISO_8859_1), name))
        .orElse(List.of());
  }

  /** Whether it lives and may do nothing that its user may not; root alone has such powers. */
  public static boolean isWithoutPower(long pid) {
    List<String> powers = statusFields(pid, "CapEff");
    return !powers.isEmpty() && powers.getFirst().matches("0+");
  }

  static Optional<Memory> memory(long pid) {
    return file(pid, "status").flatMap(bytes -> Memory.parse(new String(bytes, ISO_8859_1)));
  }

  public static List<Limit> limits(long pid) {
    return file(pid, "limits")
        .map(bytes -> Limit.parse(new String(bytes, ISO_8859_1)))
        .orElse(List.of());
  }

  /** Empty if it has none of that name, or is gone. */
  static OptionalLong softLimit(long pid, String name) {
    return limits(pid).stream()
        .filter(limit -> limit.name().equals(name))
        .flatMapToLong(limit -> limit.soft().stream())
        .findFirst();
  }

  /** The environment that the program was started with, NUL after each entry. */
  public static Optional<byte[]> environ(long pid) {
    return file(pid, "environ");
  }

  /** The arguments, byte for byte. */
  public static List<byte[]> cmdline(long pid) {
    var arguments = new ArrayList<byte[]>();
    byte[] all = file(pid, "cmdline").orElse(new byte[0]);
    int start = 0;
    for (int i = 0; i < all.length; i++) {
      if (all[i] == 0) {
        arguments.add(Arrays.copyOfRange(all, start, i));
        start = i + 1;
      }
    }
    if (start < all.length) {
      arguments.add(Arrays.copyOfRange(all, start, all.length));
    }
    return arguments;
  }

  /** The children of a process, of all its threads. */
  public static List<Long> children(long pid) {
    var threads = numbers(ROOT.resolve(pid + "/task"));
    var children = new ArrayList<Long>();
    for (long thread : threads) {
      var list = file(pid, "task/" + thread + "/children");
      if (list.isEmpty() && thread == pid && file(pid, "stat").isPresent()) {
        return childrenByScan(pid);
      }
      list.ifPresent(bytes -> split(bytes, children));
    }
    return children;
  }

  /**
   * The children of our own first thread. The kernel gives orphans to the first living thread of a
   * subreaper, and that of a JVM never ends, so this one small file has all of them.
   */
  static List<Long> adopted(long self) {
    var list = KernelFile.readAtOnce(ROOT.resolve(self + "/task/" + self + "/children"));
    if (list.isEmpty()) {
      return childrenByScan(self);
    }
    var children = new ArrayList<Long>();
    split(list.get(), children);
    return children;
  }

  /** For kernels built without CONFIG_PROC_CHILDREN. */
  static List<Long> childrenByScan(long parent) {
    return all().stream()
        .flatMap(pid -> stat(pid).stream())
        .filter(stat -> stat.parent() == parent)
        .map(Stat::pid)
        .toList();
  }

  /** Every process that we can see. */
  public static List<Long> all() {
    return numbers(ROOT);
  }

  private static void split(byte[] numbers, List<Long> into) {
    long number = 0;
    for (byte b : numbers) {
      if (b >= '0' && b <= '9') {
        number = number * 10 + b - '0';
      } else if (number > 0) {
        into.add(number);
        number = 0;
      }
    }
  }

  private static List<Long> numbers(Path folder) {
    var numbers = new ArrayList<Long>();
    for (String name : KernelFile.names(folder)) {
      if (Character.isDigit(name.charAt(0))) {
        numbers.add(Long.parseLong(name));
      }
    }
    return numbers;
  }

  static Optional<byte[]> file(long pid, String name) {
    return KernelFile.read(path(pid, name));
  }

  private static Path path(long pid, String name) {
    return Path.of("/proc/" + pid + "/" + name);
  }
}
