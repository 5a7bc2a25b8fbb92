package gflow.api;

import gflow.api.ApiReply.Problem;
import gflow.script.value.BadInput;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** A request as the routes see it: the path by its parts, the body not yet read. */
record ApiRequest(String method, List<String> path, Query query, Optional<String> key, Body body) {
  interface Body {
    @Nullable Object read() throws Problem, BadInput;
  }

  void only(String allowed) throws Problem {
    if (!method.equals(allowed)) {
      String line = "/" + String.join("/", path) + " takes " + allowed + ", not " + method;
      throw new Problem(405, line);
    }
  }
}
