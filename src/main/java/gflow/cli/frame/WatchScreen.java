package gflow.cli.frame;

import gflow.script.value.BadInput;
import java.time.Duration;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;

/**
 * Shows something again whenever the daemon reports a change: on a terminal over the last picture,
 * each second too because time passes; elsewhere below it, and only if it looks different. Many
 * changes at once make one picture.
 */
public final class WatchScreen {
  private static final Duration APART = Duration.ofMillis(100);
  private static final int TICK_SECONDS = 1;
  private static final String HOME_AND_CLEAR = "\u001b[H\u001b[J";

  private final Call call;
  private final Picture picture;
  private final Semaphore changed = new Semaphore(0);
  private final AtomicBoolean ended = new AtomicBoolean();
  private String shown = "";

  public interface Picture {
    String text() throws BadInput, Refused;
  }

  public WatchScreen(Call call, Picture picture) {
    this.call = call;
    this.picture = picture;
  }

  public int run() throws BadInput, Refused {
    boolean watched = show();
    Thread listener = Thread.startVirtualThread(this::listen);
    try {
      while (watched && !ended.get()) {
        watched = await();
      }
      if (watched) {
        show();
        throw new Refused("the daemon is gone", gflow.api.Answer.Kind.NO_DAEMON.exitCode());
      }
      return 0;
    } finally {
      ended.set(true);
      listener.interrupt();
    }
  }

  private void listen() {
    call.gflow()
        .events(
            event -> {
              changed.release();
              return !ended.get();
            });
    ended.set(true);
    changed.release();
  }

  /** Waits for news or the next second; false if the command shall end. */
  private boolean await() throws BadInput, Refused {
    try {
      boolean news = changed.tryAcquire(TICK_SECONDS, TimeUnit.SECONDS);
      changed.drainPermits();
      if (news && !ended.get()) {
        Thread.sleep(APART);
      }
      return (news || onTerminal()) ? show() : call.output().flush();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return false;
    }
  }

  private boolean onTerminal() {
    return call.invocation().terminal().columns() > 0;
  }

  private boolean show() throws BadInput, Refused {
    String text = picture.text();
    if (!text.equals(shown)) {
      call.output()
          .out(onTerminal() ? HOME_AND_CLEAR + text : (shown.isEmpty() ? "" : "\n") + text);
      shown = text;
    }
    return call.output().flush();
  }
}
