package gflow.api;

import gflow.api.ApiReply.Problem;
import gflow.script.value.BadInput;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** A request as it came over the wire: the path by its parts, the body not yet read. */
record HttpCall(
    String method, List<String> path, QueryFields query, Optional<String> key, Body body) {
  interface Body {
    @Nullable Object read() throws Problem, BadInput;
  }

  String target() {
    return "/" + String.join("/", path);
  }
}
