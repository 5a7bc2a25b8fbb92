package gflow.api;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import gflow.job.Owner;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.net.SocketException;
import java.net.StandardProtocolFamily;
import java.net.UnixDomainSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Semaphore;
import org.junit.jupiter.api.Test;

/** Clients that are many, large, slow or strangers do no harm to the others. */
class HttpLimitsTest {
  @Test
  void a_thousand_idle_connections_and_it_still_answers() throws IOException {
    try (var api = new Api(ClientLimits.DEFAULT)) {
      var idle = new ArrayList<SocketChannel>();
      try {
        for (int i = 0; i < 1000; i++) {
          idle.add(api.connect());
        }
        assertThat(api.client.ask(new ApiRequest.Status()))
            .isEqualTo(Answer.ok(SampleService.STATUS));
      } finally {
        for (var channel : idle) {
          channel.close();
        }
      }
    }
  }

  @Test
  void a_gigabyte_that_is_announced_is_refused_before_it_is_read() throws IOException {
    try (var api = new Api(ClientLimits.DEFAULT)) {
      String head = "POST /v1/jobs HTTP/1.1\r\nHost: g\r\nContent-Length: 1073741824\r\n\r\n";
      assertThat(flood(api, head, false))
          .startsWith("HTTP/1.1 413")
          .containsPattern("error\":\"the body is larger than 6[0-4] MiB\"}");
      assertThat(api.client.ask(new ApiRequest.Status())).isInstanceOf(Answer.Ok.class);
    }
  }

  @Test
  void a_gigabyte_in_chunks_is_cut_off() throws IOException {
    try (var api = new Api(ClientLimits.DEFAULT)) {
      String head = "POST /v1/jobs HTTP/1.1\r\nHost: g\r\nTransfer-Encoding: chunked\r\n\r\n";
      assertThat(flood(api, head, true)).startsWith("HTTP/1.1 413");
      assertThat(api.client.ask(new ApiRequest.Status())).isInstanceOf(Answer.Ok.class);
    }
  }

  /** Sends up to a gigabyte, until the other side has had enough; returns what it said. */
  private static String flood(Api api, String head, boolean chunked) throws IOException {
    byte[] part = " ".repeat(1 << 20).getBytes(UTF_8);
    byte[] chunk = ("100000\r\n" + " ".repeat(1 << 20) + "\r\n").getBytes(UTF_8);
    long sent = 0;
    try (var channel = api.connect()) {
      channel.write(ByteBuffer.wrap(head.getBytes(UTF_8)));
      try {
        for (int i = 0; i < 1024; i++) {
          var buffer = ByteBuffer.wrap(chunked ? chunk : part);
          while (buffer.hasRemaining()) {
            sent += channel.write(buffer);
          }
        }
      } catch (IOException e) {
        // Cut off, as it should be.
      }
      // Announced, it is not worth reading at all; what the kernel buffers is sent anyway.
      assertThat(sent).isLessThan(chunked ? 100L << 20 : 8L << 20);
      return said(channel);
    }
  }

  /** Who closes with something unread resets the connection, after what it said. */
  private static String said(SocketChannel channel) throws IOException {
    var said = ByteBuffer.allocate(200);
    try {
      while (said.hasRemaining() && channel.read(said) >= 0) {}
    } catch (SocketException e) {
      // That was all.
    }
    return new String(said.array(), 0, said.position(), UTF_8);
  }

  @Test
  void the_client_says_what_the_server_said_about_a_large_body() throws IOException {
    try (var api = new Api(Api.QUICK)) {
      var body = new gflow.script.order.Order.Body.Script("s", new byte[8 << 20], List.of());
      var order =
          new gflow.script.order.Order(
              new java.util.TreeMap<>(), body, Api.ORIGIN, new java.util.TreeMap<>());
      assertThat(api.client.ask(new ApiRequest.Submit(List.of(order), java.util.Optional.empty())))
          .isEqualTo(Answer.refused("the body is larger than 2 MiB"));
    }
  }

  @Test
  void an_idle_connection_ends_and_so_does_a_body_that_stalls() throws IOException {
    var limits = new ClientLimits(Duration.ofMillis(200), Duration.ofMillis(20), 1 << 20);
    try (var api = new Api(limits)) {
      assertThat(api.raw("")).isEmpty();
      String head = "POST /v1/jobs HTTP/1.1\r\nHost: g\r\nContent-Length: 10\r\n\r\n{";
      assertThat(api.raw(head)).startsWith("HTTP/1.1 400").contains("did not come whole");
    }
  }

  @Test
  void a_head_and_a_body_that_come_byte_by_byte_are_cut_off() throws Exception {
    var limits = new ClientLimits(Duration.ofMillis(400), Duration.ofMillis(20), 1 << 20);
    try (var api = new Api(limits)) {
      assertThat(trickle(api, "GET /v1/status HTTP/1.1\r\nX: ")).isEmpty();
      String head = "POST /v1/jobs HTTP/1.1\r\nHost: g\r\nContent-Length: 1000000\r\n\r\n";
      assertThat(trickle(api, head))
          .startsWith("HTTP/1.1 408")
          .contains("{\"error\":\"the body comes too slowly\"}");
    }
  }

  /** A byte at a time, each well within the idle time, until the other side has had enough. */
  private static String trickle(Api api, String start) throws Exception {
    try (var channel = api.connect()) {
      channel.write(ByteBuffer.wrap(start.getBytes(UTF_8)));
      long end = System.nanoTime() + Duration.ofSeconds(30).toNanos();
      try {
        while (System.nanoTime() < end) {
          channel.write(ByteBuffer.wrap(new byte[] {'x'}));
          Thread.sleep(40);
        }
      } catch (IOException e) {
        return said(channel);
      }
      throw new AssertionError("was never cut off");
    }
  }

  /** Three bytes of text are a list of eighty; a million of them fit nowhere. */
  @Test
  void a_body_that_is_small_as_text_and_huge_as_a_tree_is_refused() throws IOException {
    try (var api = new Api(ClientLimits.DEFAULT)) {
      String tree = "{\"command\":[" + "[],".repeat(3_000_000) + "[]]}";
      assertThat(api.ask("POST", "/v1/jobs", tree))
          .isEqualTo(
              "413 {\"error\":\"the body takes more memory than gflowd has for it: send less at a"
                  + " time, or start it with GFLOW_JAVA_OPTIONS=-Xmx1g\"}");
      String words = "{\"command\":[" + "\"\",".repeat(3_000_000) + "\"\"]}";
      assertThat(api.ask("POST", "/v1/jobs", words)).startsWith("413");
      assertThat(api.client.ask(new ApiRequest.Status())).isInstanceOf(Answer.Ok.class);
    }
  }

  @Test
  void many_unfinished_bodies_share_the_room_of_one() throws Exception {
    var room = new BodyRoom(1 << 20);
    try (var one = room.new Share();
        var other = room.new Share()) {
      one.take(900_000);
      assertThatThrownBy(() -> one.take(200_000)).hasMessageStartingWith("the body takes more");
      other.take(100);
      Thread.currentThread().interrupt();
      assertThatThrownBy(() -> other.take(200_000))
          .hasMessage("gflowd is busy with other large bodies; try again");
      assertThat(Thread.interrupted()).isTrue();
    }
    try (var last = room.new Share()) {
      last.take(1_000_000);
    }
  }

  /** Three hundred of them with a megabyte each, and never an end, once filled the heap. */
  @Test
  void what_has_come_of_a_body_counts_before_its_end() throws Exception {
    var room = new BodyRoom(1 << 20);
    var in = new ByteArrayInputStream(" ".repeat(900_000).getBytes(UTF_8));
    try (var body =
        new JsonBody(in, -1, ClientLimits.DEFAULT, new Semaphore(1), room.new Share())) {
      assertThatThrownBy(body::read).hasMessageStartingWith("the body takes more memory");
      assertThat(in.available()).as("left unread").isPositive();
    }
    try (var next = room.new Share()) {
      next.take(1_000_000);
    }
  }

  @Test
  void a_wait_outlives_the_idle_time() throws Exception {
    var limits = new ClientLimits(Duration.ofMillis(200), Duration.ofSeconds(30), 1 << 20);
    try (var api = new Api(limits)) {
      api.answers.ended = new java.util.concurrent.CountDownLatch(1);
      var timer = Thread.ofVirtual().start(() -> endAfterAnIdleConnection(api));
      assertThat(api.ask("GET", "/v1/jobs/42/wait", ""))
          .startsWith("200 {\"jobs\":[{\"job_id\":42");
      timer.join();
    }
  }

  /** Two connections that the server ends for idleness, one after the other, are time enough. */
  private static void endAfterAnIdleConnection(Api api) {
    try {
      api.answers.waiting.acquire();
      api.raw("");
      api.raw("");
      api.answers.ended.countDown();
    } catch (IOException | InterruptedException e) {
      throw new IllegalStateException(e);
    }
  }

  @Test
  void requests_in_the_middle_of_closing_are_answered_or_cut_off_but_never_hang() throws Exception {
    for (int round = 0; round < 10; round++) {
      var api = new Api(Api.QUICK);
      var threads = new ArrayList<Thread>();
      for (int i = 0; i < 8; i++) {
        threads.add(Thread.ofVirtual().start(() -> RoundTripTest.events(api)));
      }
      api.close();
      for (Thread thread : threads) {
        assertThat(thread.join(Duration.ofSeconds(10))).isTrue();
      }
    }
  }

  @Test
  void the_socket_is_private() throws IOException {
    try (var api = new Api(Api.QUICK)) {
      var permissions = Files.getPosixFilePermissions(api.socket);
      assertThat(PosixFilePermissions.toString(permissions)).isEqualTo("rw-------");
    }
  }

  @Test
  void a_stale_socket_is_replaced_but_a_living_one_and_a_file_are_not() throws IOException {
    try (var api = new Api(Api.QUICK)) {
      var bugs = new ContainedBugs(line -> {});
      Path stale = api.folder.resolve("t");
      try (var bound = ServerSocketChannel.open(StandardProtocolFamily.UNIX)) {
        bound.bind(UnixDomainSocketAddress.of(stale));
      }
      new HttpApi(stale, owner -> api.service, Api.ORIGIN, bugs).close();

      assertThatThrownBy(() -> new HttpApi(api.socket, owner -> api.service, Api.ORIGIN, bugs))
          .hasMessage("another gflowd answers at " + api.socket);
      assertThat(api.client.ask(new ApiRequest.Status())).isInstanceOf(Answer.Ok.class);

      Path file = Files.writeString(api.folder.resolve("f"), "precious");
      assertThatThrownBy(() -> new HttpApi(file, owner -> api.service, Api.ORIGIN, bugs))
          .hasMessage(file + " is in the way: it is no socket");
      assertThat(file).hasContent("precious");

      Path far = api.folder.resolve("x".repeat(100));
      assertThatThrownBy(() -> new HttpApi(far, owner -> api.service, Api.ORIGIN, bugs))
          .hasMessageContaining("the kernel allows 107");
    }
  }

  @Test
  void the_daemons_own_user_is_told_from_others() throws IOException {
    Path mine = Files.createTempFile("gflow", "");
    var lookup = mine.getFileSystem().getUserPrincipalLookupService();
    Owner me = Api.ORIGIN.owner();
    var peers = new Peers(Files.getOwner(mine), me);
    Files.delete(mine);

    assertThat(peers.of(lookup.lookupPrincipalByName(peers.self().getName()))).isEqualTo(me);
    String other = peers.self().getName().equals("nobody") ? "root" : "nobody";
    assertThat(peers.of(lookup.lookupPrincipalByName(other))).isNotEqualTo(me);
    assertThat(peers.of(lookup.lookupPrincipalByName(other)).name()).isEqualTo(other);
  }

  @Test
  void the_kernel_tells_a_stranger_apart() throws Exception {
    assumeTrue(System.getProperty("user.name").equals("root"), "needs root to become another");
    assumeTrue(Curl.present() && Files.exists(Path.of("/usr/bin/setpriv")), "needs curl, setpriv");
    try (var api = new Api(Api.QUICK)) {
      // Even with the doors open: the permissions are not what keeps strangers out.
      Files.setPosixFilePermissions(api.folder, PosixFilePermissions.fromString("rwxr-xr-x"));
      Files.setPosixFilePermissions(api.socket, PosixFilePermissions.fromString("rw-rw-rw-"));
      String said =
          Curl.output(
              List.of(
                  "setpriv",
                  "--reuid=65534",
                  "--regid=65534",
                  "--clear-groups",
                  "curl",
                  "-s",
                  "-w",
                  " %{http_code}",
                  "--unix-socket",
                  api.socket.toString(),
                  "http://gflow/v1/status"));
      assertThat(said).endsWith(" 403").contains("serves nobody else");
      assertThat(api.service.asked).isEmpty();
    }
  }
}
