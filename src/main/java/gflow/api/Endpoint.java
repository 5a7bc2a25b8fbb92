package gflow.api;

import gflow.job.JobRef;
import gflow.script.order.Order.Origin;
import gflow.script.value.BadInput;
import gflow.script.value.JobRefs;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * How one request travels, for who sends it and for who reads it. What a GET says is in its query,
 * what others say in their body.
 */
record Endpoint<R extends ApiRequest<A>, A>(
    Route route, Class<R> type, Form<A> form, Reader<R> reader, Writer<R> writer) {
  private static final String NAME = "{}";

  /** {@code what} are words for the body; {@code flag} is a parameter that must be true. */
  record Route(String method, List<String> path, Optional<String> flag, String what) {
    boolean asks() {
      return method.equals("GET");
    }

    boolean fits(List<String> given) {
      boolean fits = given.size() == path.size();
      for (int i = 0; fits && i < path.size(); i++) {
        fits = path.get(i).equals(NAME) || path.get(i).equals(given.get(i));
      }
      return fits;
    }

    /** What stands in the path where names do. */
    List<String> names(List<String> given) {
      var names = new ArrayList<String>();
      for (int i = 0; i < path.size(); i++) {
        if (path.get(i).equals(NAME)) {
          names.add(given.get(i));
        }
      }
      return names;
    }

    String target(List<String> names) {
      var target = new StringBuilder();
      var next = names.iterator();
      path.forEach(part -> target.append('/').append(part.equals(NAME) ? next.next() : part));
      return target + flag.map(name -> "?" + name + "=true").orElse("");
    }
  }

  /** What a request has beside its fields. */
  record Address(List<String> names, Optional<String> key, Origin origin) {
    JobRef job() throws BadInput {
      return JobRefs.one(names.getFirst());
    }

    List<JobRef> jobs() throws BadInput {
      return List.of(job());
    }
  }

  interface Reader<R> {
    R read(Address to, JsonFields fields) throws BadInput;
  }

  interface Writer<R> {
    @Nullable Object tree(R request);
  }

  /** In the target {@code {}} is a name, and what follows a question mark is a flag. */
  static Target of(String method, String target, String what) {
    String[] parts = target.split("\\?", 2);
    Optional<String> flag = parts.length > 1 ? Optional.of(parts[1]) : Optional.empty();
    List<String> path = List.of(parts[0].substring(1).split("/", -1));
    return new Target(new Route(method, path, flag, what));
  }

  /** An endpoint of which is only known where it is. */
  record Target(Route route) {
    <R extends ApiRequest<A>, A> Endpoint<R, A> to(Class<R> type, Form<A> form, Reader<R> reader) {
      return new Endpoint<>(route, type, form, reader, request -> Map.of());
    }
  }

  Endpoint<R, A> sends(Writer<R> writer) {
    return new Endpoint<>(route, type, form, reader, writer);
  }
}
