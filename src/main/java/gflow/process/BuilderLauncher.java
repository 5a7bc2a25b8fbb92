package gflow.process;

import java.io.File;
import java.io.IOException;
import java.lang.ProcessBuilder.Redirect;
import java.nio.charset.Charset;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Starts processes through {@code setsid}, for a C library that {@link NativeLauncher} cannot use.
 * Java reaps these children itself, so {@link ProcessWatch} tells only that they ended; bytes that
 * the JVM's encoding cannot hold are lost, and open descriptors cannot be passed on.
 */
final class BuilderLauncher implements Launcher {
  private static final Charset NATIVE =
      Charset.forName(System.getProperty("sun.jnu.encoding", "UTF-8"));

  /** How Java says what the kernel said. */
  private static final Pattern ERRNO = Pattern.compile("error=(\\d{1,4})");

  @Override
  public String name() {
    return "builder";
  }

  @Override
  public boolean inherits() {
    return false;
  }

  @Override
  public long spawn(Spawn spawn, Optional<ProcessMark> mark) throws SpawnException {
    if (!spawn.inherit().isEmpty()) {
      throw new SpawnException("the launcher 'builder' cannot pass open files on", 0);
    }
    var argv = new ArrayList<>(List.of("setsid"));
    argv.addAll(spawn.argv());
    var builder = new ProcessBuilder(argv).directory(new File(spawn.folder()));
    environment(builder, spawn);
    builder.redirectInput(read(spawn.stdin()));
    builder.redirectOutput(write(spawn.stdout()));
    if (spawn.stderr() instanceof Stdio.SameAsStdout) {
      builder.redirectErrorStream(true);
    } else {
      builder.redirectError(write(spawn.stderr()));
    }
    long pid = Children.start(mark, () -> start(builder, spawn));
    ProcessHandle.of(pid)
        .ifPresentOrElse(
            child -> {
              var _ = child.onExit().thenRun(() -> Children.reaped(pid));
            },
            () -> Children.reaped(pid));
    return pid;
  }

  private static long start(ProcessBuilder builder, Spawn spawn) throws SpawnException {
    // setsid would say it only on the job's stderr.
    if (!new File(spawn.argv().getFirst()).canExecute()) {
      throw new SpawnException("cannot run " + spawn.argv().getFirst(), Libc.ENOENT);
    }
    try {
      return builder.start().pid();
    } catch (IOException e) {
      throw new SpawnException(String.valueOf(e.getMessage()), errno(e));
    }
  }

  private static int errno(IOException e) {
    Matcher said = ERRNO.matcher(String.valueOf(e.getMessage()));
    return said.find() ? Integer.parseInt(said.group(1)) : 0;
  }

  private static void environment(ProcessBuilder builder, Spawn spawn) {
    var map = builder.environment();
    map.clear();
    for (int start : spawn.entries()) {
      int end = start;
      while (end < spawn.environment().length && spawn.environment()[end] != 0) {
        end++;
      }
      var entry = new String(spawn.environment(), start, end - start, NATIVE);
      int equals = entry.indexOf('=', 1);
      if (equals > 0) {
        map.put(entry.substring(0, equals), entry.substring(equals + 1));
      }
    }
  }

  private static Redirect read(Stdio stdio) throws SpawnException {
    return switch (stdio) {
      case Stdio.Null() -> Redirect.from(new File("/dev/null"));
      case Stdio.Read(var path) -> Redirect.from(new File(path));
      case Stdio.Write _, Stdio.Own _, Stdio.Open _, Stdio.SameAsStdout _ -> throw unknown(stdio);
    };
  }

  private static Redirect write(Stdio stdio) throws SpawnException {
    return switch (stdio) {
      case Stdio.Null() -> Redirect.to(new File("/dev/null"));
      case Stdio.Write(var path, var append, _) ->
          append ? Redirect.appendTo(new File(path)) : Redirect.to(new File(path));
      case Stdio.Own(var path) -> Redirect.appendTo(new File(path));
      case Stdio.Read _, Stdio.Open _, Stdio.SameAsStdout _ -> throw unknown(stdio);
    };
  }

  private static SpawnException unknown(Stdio stdio) {
    return new SpawnException("the launcher 'builder' cannot use " + stdio, 0);
  }
}
