package gflow.api;

import gflow.job.Owner;
import gflow.script.order.Order.Origin;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.net.StandardProtocolFamily;
import java.net.UnixDomainSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.Channels;
import java.nio.channels.SocketChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Comparator;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;

/** A server over a fake service, in a folder of its own, for one test. */
final class Api implements AutoCloseable {
  static final Origin ORIGIN =
      new Origin(
          new Owner(1000, 1000, "ann"),
          "/home/ann",
          "A=1\0B=2\0".getBytes(StandardCharsets.UTF_8),
          0022,
          List.of("nofile 1024"));
  static final ClientLimits QUICK =
      new ClientLimits(Duration.ofMinutes(1), Duration.ofMillis(20), 2 << 20);

  final Path folder;
  final Path socket;
  final SampleService answers = new SampleService();
  final FakeGflow service = new FakeGflow(answers::answer);
  final List<String> problems = new CopyOnWriteArrayList<>();
  final HttpApi server;
  final HttpGflow client;

  Api(ClientLimits limits) throws IOException {
    folder = Files.createTempDirectory("gflow-api");
    socket = folder.resolve("s");
    server =
        new HttpApi(socket, owner -> service, ORIGIN, new ContainedBugs(problems::add), limits);
    client = new HttpGflow(socket);
  }

  SocketChannel connect() throws IOException {
    var channel = SocketChannel.open(StandardProtocolFamily.UNIX);
    channel.connect(UnixDomainSocketAddress.of(socket));
    return channel;
  }

  /** Sends the bytes as they are and returns all that comes back. */
  String raw(String request) throws IOException {
    try (var channel = connect()) {
      channel.write(ByteBuffer.wrap(request.getBytes(StandardCharsets.UTF_8)));
      var in = Channels.newInputStream(channel);
      var all = new ByteArrayOutputStream();
      try {
        in.transferTo(all);
      } catch (IOException e) {
        // Closed with bytes of ours unread: that is a reset, after what was said.
      }
      return all.toString(StandardCharsets.UTF_8);
    }
  }

  /** The status and the body. */
  String ask(String method, String target, String body) throws IOException {
    byte[] bytes = body.getBytes(StandardCharsets.UTF_8);
    try (var wire = HttpWire.connect(socket)) {
      var response = wire.ask(method, target, "", bytes);
      return response.status() + " " + response.text().strip();
    }
  }

  @Override
  public void close() throws IOException {
    server.close();
    try (var files = Files.walk(folder)) {
      for (Path file : files.sorted(Comparator.reverseOrder()).toList()) {
        Files.delete(file);
      }
    }
  }
}
