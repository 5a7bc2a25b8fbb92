package gflow.local;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Set;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class OrderedWorkTest {
  private final OrderedWork work = new OrderedWork("test-");
  private final List<Integer> done = new CopyOnWriteArrayList<>();
  private final CountDownLatch free = new CountDownLatch(1);

  @AfterEach
  void end() {
    free.countDown();
    work.close();
  }

  private void waitUntilFree() {
    try {
      free.await(30, TimeUnit.SECONDS);
    } catch (InterruptedException e) {
      throw new IllegalStateException(e);
    }
  }

  @Test
  void what_concerns_one_thing_is_done_in_the_order_in_which_it_came() {
    work.add(Set.of("attempt"), this::waitUntilFree);
    IntStream.range(0, 1000).forEach(i -> work.add(Set.of("attempt"), () -> done.add(i)));
    free.countDown();
    work.await();

    assertThat(done).isEqualTo(IntStream.range(0, 1000).boxed().toList());
  }

  @Test
  void what_concerns_two_things_waits_for_both() {
    work.add(Set.of("gpu"), this::waitUntilFree);
    work.add(Set.of("attempt", "gpu"), () -> done.add(1));
    work.add(Set.of("attempt"), () -> done.add(2));
    free.countDown();
    work.await();

    assertThat(done).containsExactly(1, 2);
  }

  @Test
  void others_do_not_wait() throws Exception {
    var other = new CountDownLatch(1);
    work.add(Set.of("one"), this::waitUntilFree);
    work.add(Set.of("two"), other::countDown);

    assertThat(other.await(30, TimeUnit.SECONDS)).isTrue();
  }

  @Test
  void after_a_bug_the_next_is_done_all_the_same() {
    work.add(
        Set.of("attempt"),
        () -> {
          throw new StackOverflowError("a bug");
        });
    work.add(Set.of("attempt"), () -> done.add(1));
    work.await();

    assertThat(done).containsExactly(1);
  }
}
