package gflow;

import java.time.LocalDateTime;
import java.time.ZoneId;
import java.time.temporal.ChronoUnit;
import java.util.logging.ConsoleHandler;
import java.util.logging.Formatter;
import java.util.logging.Level;
import java.util.logging.LogManager;
import java.util.logging.LogRecord;
import java.util.logging.Logger;

/** The daemon's own log: one line an event on stderr, where systemd or {@code up} keeps it. */
final class Logs {
  private Logs() {}

  static void toStderr() {
    LogManager.getLogManager().reset();
    var handler = new ConsoleHandler();
    handler.setFormatter(new OneLine());
    handler.setLevel(Level.INFO);
    Logger.getLogger("").addHandler(handler);
  }

  private static final class OneLine extends Formatter {
    @Override
    public String format(LogRecord record) {
      var time =
          LocalDateTime.ofInstant(record.getInstant(), ZoneId.systemDefault())
              .truncatedTo(ChronoUnit.MILLIS);
      var line = new StringBuilder();
      line.append(time).append(' ').append(record.getLevel().getName().toLowerCase());
      line.append(' ').append(record.getLoggerName()).append(": ").append(formatMessage(record));
      for (Throwable t = record.getThrown(); t != null; t = t.getCause()) {
        line.append("\n  ").append(t);
        for (StackTraceElement at : t.getStackTrace()) {
          line.append("\n    at ").append(at);
        }
      }
      return line.append('\n').toString();
    }
  }
}
