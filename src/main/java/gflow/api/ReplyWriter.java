package gflow.api;

import gflow.api.ApiReply.Problem;
import gflow.json.Json;
import gflow.json.RecordJson;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.ExecutorService;
import java.util.function.Consumer;
import java.util.function.Predicate;
import java.util.function.Supplier;
import org.eclipse.jetty.http.HttpField;
import org.eclipse.jetty.http.HttpHeader;
import org.eclipse.jetty.io.Content;
import org.eclipse.jetty.server.Response;
import org.jspecify.annotations.Nullable;

/** Turns replies into bytes, blocking on the virtual thread of the request. */
record ReplyWriter(Duration keepAlive, ExecutorService longCalls) {
  private static final HttpField NO_STORE = new HttpField(HttpHeader.CACHE_CONTROL, "no-store");

  void write(Response response, ApiReply reply) throws IOException, InterruptedException {
    switch (reply) {
      case ApiReply.Tree(var status, var tree) -> {
        response.setStatus(status);
        response.getHeaders().put(JsonErrors.TYPE);
        last(response, tree);
      }
      case ApiReply.Content(var file) -> content(response, file);
      case ApiReply.Later<?> later -> later(response, later);
      case ApiReply.Events(var call) -> {
        try (var events = new LongCall<>(longCalls, call)) {
          events(response, events);
        }
      }
    }
  }

  private static <T> Consumer<Predicate<T>> once(Supplier<T> call) {
    return receiver -> {
      if (!receiver.test(call.get())) {
        throw new IllegalStateException("the first value has room");
      }
    };
  }

  private <A> void later(Response response, ApiReply.Later<A> later)
      throws IOException, InterruptedException {
    response.getHeaders().put(JsonErrors.TYPE);
    try (var call = new LongCall<>(longCalls, once(later.call()))) {
      var answer = call.next(keepAlive);
      while (answer == null && !call.over()) {
        send(response, "\n");
        answer = call.next(keepAlive);
      }
      switch (answer) {
        case null -> problem(response, 503, "gflowd is going down");
        case Answer.Ok<A>(var value) -> last(response, later.form().write(value));
        case Answer.No<A> no -> problem(response, Problem.of(no).status(), no.line());
      }
    }
  }

  private void events(Response response, LongCall<ApiReply.Event> events)
      throws IOException, InterruptedException {
    response.getHeaders().put(HttpHeader.CONTENT_TYPE, "text/event-stream");
    response.getHeaders().put(NO_STORE);
    send(response, ": the events of gflow\n\n");
    while (!events.over()) {
      ApiReply.Event event = events.next(keepAlive);
      if (event != null) {
        send(response, text(event));
      } else if (!events.over()) {
        send(response, ": still here\n\n");
      }
    }
    Content.Sink.write(response, true, ByteBuffer.allocate(0));
  }

  private static String text(ApiReply.Event event) {
    String data = RecordJson.write(event.data());
    return "event: " + event.kind() + "\nid: " + event.id() + "\ndata: " + data + "\n\n";
  }

  private static void content(Response response, Path file) throws IOException {
    try (InputStream in = Files.newInputStream(file)) {
      response.getHeaders().put(HttpHeader.CONTENT_TYPE, "text/plain; charset=utf-8");
      byte[] part = in.readNBytes(64 << 10);
      while (part.length > 0) {
        Content.Sink.write(response, false, ByteBuffer.wrap(part));
        part = in.readNBytes(64 << 10);
      }
      Content.Sink.write(response, true, ByteBuffer.allocate(0));
    }
  }

  static void problem(Response response, int status, String line) throws IOException {
    if (!response.isCommitted()) {
      response.setStatus(status);
      response.getHeaders().put(JsonErrors.TYPE);
      if (status == 413 || status == 403 || status == 408 || status == 503) {
        // What is still to come of the request is not worth reading.
        response.getHeaders().put(HttpHeader.CONNECTION, "close");
      }
    }
    Content.Sink.write(response, true, JsonErrors.bytes(line));
  }

  private static void last(Response response, @Nullable Object tree) throws IOException {
    var parts = new Parts(response);
    try {
      Json.write(tree, parts);
    } catch (UncheckedIOException e) {
      throw e.getCause();
    }
    parts.end();
  }

  /** Sends each part when the next one is there; the last, often the only one, ends the reply. */
  private static final class Parts implements Consumer<String> {
    private final Response response;
    private String next = "";

    Parts(Response response) {
      this.response = response;
    }

    @Override
    public void accept(String part) {
      try {
        if (!next.isEmpty()) {
          send(response, next);
        }
        next = part;
      } catch (IOException e) {
        throw new UncheckedIOException(e);
      }
    }

    void end() throws IOException {
      byte[] bytes = next.getBytes(StandardCharsets.UTF_8);
      Content.Sink.write(response, true, ByteBuffer.wrap(bytes));
    }
  }

  private static void send(Response response, String text) throws IOException {
    byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
    Content.Sink.write(response, false, ByteBuffer.wrap(bytes));
  }
}
