package gflow.process;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;
import static java.lang.foreign.ValueLayout.JAVA_SHORT;

import java.lang.foreign.Arena;
import java.nio.ByteOrder;

/**
 * A port of this machine that nobody listens on just now, for programs whose parts find each other.
 * It is below those that the kernel gives to whoever does not care.
 */
public final class FreePort {
  private static final int FIRST = 20_000;
  private static final int COUNT = 12_000;
  private static final int TRIES = 20;
  private static final short AF_INET = 2;
  private static final int SOCK_STREAM_CLOEXEC = 1 | 0x80000;
  private static final int SIZE = 16;

  private FreePort() {}

  /** Different for different numbers, as far as there are ports; the first one if none is free. */
  public static int of(long number) {
    for (int i = 0; i < TRIES; i++) {
      int port = FIRST + (int) ((number + i) % COUNT);
      if (isFree(port)) {
        return port;
      }
    }
    return FIRST + (int) (number % COUNT);
  }

  static boolean isFree(int port) {
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
