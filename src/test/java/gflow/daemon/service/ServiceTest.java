package gflow.daemon.service;

import static org.assertj.core.api.Assertions.assertThat;

import gflow.api.Answer;
import gflow.api.ApiRequest;
import gflow.api.Authority;
import gflow.job.Owner;
import java.lang.reflect.Constructor;
import java.util.Arrays;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

class ServiceTest {
  static Stream<Class<?>> requests() {
    return records(ApiRequest.class);
  }

  private static Stream<Class<?>> records(Class<?> type) {
    return type.isRecord()
        ? Stream.of(type)
        : Arrays.stream(type.getPermittedSubclasses()).flatMap(ServiceTest::records);
  }

  /** The parts are not even there: nothing but the authority is asked. */
  @ParameterizedTest
  @MethodSource("requests")
  void every_request_is_judged_by_who_asks(Class<?> type) throws Exception {
    var authority = new Authority(new Owner(1000, 1000, "ann"));
    var service = new Service(new Owner(1001, 1001, "bob"), parts(authority));

    assertThat(service.ask(empty(type)))
        .isEqualTo(
            new Answer.No<>(
                Answer.Kind.FORBIDDEN, "this gflowd belongs to ann and serves nobody else"));
  }

  private static Service.Parts parts(Authority authority) {
    return new Service.Parts(
        authority, null, null, null, null, null, null, null, null, null, null, null);
  }

  private static ApiRequest<?> empty(Class<?> type) throws Exception {
    Constructor<?> constructor = type.getDeclaredConstructors()[0];
    Object[] nothing =
        Arrays.stream(constructor.getParameterTypes()).map(ServiceTest::nothing).toArray();
    return (ApiRequest<?>) constructor.newInstance(nothing);
  }

  private static @Nullable Object nothing(Class<?> type) {
    if (type == boolean.class) {
      return false;
    }
    if (type == long.class) {
      return 1L;
    }
    return type == int.class ? 1 : null;
  }
}
