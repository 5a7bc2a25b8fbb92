package gflow.map.run;

import gflow.process.Descriptor;
import gflow.process.ProcessWatch;
import gflow.process.Signals;
import java.io.IOException;
import java.util.Optional;
import java.util.function.IntConsumer;

/** Hears the signals that the launcher blocked for us. */
public final class MapSignals implements AutoCloseable {
  public static final int INT = Signals.INT;
  public static final int TERM = Signals.TERM;
  public static final int HUP = Signals.HUP;

  private final ProcessWatch watch = new ProcessWatch();
  private final Optional<Descriptor> signals;

  /** Called on a thread of its own; must be quick. */
  public MapSignals(IntConsumer heard) throws IOException {
    signals = Signals.blocked();
    signals.ifPresent(
        from ->
            watch.read(
                from,
                bytes -> {
                  Signals.read(bytes).forEach(heard::accept);
                  return true;
                }));
  }

  @Override
  public void close() {
    watch.close();
    signals.ifPresent(Descriptor::close);
  }
}
