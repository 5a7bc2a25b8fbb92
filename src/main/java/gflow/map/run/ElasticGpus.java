package gflow.map.run;

import gflow.api.Answer;
import gflow.api.ApiRequest.JobGpus;
import gflow.api.Gflow;
import gflow.api.GpusOrder;
import gflow.api.GpusView;
import gflow.api.GpusView.OneGpu;
import gflow.job.JobRef;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Consumer;

/**
 * Asks the daemon all the time which GPUs the job has: more of them come when nobody else waits,
 * and some are wanted back when somebody does. Without a daemon the GPUs stay as they are.
 */
final class ElasticGpus {
  private static final Duration PATIENCE = Duration.ofSeconds(15);
  private static final Duration AGAIN = Duration.ofMillis(500);

  private final Gflow gflow;
  private final JobRef job;
  private final Consumer<Runner.Event> runner;
  private final ConcurrentLinkedQueue<String> back = new ConcurrentLinkedQueue<>();
  private volatile boolean over;
  private volatile List<Integer> have = List.of();
  private volatile int callBack;
  private final CountDownLatch more = new CountDownLatch(2);

  ElasticGpus(Gflow gflow, JobRef job, Consumer<Runner.Event> runner) {
    this.gflow = gflow;
    this.job = job;
    this.runner = runner;
  }

  void start() {
    Thread.ofPlatform().daemon().name("gpus").start(this::ask);
  }

  /** Until there are others than it began with, or nothing will come of it; at most so long. */
  void awaitMore(Duration most) throws InterruptedException {
    more.await(most.toMillis(), TimeUnit.MILLISECONDS);
  }

  /** Nothing of the map is on it any more. */
  void giveBack(String gpu) {
    back.add(gpu);
    // The poll that waits does not know of it.
    Thread.ofVirtual().start(this::tell);
  }

  private void tell() {
    List<String> gpus = List.copyOf(back);
    if (gflow.ask(new JobGpus(job, new GpusOrder(have, callBack, gpus), Duration.ZERO))
        instanceof Answer.Ok<GpusView>) {
      back.removeAll(gpus);
    }
  }

  void end() {
    over = true;
  }

  private void ask() {
    while (!over) {
      List<String> given = List.copyOf(back);
      switch (gflow.ask(new JobGpus(job, new GpusOrder(have, callBack, given), PATIENCE))) {
        case Answer.Ok<GpusView>(GpusView view) -> {
          back.removeAll(given);
          take(view);
        }
        case Answer.No<GpusView>(Answer.Kind kind, String _) -> {
          if (kind != Answer.Kind.NO_DAEMON) {
            // The job is not elastic, or is over.
            more.countDown();
            more.countDown();
            return;
          }
          LockSupport.parkNanos(AGAIN.toNanos());
        }
      }
    }
  }

  private void take(GpusView view) {
    List<Integer> now = view.cards().stream().map(OneGpu::index).toList();
    if (now.equals(have) && view.callBack() == callBack) {
      return;
    }
    have = now;
    callBack = view.callBack();
    List<String> wanted =
        view.cards().stream().filter(OneGpu::wanted).map(c -> "" + c.index()).toList();
    List<String> gpus = now.stream().map(String::valueOf).toList();
    runner.accept(new Runner.Event.Gpus(gpus, wanted, callBack));
    more.countDown();
  }
}
