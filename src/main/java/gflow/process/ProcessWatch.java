package gflow.process;

import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Queue;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Consumer;
import java.util.function.Predicate;

/**
 * Hears of the end of processes, our own children or not, and of what comes from descriptors, by
 * one thread that sleeps in the kernel. Our children are reaped here. The callbacks run on that
 * thread and must be quick.
 */
public final class ProcessWatch implements AutoCloseable {
  private static final long BELL = 0;
  private static final int POLL_MILLIS = 20;
  private static final long SELF = ProcessHandle.current().pid();

  /** Descriptors that others shall have, who cannot do without. */
  private static final int LEFT_FREE = 16;

  private final int highest = highest();
  private final Epoll epoll = new Epoll();
  private final int bell = Epoll.bell();
  private final AtomicLong numbers = new AtomicLong(BELL);
  private final Map<Long, Watched> watched = new ConcurrentHashMap<>();
  private final Map<Long, Source> sources = new ConcurrentHashMap<>();
  private final Queue<Watched> polled = new ConcurrentLinkedQueue<>();
  private final List<Runnable> ended = new ArrayList<>();
  private final Thread thread;
  private volatile boolean closed;

  /**
   * One process. A child of ours can be reaped by nobody else, so its pid is safe until we do; of
   * another it is safe with its {@code id}, which is empty if it is gone. Without a descriptor
   * (kernels before 5.3) it is looked at every few milliseconds.
   */
  private record Watched(
      boolean ours, Optional<ProcessId> id, long pid, int pidfd, Consumer<ProcessEnd> whenEnded) {
    boolean there() {
      return ours || id.isPresent();
    }

    /** Of a child, {@code wait4} knows. */
    boolean ended() {
      return ours || id.isEmpty() || !id.get().alive();
    }
  }

  /** Where bytes come from; who hears of them says whether he wants more. */
  private record Source(Descriptor from, Predicate<byte[]> whenRead) {}

  public ProcessWatch() {
    epoll.add(bell, BELL);
    thread = Thread.ofPlatform().name("process-watch").daemon().start(this::run);
  }

  /** Watches a child that this process started, and that nobody has waited for. */
  public void child(long pid, Consumer<ProcessEnd> whenEnded) {
    add(new Watched(true, Optional.empty(), pid, Libc.pidfdOpen(pid), whenEnded));
  }

  /**
   * The end of a child that nobody watches, by a thread that has nothing else to do until then: the
   * kernel wakes it and no other.
   */
  public static ProcessEnd await(long pid) {
    var waited = Libc.wait4(pid, 0);
    while (waited.result() <= 0 && waited.result() != -Libc.ECHILD) {
      Pause.millis(1);
      waited = Libc.wait4(pid, 0);
    }
    return end(pid, waited);
  }

  /** Watches this process; if its pid has another owner by now, it has ended. */
  public void watch(ProcessId process, Consumer<ProcessEnd> whenEnded) {
    int pidfd = Libc.pidfdOpen(process.pid());
    try {
      var stat = Proc.stat(process.pid()).filter(now -> now.id().equals(process));
      boolean ours = stat.filter(now -> now.parent() == SELF).isPresent();
      add(new Watched(ours, stat.map(Proc.Stat::id), process.pid(), pidfd, whenEnded));
    } catch (UncheckedIOException e) {
      // Nobody can look at it now; it is one of those that are looked at again and again.
      var unseen = new Watched(false, Optional.of(process), process.pid(), pidfd, whenEnded);
      poll(unseen);
    }
  }

  /**
   * Tells what comes from there: at its end no bytes, and nothing after that, nor after an answer
   * of false. The descriptor is the caller's to close, then or later.
   */
  public void read(Descriptor from, Predicate<byte[]> whenRead) {
    long number = numbers.incrementAndGet();
    sources.put(number, new Source(from, whenRead));
    epoll.add(from.fd(), number);
  }

  /** What the kernel cannot tell us of, because no descriptor is left or it is too old, we ask. */
  private void add(Watched one) {
    if (one.pidfd() >= 0 && one.pidfd() <= highest && one.there()) {
      long number = numbers.incrementAndGet();
      watched.put(number, one);
      if (epoll.tryAdd(one.pidfd(), number)) {
        return;
      }
      watched.remove(number);
    }
    poll(one);
  }

  private static int highest() {
    long most = Proc.softLimit(SELF, "Max open files").orElse(Long.MAX_VALUE);
    return (int) Math.min(Integer.MAX_VALUE, most - LEFT_FREE);
  }

  private void poll(Watched one) {
    if (one.pidfd() >= 0) {
      Libc.close(one.pidfd());
    }
    polled.add(one);
    Epoll.ring(bell);
  }

  private void run() {
    while (!closed) {
      for (long number : epoll.await(polled.isEmpty() ? -1 : POLL_MILLIS)) {
        if (number == BELL) {
          Epoll.hush(bell);
        } else if (sources.containsKey(number)) {
          readFrom(number, sources.get(number));
        } else {
          end(number);
        }
      }
      polled.removeIf(this::isOver);
      // All that ended together are reaped first: whoever looks what they left looks once.
      ended.forEach(Runnable::run);
      ended.clear();
    }
  }

  private boolean isOver(Watched one) {
    try {
      return one.ended() && reap(one);
    } catch (UncheckedIOException e) {
      // It cannot be looked at now.
      return false;
    }
  }

  private void readFrom(long number, Source source) {
    var bytes = new byte[1 << 13];
    int count = Libc.read(source.from().fd(), bytes);
    if (count == -Libc.EAGAIN) {
      return;
    }
    byte[] got = Arrays.copyOf(bytes, Math.max(0, count));
    // Taken off before it can be closed, and its number be another's.
    epoll.remove(source.from().fd());
    if (wantsMore(source, got) && got.length > 0) {
      epoll.add(source.from().fd(), number);
    } else {
      sources.remove(number);
    }
  }

  private boolean wantsMore(Source source, byte[] got) {
    try {
      return source.whenRead().test(got);
    } catch (RuntimeException e) {
      thread.getUncaughtExceptionHandler().uncaughtException(thread, e);
      return false;
    }
  }

  private void end(long number) {
    var one = watched.get(number);
    if (one != null && reap(one)) {
      watched.remove(number);
      epoll.remove(one.pidfd());
      Libc.close(one.pidfd());
    }
  }

  /** False if our child is not quite a zombie yet; we are woken again. */
  private boolean reap(Watched one) {
    if (!one.ours()) {
      ended.add(() -> tell(one, ProcessEnd.unknown(one.pid())));
      return true;
    }
    var waited = Libc.wait4(one.pid());
    if (waited.result() <= 0 && waited.result() != -Libc.ECHILD) {
      return false;
    }
    var end = end(one.pid(), waited);
    ended.add(() -> tell(one, end));
    return true;
  }

  private static ProcessEnd end(long pid, Libc.Waited waited) {
    if (waited.result() <= 0) {
      return ProcessEnd.unknown(pid);
    }
    Children.reaped(pid);
    return ProcessEnd.of(pid, waited);
  }

  /** A callback that fails is reported, and the others are still told. */
  private void tell(Watched one, ProcessEnd ended) {
    try {
      one.whenEnded().accept(ended);
    } catch (RuntimeException e) {
      thread.getUncaughtExceptionHandler().uncaughtException(thread, e);
    }
  }

  @Override
  public void close() {
    closed = true;
    Epoll.ring(bell);
    try {
      thread.join();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return;
    }
    watched.values().forEach(one -> Libc.close(one.pidfd()));
    epoll.close();
    Libc.close(bell);
  }
}
