package gflow.api;

import static java.nio.charset.StandardCharsets.UTF_8;

import gflow.api.Answer.Kind;
import gflow.api.Answer.No;
import gflow.job.StepRef;
import gflow.json.BadJson;
import gflow.json.Json;
import java.io.IOException;
import java.net.URLEncoder;
import java.nio.file.AccessDeniedException;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.BooleanSupplier;
import java.util.function.Supplier;

/**
 * The service seen through the socket, for commands that run in a JVM of their own. {@code
 * comesBack} is asked when the daemon was lost over a request that may be repeated because it only
 * asks, or does the same twice; {@code started} over one with a key, as a submission. True = there
 * is one again.
 */
public record HttpGflow(Path socket, BooleanSupplier comesBack, BooleanSupplier started)
    implements Gflow {
  private static final byte[] NOTHING = {};

  /** A daemon that ends each time is not asked for ever. */
  private static final int TRIES = 25;

  public HttpGflow(Path socket) {
    this(socket, () -> false, () -> false);
  }

  @Override
  public <A> Answer<A> ask(ApiRequest<A> request) {
    Optional<String> key = request.key();
    if (key.isPresent() && !fitsInLine(key.get())) {
      return new No<>(Kind.USAGE, "a key is printable ASCII, at most 200 characters");
    }
    var endpoint = Endpoints.of(request);
    Object tree = endpoint.writer().tree(request);
    boolean asks = endpoint.route().asks();
    String target = endpoint.route().target(names(request)) + (asks ? query((Map<?, ?>) tree) : "");
    byte[] body = asks ? NOTHING : Json.text(tree).getBytes(UTF_8);
    String headers = key.map(text -> "Idempotency-Key: " + text + "\r\n").orElse("");
    Supplier<Answer<A>> once =
        () -> once(wire -> wire.ask(endpoint.route().method(), target, headers, body), endpoint);
    if (key.isPresent()) {
      return again(started, once);
    }
    return repeats(request, asks) ? again(comesBack, once) : once.get();
  }

  /** Whether it does no harm, and makes sense, to ask again when the answer was lost. */
  private static boolean repeats(ApiRequest<?> request, boolean asks) {
    return switch (request) {
      // By this one sees whether there is a daemon; and numbers of changes end with its life.
      case ApiRequest.Status _, ApiRequest.Changes _ -> false;
      case ApiRequest.Jobs _, ApiRequest.Cancel _, ApiRequest.Hold _, ApiRequest.Release _ -> true;
      default -> asks;
    };
  }

  /** What stands in the path. */
  private static List<String> names(ApiRequest<?> request) {
    return switch (request) {
      case ApiRequest.OfJob<?> one -> List.of(one.job().toString());
      case ApiRequest.EndStep(StepRef step, _) ->
          List.of(step.job().toString(), Integer.toString(step.number()));
      default -> List.of();
    };
  }

  private static String query(Map<?, ?> fields) {
    var query = new StringBuilder();
    fields.forEach(
        (name, value) -> {
          if (value != null) {
            query.append(query.isEmpty() ? '?' : '&').append(name).append('=');
            query.append(URLEncoder.encode(value.toString(), UTF_8));
          }
        });
    return query.toString();
  }

  private static <T> Answer<T> again(BooleanSupplier there, Supplier<Answer<T>> request) {
    Answer<T> answer = request.get();
    for (int i = 1; i < TRIES && lost(answer); i++) {
      if (!there.getAsBoolean()) {
        return answer;
      }
      answer = request.get();
    }
    return answer;
  }

  private static boolean lost(Answer<?> answer) {
    return answer instanceof No<?> no && no.kind() == Kind.NO_DAEMON;
  }

  private interface Call {
    HttpWire.Response on(HttpWire wire) throws IOException;
  }

  private <A> Answer<A> once(Call call, Endpoint<?, A> endpoint) {
    try (var wire = HttpWire.connect(socket)) {
      return answer(wire, call, endpoint);
    } catch (AccessDeniedException e) {
      return Answer.refused("you may not open " + socket);
    } catch (IOException | RuntimeException e) {
      return noDaemon(e);
    }
  }

  private static boolean fitsInLine(String key) {
    boolean fits = !key.isEmpty() && key.length() <= 200;
    for (int i = 0; i < key.length(); i++) {
      fits &= key.charAt(i) > ' ' && key.charAt(i) < 127;
    }
    return fits;
  }

  /** No file and nobody behind the file are the same to the user; a locked door is not. */
  private <T> Answer<T> noDaemon(Exception e) {
    return String.valueOf(e.getMessage()).contains("denied")
        ? Answer.refused("you may not open " + socket)
        : new No<>(Kind.NO_DAEMON, "no gflowd is running (gflowd up starts one)");
  }

  private static <A> Answer<A> answer(HttpWire wire, Call call, Endpoint<?, A> endpoint) {
    try {
      var response = call.on(wire);
      Object tree = Json.parse(response.text());
      if (tree instanceof Map<?, ?> map && map.get("error") instanceof String line) {
        return new No<>(kind(response.status()), line);
      }
      return Answer.ok(endpoint.form().read(tree));
    } catch (IOException e) {
      return new No<>(Kind.NO_DAEMON, "gflowd went away before it answered");
    } catch (BadJson | RuntimeException e) {
      return Answer.refused(
          "gflowd answered what this version does not know (gflowd restart): " + e);
    }
  }

  private static Kind kind(int status) {
    return switch (status) {
      case 400 -> Kind.USAGE;
      case 403 -> Kind.FORBIDDEN;
      case 410 -> Kind.GONE;
      case 500 -> Kind.INTERNAL;
      case 503 -> Kind.NO_DAEMON;
      default -> Kind.REFUSED;
    };
  }
}
