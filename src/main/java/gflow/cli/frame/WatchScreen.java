package gflow.cli.frame;

import gflow.api.Answer;
import gflow.api.ApiRequest.Changes;
import gflow.api.ChangesView;
import gflow.api.GoingDown;
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
  private static final Duration PATIENCE = Duration.ofSeconds(15);
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
        throw new Refused("the daemon is gone", Answer.Kind.NO_DAEMON.exitCode());
      }
      return 0;
    } finally {
      ended.set(true);
      listener.interrupt();
    }
  }

  private void listen() {
    Changes next = Changes.NOW;
    try {
      while (!ended.get()) {
        next = hear(next, call.gflow().ask(next));
      }
    } catch (GoingDown e) {
      ended.set(true);
      changed.release();
    }
  }

  /**
   * Returns what to ask next. Changes that are not kept, as after a clock was set, are news too.
   */
  private Changes hear(Changes asked, Answer<ChangesView> answer) {
    if (answer instanceof Answer.Ok<ChangesView>(var changes)) {
      changed.release(isNews(changes) ? 1 : 0);
      return Changes.after(changes, PATIENCE);
    }
    boolean lost = answer instanceof Answer.No<?> no && no.kind() == Answer.Kind.GONE;
    ended.set(!lost || asked.equals(Changes.NOW));
    changed.release();
    return Changes.NOW;
  }

  /** While somebody follows, GPUs are looked at again and again, and that is no news of jobs. */
  static boolean isNews(ChangesView changes) {
    return changes.deltas().stream().anyMatch(delta -> !delta.kind().equals("machine"));
  }

  /** Waits for news or the next second; false if the command is to end. */
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
