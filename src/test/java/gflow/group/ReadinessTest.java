package gflow.group;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.assertj.core.api.Assertions.assertThat;

import gflow.process.Proc;
import gflow.script.Refusal;
import gflow.script.group.Condition;
import gflow.script.value.BadInput;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.StandardProtocolFamily;
import java.net.UnixDomainSocketAddress;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ReadinessTest {
  @TempDir Path folder;

  private Readiness waiting(String condition) throws BadInput {
    var place = Readiness.place(folder.toString(), Optional.of(folder.resolve("log")), Proc.self());
    return new Readiness(List.of(Condition.parse(condition)), place, Duration.ofSeconds(5));
  }

  private List<String> missing(String condition) throws BadInput {
    return waiting(condition).missing();
  }

  @Test
  void a_unix_socket_is_ready_when_somebody_listens_and_not_when_it_is_bound() throws Exception {
    var address = UnixDomainSocketAddress.of(folder.resolve("ipi_a"));
    assertThat(missing("unix:ipi_a")).containsExactly("nobody listens on unix:ipi_a");
    try (var bound = SocketChannel.open(StandardProtocolFamily.UNIX)) {
      bound.bind(address);
      assertThat(missing("unix:" + address))
          .containsExactly(
              "nobody listens on unix:"
                  + address
                  + " (its file is there, but no server behind it)");
    }
    Files.delete(address.getPath());
    try (var server = ServerSocketChannel.open(StandardProtocolFamily.UNIX)) {
      server.bind(address);
      server.configureBlocking(false);
      assertThat(missing("unix:" + address)).isEmpty();
      assertThat(missing("unix:ipi_a")).isEmpty();
      assertThat(missing("unix:../" + folder.getFileName() + "/ipi_a")).isEmpty();
      assertThat(missing("unix:ipi_")).hasSize(1);
      assertThat(server.accept()).as("nobody has connected").isNull();
    }
    assertThat(missing("unix:ipi_a").getFirst()).contains("its file is there");
  }

  @Test
  void a_port_is_ready_when_somebody_listens_on_it_at_that_address() throws Exception {
    try (var four = ServerSocketChannel.open();
        var six = ServerSocketChannel.open()) {
      four.bind(new InetSocketAddress(InetAddress.ofLiteral("127.0.0.1"), 0));
      six.bind(new InetSocketAddress(InetAddress.ofLiteral("::1"), 0));
      four.configureBlocking(false);
      int port = ((InetSocketAddress) four.getLocalAddress()).getPort();
      int other = ((InetSocketAddress) six.getLocalAddress()).getPort();
      assertThat(missing("tcp:" + port)).isEmpty();
      assertThat(missing("tcp:127.0.0.1:" + port)).isEmpty();
      assertThat(missing("tcp:127.0.0.2:" + port))
          .containsExactly("nobody listens on tcp:127.0.0.2:" + port);
      assertThat(missing("tcp:[::1]:" + other)).isEmpty();
      assertThat(four.accept()).as("nobody has connected").isNull();
      // Who has connected to it is not who listens.
      try (var client = SocketChannel.open(four.getLocalAddress())) {
        int own = ((InetSocketAddress) client.getLocalAddress()).getPort();
        assertThat(missing("tcp:" + own)).hasSize(1);
      }
    }
  }

  @Test
  void a_host_that_is_another_machine_is_refused() throws BadInput {
    Condition there = Condition.parse("tcp:192.0.2.7:80");
    Refusal.of(
        () -> Readiness.check(there),
        "tcp:192.0.2.7:80: only sockets of this machine can be seen, and 192.0.2.7 is none of its"
            + " names");
  }

  @Test
  void a_socket_that_is_not_ours_does_not_count() throws Exception {
    try (var server = ServerSocketChannel.open()) {
      server.bind(new InetSocketAddress(InetAddress.ofLiteral("127.0.0.1"), 0));
      int port = ((InetSocketAddress) server.getLocalAddress()).getPort();
      var place = new Place(folder.toString(), Optional.empty(), Proc.self(), _ -> false);
      var waiting =
          new Readiness(List.of(Condition.parse("tcp:" + port)), place, Duration.ofSeconds(5));
      assertThat(waiting.missing())
          .containsExactly(
              "nobody listens on tcp:" + port + " but a process that is not of this job");
    }
  }

  @Test
  void an_answer_below_500_is_one() throws Exception {
    String address;
    try (var server = new ServerSocket(0, 9, InetAddress.getLoopbackAddress())) {
      address = "http://127.0.0.1:" + server.getLocalPort() + "/health";
      var answering = Thread.ofVirtual().start(() -> answer(server, "503 No", "404 Not Found"));
      assertThat(missing(address)).containsExactly(address + " answers 503");
      assertThat(missing(address)).isEmpty();
      answering.join();
    }
    assertThat(missing(address)).containsExactly(address + ": Connection refused");
  }

  private static void answer(ServerSocket server, String... answers) {
    for (String answer : answers) {
      try (var client = server.accept()) {
        var _ = client.getInputStream().read(new byte[4096]);
        client
            .getOutputStream()
            .write(("HTTP/1.1 " + answer + "\r\nContent-Length: 0\r\n\r\n").getBytes(US_ASCII));
      } catch (IOException e) {
        throw new IllegalStateException(e);
      }
    }
  }

  @Test
  void a_line_of_the_log_is_found_where_reading_stopped_also_when_it_is_not_whole()
      throws Exception {
    Path log = folder.resolve("log");
    Readiness waiting = waiting("log:ready on \\d+");
    assertThat(waiting.missing()).containsExactly("no line of " + log + " has log:ready on \\d+");
    Files.writeString(log, "loading\nready");
    assertThat(waiting.missing())
        .containsExactly("no line of " + log + " has log:ready on \\d+; its last one is: ready");
    Files.writeString(log, " on 31415", StandardOpenOption.APPEND);
    assertThat(waiting.missing()).isEmpty();
    // It was seen, and stays so.
    Files.delete(log);
    assertThat(waiting.missing()).isEmpty();
  }

  @Test
  void a_log_that_was_written_anew_is_read_from_its_beginning() throws Exception {
    Path log = folder.resolve("log");
    Files.writeString(log, "an old and long line of the run before\n");
    Readiness waiting = waiting("log:^up$");
    assertThat(waiting.missing()).hasSize(1);
    Files.writeString(log, "up\n");
    assertThat(waiting.missing()).isEmpty();
  }

  @Test
  void pauses_grow_to_half_a_second_and_never_past_the_end() throws Exception {
    Readiness waiting = waiting("file:never");
    assertThat(waiting.pause()).isEqualTo(50);
    assertThat(waiting.pause()).isEqualTo(75);
    for (int i = 0; i < 9; i++) {
      waiting.pause();
    }
    assertThat(waiting.pause()).isEqualTo(500);
    assertThat(waiting.isLate()).isFalse();
    var place = Readiness.place(folder.toString(), Optional.empty(), Proc.self());
    var now = new Readiness(List.of(), place, Duration.ZERO);
    assertThat(now.isLate()).isTrue();
    assertThat(now.pause()).isEqualTo(1);
  }
}
