package gflow;

import gflow.api.Gflow;
import gflow.api.HttpGflow;
import gflow.cli.Commands;
import gflow.cli.Invocation;
import gflow.cli.Output;
import gflow.config.Folders;
import gflow.daemon.Daemon;
import gflow.door.OwnCall;
import java.io.IOException;
import java.net.StandardProtocolFamily;
import java.net.UnixDomainSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.TreeMap;

/**
 * What the build runs once to fill the AOT caches: the way of a usual command, and of the daemon
 * with a job. It is done in a private home, which the build gives.
 */
final class Training {
  private static final List<List<String>> CALLS =
      List.of(
          List.of("gqueue"),
          List.of("gqueue", "--json"),
          List.of("gbatch", "--gpus", "1", "--time", "2:00:00", "--name", "x", "true"),
          List.of("ginfo"));

  /** Says nothing: only the way there matters. */
  private static final Output SILENCE =
      new Output() {
        @Override
        public void out(String text) {}

        @Override
        public void err(String text) {}

        @Override
        public boolean flush() {
          return true;
        }
      };

  private Training() {}

  private static Folders folders() {
    return Folders.of(new TreeMap<>(System.getenv()), 0);
  }

  /** The client against somebody who always answers with an empty list. */
  static int client() {
    Path socket = folders().socket();
    try {
      Files.createDirectories(socket.getParent());
      Files.deleteIfExists(socket);
      try (var server = ServerSocketChannel.open(StandardProtocolFamily.UNIX)) {
        server.bind(UnixDomainSocketAddress.of(socket));
        Thread.ofPlatform().daemon().start(() -> answer(server));
        CALLS.forEach(words -> run(words, new HttpGflow(socket)));
      }
      return 0;
    } catch (IOException e) {
      System.err.println("training: " + e.getMessage());
      return 1;
    }
  }

  private static void answer(ServerSocketChannel server) {
    byte[] reply =
        "HTTP/1.1 200 OK\r\nContent-Length: 22\r\n\r\n{\"jobs\":[],\"total\":0}\r\n"
            .getBytes(StandardCharsets.US_ASCII);
    while (server.isOpen()) {
      try (SocketChannel client = server.accept()) {
        client.read(ByteBuffer.allocate(1 << 16));
        client.write(ByteBuffer.wrap(reply));
      } catch (IOException e) {
        return;
      }
    }
  }

  private static void run(List<String> words, Gflow gflow) {
    Invocation call = OwnCall.of(words);
    new Commands(Version.text()).run(call, gflow, SILENCE);
  }

  static int daemon() {
    return Foreground.run(daemon -> Thread.ofPlatform().start(() -> use(daemon)));
  }

  private static void use(Daemon daemon) {
    try {
      var gflow = new HttpGflow(folders().socket());
      CALLS.forEach(words -> run(words, gflow));
      run(List.of("gjob", "wait", "@"), gflow);
      run(List.of("gqueue", "-s", "all"), gflow);
    } finally {
      daemon.goDown();
    }
  }
}
