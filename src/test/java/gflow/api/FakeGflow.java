package gflow.api;

import gflow.script.order.Order;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.function.Function;

/**
 * The one fake of the service: it remembers what it was asked, and each test says what it answers.
 * It is for answers that no daemon can be brought to give without running processes or breaking:
 * every field filled, a job that ends with a certain code, an allocation that waits, a log that
 * grows, a service that fails. All else is asked of a real one behind it ({@code
 * gflow.cli.LabMorning}).
 */
public final class FakeGflow implements Gflow {
  /** What was asked, in that order. */
  public final List<ApiRequest<?>> asked = Collections.synchronizedList(new ArrayList<>());

  /** What of that was refused. */
  public final List<ApiRequest<?>> refused = Collections.synchronizedList(new ArrayList<>());

  private final Function<ApiRequest<?>, Answer<?>> answers;

  public FakeGflow(Function<ApiRequest<?>, Answer<?>> answers) {
    this.answers = answers;
  }

  @Override
  @SuppressWarnings("unchecked") // Each request is answered with what it declares.
  public <A> Answer<A> ask(ApiRequest<A> request) {
    asked.add(request);
    var answer = (Answer<A>) answers.apply(request);
    if (answer instanceof Answer.No) {
      refused.add(request);
    }
    return answer;
  }

  /** What was asked of that kind. */
  public <T> List<T> asked(Class<T> kind) {
    return asked.stream().filter(kind::isInstance).map(kind::cast).toList();
  }

  /** What was asked for that is more than a question. */
  public List<ApiRequest<?>> changes() {
    return asked.stream().filter(request -> !isQuestion(request)).toList();
  }

  private static boolean isQuestion(ApiRequest<?> request) {
    return request instanceof ApiRequest.Jobs
        || request instanceof ApiRequest.Show
        || request instanceof ApiRequest.Steps
        || request instanceof ApiRequest.Plot
        || request instanceof ApiRequest.Log
        || request instanceof ApiRequest.Machine
        || request instanceof ApiRequest.Status;
  }

  /** All that was to be submitted. */
  public List<Order> orders() {
    return asked(ApiRequest.Submit.class).stream().flatMap(s -> s.orders().stream()).toList();
  }
}
