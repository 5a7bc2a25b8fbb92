package gflow.api;

import gflow.json.Json;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import org.eclipse.jetty.http.HttpField;
import org.eclipse.jetty.http.HttpHeader;
import org.eclipse.jetty.http.HttpStatus;
import org.eclipse.jetty.server.Request;
import org.eclipse.jetty.server.Response;
import org.eclipse.jetty.server.handler.ErrorHandler;
import org.eclipse.jetty.util.Callback;

/** What the server itself refuses (headers too large, no HTTP at all) in the form of all errors. */
final class JsonErrors implements Request.Handler {
  static final HttpField TYPE = new HttpField(HttpHeader.CONTENT_TYPE, "application/json");

  @Override
  public boolean handle(Request request, Response response, Callback callback) {
    int status = response.getStatus();
    Object message = request.getAttribute(ErrorHandler.ERROR_MESSAGE);
    String line = HttpStatus.getMessage(status) + (message == null ? "" : ": " + message);
    response.getHeaders().put(TYPE);
    response.write(true, bytes(line), callback);
    return true;
  }

  static ByteBuffer bytes(String line) {
    String text = Json.text(Map.of("error", line)) + "\n";
    return ByteBuffer.wrap(text.getBytes(StandardCharsets.UTF_8));
  }
}
