package gflow.api;

import gflow.job.Owner;
import gflow.script.order.Order.Origin;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.time.Duration;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.function.Function;
import java.util.logging.Level;
import java.util.logging.Logger;
import org.eclipse.jetty.server.HttpConfiguration;
import org.eclipse.jetty.server.HttpConnectionFactory;
import org.eclipse.jetty.server.NetworkConnectionLimit;
import org.eclipse.jetty.server.Server;
import org.eclipse.jetty.unixdomain.server.UnixDomainServerConnector;
import org.eclipse.jetty.util.thread.QueuedThreadPool;

/** The service as HTTP and JSON on a Unix socket, for the daemon's own user; nothing on TCP. */
public final class HttpApi implements AutoCloseable {
  /** Kept here because the logging framework forgets loggers that nobody holds. */
  private static final Logger JETTY = Logger.getLogger("org.eclipse.jetty");

  private static final int HEADERS = 16 << 10;
  private static final Duration PATIENCE = Duration.ofSeconds(2);
  private static final int WAITING_CONNECTIONS = 1024;

  /** Those beyond wait until one of these ends. */
  private static final int CONNECTIONS = 2000;

  private final Path socket;
  private final Server server;
  private final ExecutorService requests = threads("api-request-");
  private final ExecutorService longCalls = threads("api-long-");
  private final HttpFace face;

  /**
   * Starts at once. The origin, but for its owner, is that of orders that do not name their own;
   * its owner is the daemon's.
   */
  public HttpApi(Path socket, Function<Owner, Gflow> service, Origin defaults, ContainedBugs bugs)
      throws IOException {
    this(socket, service, defaults, bugs, ClientLimits.DEFAULT);
  }

  HttpApi(
      Path socket,
      Function<Owner, Gflow> service,
      Origin defaults,
      ContainedBugs bugs,
      ClientLimits limits)
      throws IOException {
    this.socket = socket;
    var file = new SocketFile(socket);
    file.free();
    JETTY.setLevel(Level.WARNING);
    this.server = server(socket, limits);
    Owner me = defaults.owner();
    HttpFace.Door door = () -> new Peers(Files.getOwner(socket), me);
    var replies = new ReplyWriter(limits.keepAlive(), longCalls);
    Function<Owner, Routes> routes =
        caller -> new Routes(service.apply(caller), of(caller, defaults));
    this.face = new HttpFace(routes, new Authority(me), limits, replies, door, bugs);
    server.setHandler(face);
    try {
      server.start();
      file.makePrivate();
      face.peers();
    } catch (Exception e) {
      close();
      throw new IOException("cannot listen at " + socket + ": " + e.getMessage(), e);
    }
  }

  private static Origin of(Owner caller, Origin origin) {
    return new Origin(
        caller, origin.folder(), origin.environment(), origin.umask(), origin.ulimits());
  }

  private Server server(Path socket, ClientLimits limits) {
    var threads = new QueuedThreadPool(16, 4);
    threads.setName("api");
    threads.setDaemon(true);
    threads.setVirtualThreadsExecutor(requests);
    var server = new Server(threads);
    var http = new HttpConfiguration();
    http.setSendServerVersion(false);
    http.setSendDateHeader(false);
    http.setRequestHeaderSize(HEADERS);
    var connector = new UnixDomainServerConnector(server, 1, 1, new HttpConnectionFactory(http));
    connector.setUnixDomainPath(socket);
    connector.setAcceptQueueSize(WAITING_CONNECTIONS);
    connector.setIdleTimeout(limits.idle().toMillis());
    connector.addBean(new SlowHeads(connector, limits.idle()));
    server.addConnector(connector);
    server.addBean(new NetworkConnectionLimit(CONNECTIONS, connector));
    server.setErrorHandler(new JsonErrors());
    return server;
  }

  private static ExecutorService threads(String name) {
    return Executors.newThreadPerTaskExecutor(Thread.ofVirtual().name(name, 0).factory());
  }

  /** Lets requests that are being answered finish: one of them may be what ends the daemon. */
  @Override
  public void close() {
    longCalls.shutdownNow();
    try {
      hide();
      face.awaitQuiet(PATIENCE);
      server.stop();
    } catch (Exception e) {
      JETTY.log(Level.WARNING, "the HTTP server did not stop well", e);
    }
    requests.shutdownNow();
  }

  private void hide() throws InterruptedException {
    Path hidden = socket.resolveSibling(".s");
    try {
      if (server.isStarted()) {
        Files.move(socket, hidden, StandardCopyOption.REPLACE_EXISTING);
        Thread.ofVirtual().start(() -> lastGuest(hidden)).join(PATIENCE);
        Files.delete(hidden);
      }
    } catch (NoSuchFileException e) {
      // Somebody has removed it, so nobody can come any more.
    } catch (IOException e) {
      JETTY.log(Level.WARNING, "the socket was taken away", e);
    }
  }

  /**
   * Connections are taken in their order, so once the last one is answered the server knows all of
   * them, and stopping it closes them; one that it has only just taken would hang for ever.
   */
  private static void lastGuest(Path hidden) {
    try (var wire = HttpWire.connect(hidden)) {
      wire.ask("GET", "/", "", new byte[] {});
    } catch (IOException e) {
      JETTY.log(Level.WARNING, "the HTTP server does not answer at its end", e);
    }
  }
}
