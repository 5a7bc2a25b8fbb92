package gflow.process;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.net.InetAddress;
import java.net.UnknownHostException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HexFormat;
import java.util.List;
import java.util.stream.Stream;

/**
 * Who listens, by the kernel's tables of one process's network, and never by connecting: a server
 * may take a stranger for a client, and wait for what he never says.
 */
public final class ListeningSockets {
  private static final String LISTENS = "00010000";
  private static final String TCP_LISTENS = "0A";

  private final Path net;

  /** {@code inode}: by which the kernel shows it among the descriptors of its holders. */
  public record Tcp(InetAddress address, int port, long inode) {}

  private ListeningSockets(Path net) {
    this.net = net;
  }

  /** As this process sees the network; as we do if it is gone. */
  public static ListeningSockets seenBy(long pid) {
    Path net = Path.of("/proc/" + pid + "/net");
    return new ListeningSockets(
        KernelFile.read(net.resolve("unix")).isPresent() ? net : Path.of("/proc/self/net"));
  }

  /** The inodes of those sockets that are bound to one of these names and listen. */
  public List<Long> unix(Collection<String> names) {
    return lines("unix")
        .map(line -> line.strip().split("\\s+", 8))
        .filter(field -> field.length == 8 && field[3].equals(LISTENS))
        .filter(field -> names.contains(field[7]))
        .map(field -> Long.parseLong(field[6]))
        .toList();
  }

  /** Those that listen on a port, on whatever address. */
  public List<Tcp> tcp(int port) {
    var found = new ArrayList<Tcp>();
    Stream.concat(lines("tcp"), lines("tcp6"))
        .map(line -> line.strip().split("\\s+"))
        .filter(field -> field.length > 9 && field[3].equals(TCP_LISTENS))
        .map(ListeningSockets::tcp)
        .filter(socket -> socket.port() == port)
        .forEach(found::add);
    return found;
  }

  private static Tcp tcp(String[] field) {
    String[] place = field[1].split(":", -1);
    return new Tcp(address(place[0]), Integer.parseInt(place[1], 16), Long.parseLong(field[9]));
  }

  /** In words of four bytes, each with its last byte first. */
  private static InetAddress address(String hex) {
    byte[] kernels = HexFormat.of().parseHex(hex);
    var bytes = new byte[kernels.length];
    for (int i = 0; i < bytes.length; i++) {
      bytes[i] = kernels[i / 4 * 4 + 3 - i % 4];
    }
    try {
      return InetAddress.getByAddress(bytes);
    } catch (UnknownHostException e) {
      throw new IllegalStateException("the kernel has an address of " + bytes.length + " bytes", e);
    }
  }

  private Stream<String> lines(String table) {
    return KernelFile.read(net.resolve(table))
        .map(bytes -> new String(bytes, UTF_8).lines().skip(1))
        .orElse(Stream.empty());
  }
}
