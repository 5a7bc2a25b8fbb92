package gflow.e2e;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.net.UnixDomainSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.SocketChannel;
import java.util.ArrayList;
import org.junit.jupiter.api.Test;

/** More than the socket was made for: the daemon still answers others. */
class FloodIT {
  private static final int CONNECTIONS = 1000;
  private static final int BLOCK = 1 << 20;
  private static final int BLOCKS = 1024;

  @Test
  void idle_connections_and_endless_bodies_keep_nobody_else_waiting() throws Exception {
    try (var lab = new Lab()) {
      lab.up();
      var address = UnixDomainSocketAddress.of(lab.home().resolve("run/gflow.sock"));
      var idle = new ArrayList<SocketChannel>();
      try {
        for (int i = 0; i < CONNECTIONS; i++) {
          idle.add(SocketChannel.open(address));
        }
        idle.getFirst().write(ascii("GET /v1/jobs HTTP/1.1\r\nHost: x\r\n"));
        assertThat(lab.bash("GFLOW_CLIENT=jvm gqueue").code()).isZero();
        try (var body = SocketChannel.open(address)) {
          assertThat(pour(body)).as("blocks taken of a body of 1 GB").isLessThan(BLOCKS / 4);
        }
        assertThat(lab.bash("GFLOW_CLIENT=jvm gqueue").code()).isZero();
        lab.awaitState(lab.submit("true"), "COMPLETED");
      } finally {
        for (SocketChannel channel : idle) {
          channel.close();
        }
      }
    }
  }

  /** How many blocks went in before it was refused. */
  private static int pour(SocketChannel channel) throws IOException {
    channel.write(
        ascii(
            """
            POST /v1/jobs HTTP/1.1
            Host: x
            Content-Type: application/json
            Transfer-Encoding: chunked

            """
                .replace("\n", "\r\n")));
    var size = ascii(Integer.toHexString(BLOCK) + "\r\n");
    var block = ByteBuffer.wrap(" ".repeat(BLOCK).getBytes(US_ASCII));
    for (int i = 0; i < BLOCKS; i++) {
      try {
        write(channel, size.rewind());
        write(channel, block.rewind());
        write(channel, ascii("\r\n"));
      } catch (IOException e) {
        return i;
      }
    }
    return BLOCKS;
  }

  private static void write(SocketChannel channel, ByteBuffer bytes) throws IOException {
    while (bytes.hasRemaining()) {
      channel.write(bytes);
    }
  }

  private static ByteBuffer ascii(String text) {
    return ByteBuffer.wrap(text.getBytes(US_ASCII));
  }
}
