package gflow.daemon.service;

import static org.assertj.core.api.Assertions.assertThat;

import gflow.api.EventView;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.function.Predicate;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(60)
class EventsTest {
  private final Events events = new Events();
  private final List<Long> seen = new CopyOnWriteArrayList<>();

  private EventView event() {
    return new EventView(events.nextSequence(), "", "state", null, null, null, null, null);
  }

  private Thread follow(Predicate<EventView> receiver) throws InterruptedException {
    Thread thread = Thread.ofVirtual().start(() -> events.follow(receiver));
    while (!events.watched()) {
      Thread.onSpinWait();
    }
    return thread;
  }

  @Test
  void a_watcher_gets_events_in_order_until_it_has_enough() throws Exception {
    Thread watcher =
        follow(
            event -> {
              seen.add(event.sequence());
              return seen.size() < 2;
            });
    events.publish(event());
    events.publish(event());
    watcher.join();
    events.publish(event());

    assertThat(seen).containsExactly(1L, 2L);
    assertThat(events.watched()).isFalse();
  }

  @Test
  void an_interrupted_watcher_goes() throws Exception {
    Thread watcher = follow(_ -> true);
    watcher.interrupt();
    watcher.join();
    assertThat(events.watched()).isFalse();
  }

  @Test
  void the_end_of_the_daemon_ends_the_watching() throws Exception {
    Thread watcher = follow(event -> seen.add(event.sequence()));
    events.close();
    watcher.join();
    assertThat(seen).containsExactly(1L);
  }

  @Test
  void who_cannot_keep_up_loses_its_place() throws Exception {
    var stuck = new CountDownLatch(1);
    Thread watcher =
        follow(
            _ -> {
              try {
                stuck.await();
              } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
              }
              return true;
            });
    for (int i = 0; i < 10_002 && events.watched(); i++) {
      events.publish(event());
    }
    assertThat(events.watched()).isFalse();
    stuck.countDown();
    watcher.join();
  }
}
