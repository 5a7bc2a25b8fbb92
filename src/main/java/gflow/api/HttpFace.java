package gflow.api;

import gflow.api.ApiReply.Problem;
import gflow.job.Owner;
import gflow.script.value.BadInput;
import java.io.IOException;
import java.io.InputStream;
import java.lang.System.Logger.Level;
import java.nio.channels.SocketChannel;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.TreeMap;
import java.util.concurrent.Phaser;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Function;
import org.eclipse.jetty.io.Content;
import org.eclipse.jetty.server.Handler;
import org.eclipse.jetty.server.Request;
import org.eclipse.jetty.server.Response;
import org.eclipse.jetty.util.Callback;
import org.jspecify.annotations.Nullable;

/** Between Jetty and the routes: who asks, what, and the body within bounds. */
final class HttpFace extends Handler.Abstract {
  interface Door {
    Peers open() throws IOException;
  }

  private static final System.Logger LOG = System.getLogger("gflow.api");
  private static final String PEER = "gflow.peer";

  private final Function<Owner, Routes> routes;
  private final Authority authority;
  private final ClientLimits limits;
  private final ReplyWriter replies;
  private final Door door;
  private final ContainedBugs bugs;
  private final BodyRoom room = BodyRoom.ofThisProcess();
  private final Semaphore largeBodies = new Semaphore(1, true);
  private final Phaser running = new Phaser(1);
  private @Nullable Peers peers;

  HttpFace(
      Function<Owner, Routes> routes,
      Authority authority,
      ClientLimits limits,
      ReplyWriter replies,
      Door door,
      ContainedBugs bugs) {
    this.routes = routes;
    this.authority = authority;
    this.limits = limits;
    this.replies = replies;
    this.door = door;
    this.bugs = bugs;
  }

  /** Returns when no request is being answered, or time is up; for once, at the end. */
  void awaitQuiet(Duration patience) {
    try {
      running.awaitAdvanceInterruptibly(
          running.arriveAndDeregister(), patience.toMillis(), TimeUnit.MILLISECONDS);
    } catch (TimeoutException e) {
      LOG.log(Level.WARNING, "requests are cut off at the end");
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  @Override
  public boolean handle(Request request, Response response, Callback callback) {
    running.register();
    Request.addCompletionListener(request, failure -> running.arriveAndDeregister());
    try {
      answer(request, response);
      callback.succeeded();
    } catch (IOException e) {
      callback.failed(e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      callback.failed(e);
    }
    return true;
  }

  private void answer(Request request, Response response) throws IOException, InterruptedException {
    try (var body = body(request)) {
      Owner caller = caller(request);
      Optional<String> refusal = authority.refusal(caller);
      if (refusal.isPresent()) {
        throw new Problem(403, refusal.get());
      }
      replies.write(response, routes.apply(caller).answer(call(request, body)));
    } catch (BadInput e) {
      ReplyWriter.problem(response, 400, e.line());
    } catch (Problem e) {
      ReplyWriter.problem(response, e.status(), e.line());
    } catch (RejectedExecutionException | GoingDown e) {
      ReplyWriter.problem(response, 503, "gflowd is going down");
    } catch (RuntimeException | StackOverflowError e) {
      String what = request.getMethod() + " " + Request.getPathInContext(request);
      ReplyWriter.problem(response, 500, bugs.contain(what, e));
    }
  }

  /** The kernel is asked once for each connection. */
  private Owner caller(Request request) throws IOException {
    var connection = request.getConnectionMetaData();
    if (connection.getAttribute(PEER) instanceof Owner known) {
      return known;
    }
    var endPoint = connection.getConnection().getEndPoint();
    Owner caller = peers().of((SocketChannel) endPoint.getTransport());
    connection.setAttribute(PEER, caller);
    return caller;
  }

  /** Asked for once the socket is there, and before it is hidden again. */
  synchronized Peers peers() throws IOException {
    if (peers == null) {
      peers = door.open();
    }
    return peers;
  }

  private JsonBody body(Request request) {
    InputStream in = Content.Source.asInputStream(request);
    return new JsonBody(in, request.getLength(), limits, largeBodies, room.new Share());
  }

  private static HttpCall call(Request request, JsonBody body) throws BadInput {
    var path = new ArrayList<>(List.of(Request.getPathInContext(request).split("/", -1)));
    path.removeFirst();
    var key = Optional.ofNullable(request.getHeaders().get("Idempotency-Key"));
    return new HttpCall(request.getMethod(), path, query(request), key, body);
  }

  private static QueryFields query(Request request) throws BadInput {
    var parameters = new TreeMap<String, List<String>>();
    try {
      for (var field : Request.extractQueryParameters(request)) {
        parameters.put(field.getName(), field.getValues());
      }
    } catch (RuntimeException e) {
      throw new BadInput("the query is not well encoded: " + request.getHttpURI().getQuery());
    }
    return new QueryFields(parameters);
  }
}
