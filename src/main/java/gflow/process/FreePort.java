package gflow.process;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;
import static java.lang.foreign.ValueLayout.JAVA_SHORT;

import java.lang.foreign.Arena;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;

/** Ports of this machine that nobody listens on, for programs whose parts find each other. */
public final class FreePort {
  private static final short AF_INET = 2;
  private static final int SOCK_STREAM_CLOEXEC = 1 | 0x80000;
  private static final int SIZE = 16;
  private static final Path RANGE = Path.of("/proc/sys/net/ipv4/ip_local_port_range");

  private FreePort() {}

  /**
   * Those that the kernel gives to whoever does not care: first and last. Read at once: of what is
   * read in two pieces the kernel tells only the first.
   */
  public static List<Integer> kernels() {
    return KernelFile.readAtOnce(RANGE)
        .map(text -> new String(text, StandardCharsets.US_ASCII).strip().split("\\s+"))
        .map(words -> Arrays.stream(words).map(Integer::parseInt).toList())
        .orElse(List.of());
  }

  public static boolean isFree(int port) {
    int socket = Libc.call("socket", AF_INET, SOCK_STREAM_CLOEXEC, 0);
    if (socket < 0) {
      return false;
    }
    try (var arena = Arena.ofConfined()) {
      var address = arena.allocate(SIZE, 4);
      address.set(JAVA_SHORT, 0, AF_INET);
      address.set(JAVA_SHORT.withOrder(ByteOrder.BIG_ENDIAN), 2, (short) port);
      address.set(JAVA_BYTE, 4, (byte) 127);
      address.set(JAVA_BYTE, 7, (byte) 1);
      return Libc.call("bind", socket, address.address(), SIZE) >= 0;
    } finally {
      Libc.close(socket);
    }
  }
}
