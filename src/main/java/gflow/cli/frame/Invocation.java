package gflow.cli.frame;

import gflow.job.Owner;
import gflow.script.order.Order.Origin;
import java.io.IOException;
import java.io.InputStream;
import java.time.Instant;
import java.time.InstantSource;
import java.time.ZoneId;
import java.util.List;
import java.util.Optional;

/**
 * A call of a command as the kernel tells it: its name and arguments, who called from where, with
 * which environment, on what terminal.
 */
public record Invocation(
    String command,
    List<String> arguments,
    Origin origin,
    Terminal terminal,
    Input input,
    Clock clock,
    Optional<String> key) {

  /** {@code columns} is 0 if stdout is no terminal; then nothing is coloured or animated. */
  public record Terminal(int columns, boolean stderrIsTerminal) {
    public static final Terminal NONE = new Terminal(0, false);
  }

  /** The caller's standard input; opened only by who needs it. */
  public interface Input {
    InputStream open() throws IOException;

    /** A FIFO that the caller keeps open: an allocation is his for as long as he does. */
    default Optional<String> hold() {
      return Optional.empty();
    }

    /** A script is not read from a terminal. */
    default boolean isTerminal() {
      return false;
    }
  }

  /** Time and zone, so that golden tests can stop it. */
  public record Clock(InstantSource source, ZoneId zone) {
    public Instant now() {
      return source.instant();
    }
  }

  /** The same call with other variables. */
  public Invocation with(byte[] environment) {
    var other =
        new Origin(origin.owner(), origin.folder(), environment, origin.umask(), origin.ulimits());
    return new Invocation(command, arguments, other, terminal, input, clock, key);
  }

  public Owner caller() {
    return origin.owner();
  }
}
