package gflow.api;

import gflow.api.Answer.No;
import gflow.api.Answer.Ok;
import gflow.api.ApiReply.Problem;
import gflow.api.ApiRequest.Changes;
import gflow.api.ApiRequest.Show;
import gflow.api.Endpoint.Address;
import gflow.api.Endpoint.Route;
import gflow.api.Gflow.LogPlace;
import gflow.job.JobRef;
import gflow.script.order.Order.Origin;
import gflow.script.value.BadInput;
import gflow.script.value.JobRefs;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.function.Predicate;
import java.util.stream.Collectors;

/** Finds the endpoint that a call is for, and asks the service what it says. */
record Routes(Gflow service, Origin defaults) {
  private static final Duration PATIENCE = Duration.ofSeconds(15);

  ApiReply answer(HttpCall call) throws Problem, BadInput {
    if (call.path().equals(List.of("v1", "events"))) {
      return events(call);
    }
    List<Endpoint<?, ?>> here =
        Endpoints.ALL.stream().filter(e -> e.route().fits(call.path())).toList();
    if (here.isEmpty()) {
      throw new Problem(404, "there is no " + call.target() + " (docs/api.md)");
    }
    List<Endpoint<?, ?>> meant =
        here.stream().filter(e -> e.route().method().equals(call.method())).toList();
    if (meant.isEmpty()) {
      throw wrongMethod(call, here);
    }
    return answer(call, flagged(call, meant));
  }

  private static Problem wrongMethod(HttpCall call, List<Endpoint<?, ?>> here) {
    String methods =
        here.stream()
            .map(e -> e.route().method())
            .distinct()
            .sorted()
            .collect(Collectors.joining(" or "));
    return new Problem(405, call.target() + " takes " + methods + ", not " + call.method());
  }

  /** The one whose flag is set, or the one without. */
  private static Endpoint<?, ?> flagged(HttpCall call, List<Endpoint<?, ?>> meant) throws BadInput {
    Endpoint<?, ?> found = meant.getFirst();
    for (Endpoint<?, ?> endpoint : meant) {
      Optional<String> flag = endpoint.route().flag();
      if (flag.isPresent() && call.query().flag(flag.get())) {
        found = endpoint;
      }
    }
    return found;
  }

  /** Each change after a number, for ever; if that number is not kept, it is said at once. */
  private ApiReply events(HttpCall call) throws Problem, BadInput {
    if (!call.method().equals("GET")) {
      throw new Problem(405, call.target() + " takes GET, not " + call.method());
    }
    var address = new Address(List.of(), Optional.empty(), defaults);
    Changes from = RequestFields.changes(address, call.query());
    call.query().end();
    return switch (service.ask(from)) {
      case Ok<ChangesView>(var first) -> new ApiReply.Events(receiver -> follow(first, receiver));
      case No<ChangesView> no -> throw Problem.of(no);
    };
  }

  private void follow(ChangesView first, Predicate<ApiReply.Event> receiver) {
    ChangesView changes = first;
    while (tells(changes, receiver)
        && service.ask(Changes.after(changes, PATIENCE)) instanceof Ok<ChangesView>(var next)) {
      changes = next;
    }
  }

  private static boolean tells(ChangesView changes, Predicate<ApiReply.Event> receiver) {
    return changes.deltas().stream()
        .allMatch(d -> receiver.test(new ApiReply.Event(d.kind(), d.number(), d)));
  }

  private <R extends ApiRequest<A>, A> ApiReply answer(HttpCall call, Endpoint<R, A> endpoint)
      throws Problem, BadInput {
    Route route = endpoint.route();
    R request = read(call, endpoint);
    if (request instanceof ApiRequest.Wait(JobRef job)) {
      // Asked first, so that a wrong number is a 404 and not a 200 with an error in it.
      ask(call, route, new ApiRequest.Show(job));
      return new ApiReply.Later<>(endpoint.form(), () -> service.ask(request));
    }
    A value = ask(call, route, request);
    if (value instanceof LogPlace place && route.flag().isPresent()) {
      return file(call.path().get(2), place);
    }
    boolean made = request instanceof ApiRequest.Submit || request instanceof ApiRequest.Redo;
    return new ApiReply.Tree(made ? 201 : 200, endpoint.form().write(value));
  }

  private <R extends ApiRequest<A>, A> R read(HttpCall call, Endpoint<R, A> endpoint)
      throws Problem, BadInput {
    Route route = endpoint.route();
    var address = new Address(route.names(call.path()), call.key(), defaults);
    JsonFields fields = call.query();
    if (!call.method().equals("GET")) {
      call.query().end();
      fields = JsonFields.of(call.body().read(), route.what());
    }
    R request = endpoint.reader().read(address, fields);
    fields.end();
    return request;
  }

  private <A> A ask(HttpCall call, Route route, ApiRequest<A> request) throws Problem, BadInput {
    return switch (service.ask(request)) {
      case Ok<A>(var value) -> value;
      case No<A> no when isOfNoJob(route.names(call.path()), no) ->
          throw new Problem(404, no.line());
      case No<A> no -> throw Problem.of(no);
    };
  }

  /** A refusal is a 404 if there is no job as the path says, and a 409 if there is one. */
  private boolean isOfNoJob(List<String> names, No<?> no) throws BadInput {
    return no.kind() == Answer.Kind.REFUSED
        && names.size() == 1
        && service.ask(new Show(JobRefs.one(names.getFirst()))) instanceof No;
  }

  private static ApiReply file(String job, LogPlace place) throws Problem {
    Path file = Path.of(place.path());
    if (Files.notExists(file)) {
      throw new Problem(404, "job " + job + " has no log: " + file + " does not exist");
    }
    // Opening a FIFO would block for ever, and /dev/zero does not end.
    if (!Files.isRegularFile(file)) {
      throw new Problem(409, "the output of job " + job + " is no regular file: " + file);
    }
    return new ApiReply.Content(file);
  }
}
