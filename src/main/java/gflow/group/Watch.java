package gflow.group;

import gflow.process.ListeningSockets;
import gflow.script.group.Condition;
import java.io.IOException;
import java.io.RandomAccessFile;
import java.net.HttpURLConnection;
import java.net.InetAddress;
import java.net.NetworkInterface;
import java.net.SocketException;
import java.net.URI;
import java.net.UnknownHostException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Pattern;

/** Looks whether what is waited for is there. */
interface Watch {
  /** Empty if it is there, otherwise what is not. */
  Optional<String> missing();

  static Watch of(Condition condition, Place place) {
    return switch (condition) {
      case Condition.Unix unix -> new Unix(unix, place);
      case Condition.Tcp tcp -> new Tcp(tcp, place);
      case Condition.Http http -> new Http(http);
      case Condition.FileThere file -> new FileThere(file, place);
      case Condition.LogLine line -> new LogLine(line, place.log().orElseThrow());
    };
  }

  /** The flag of the socket counts: its file is there from bind on, and stays after a kill. */
  record Unix(Condition.Unix socket, Place place) implements Watch {
    @Override
    public Optional<String> missing() {
      List<Long> found = ListeningSockets.seenBy(place.pid()).unix(names());
      if (found.stream().anyMatch(place.ours())) {
        return Optional.empty();
      }
      boolean file = Files.exists(Path.of(place.folder()).resolve(socket.path()));
      String but =
          !found.isEmpty() ? OTHERS : file ? " (its file is there, but no server behind it)" : "";
      return Optional.of("nobody listens on " + socket.text() + but);
    }

    /** A server may have bound it by another way to the same place. */
    private Set<String> names() {
      Path whole = Path.of(place.folder()).resolve(socket.path());
      var names = new ArrayList<>(List.of(socket.path(), whole.toString()));
      names.add(whole.normalize().toString());
      try {
        names.add(whole.toRealPath().toString());
      } catch (IOException e) {
        // Not there yet.
      }
      return Set.copyOf(names);
    }
  }

  String OTHERS = " but a process that is not of this job";

  record Tcp(Condition.Tcp socket, Place place) implements Watch {
    @Override
    public Optional<String> missing() {
      List<ListeningSockets.Tcp> found =
          ListeningSockets.seenBy(place.pid()).tcp(socket.port()).stream()
              .filter(this::isMeant)
              .toList();
      if (found.stream().anyMatch(one -> place.ours().test(one.inode()))) {
        return Optional.empty();
      }
      return Optional.of("nobody listens on " + socket.text() + (found.isEmpty() ? "" : OTHERS));
    }

    private boolean isMeant(ListeningSockets.Tcp one) {
      if (socket.host().isEmpty() || one.address().isAnyLocalAddress()) {
        return true;
      }
      try {
        return List.of(InetAddress.getAllByName(socket.host().get())).contains(one.address());
      } catch (UnknownHostException e) {
        return false;
      }
    }
  }

  /** Whether this name is one of this machine: sockets of others cannot be seen. */
  static boolean isHere(String host) {
    try {
      InetAddress address = InetAddress.getByName(host);
      return address.isLoopbackAddress()
          || address.isAnyLocalAddress()
          || NetworkInterface.getByInetAddress(address) != null;
    } catch (UnknownHostException | SocketException e) {
      return false;
    }
  }

  record Http(Condition.Http address) implements Watch {
    private static final int PATIENCE = 5000;

    @Override
    public Optional<String> missing() {
      try {
        var asked = (HttpURLConnection) URI.create(address.url()).toURL().openConnection();
        asked.setConnectTimeout(PATIENCE);
        asked.setReadTimeout(PATIENCE);
        int code = asked.getResponseCode();
        asked.disconnect();
        return code > 0 && code < 500
            ? Optional.empty()
            : Optional.of(address.url() + " answers " + code);
      } catch (IOException | IllegalArgumentException e) {
        return Optional.of(address.url() + ": " + e.getMessage());
      }
    }
  }

  record FileThere(Condition.FileThere file, Place place) implements Watch {
    @Override
    public Optional<String> missing() {
      return Files.exists(Path.of(place.folder()).resolve(file.path()))
          ? Optional.empty()
          : Optional.of("there is no " + file.text());
    }
  }

  /** Reads on where it stopped; a line that is not whole yet may be the one. */
  final class LogLine implements Watch {
    private static final int AT_ONCE = 1 << 20;
    private final Condition.LogLine line;
    private final Pattern pattern;
    private final Path file;
    private long from;
    private String last = "";

    LogLine(Condition.LogLine line, Path file) {
      this.line = line;
      this.pattern = Pattern.compile(line.regex());
      this.file = file;
    }

    @Override
    public Optional<String> missing() {
      try {
        return found() ? Optional.empty() : Optional.of(missingLine());
      } catch (IOException e) {
        return Optional.of(file + ": " + e.getMessage());
      }
    }

    private boolean found() throws IOException {
      if (!Files.isRegularFile(file)) {
        return false;
      }
      try (var log = new RandomAccessFile(file.toFile(), "r")) {
        // One that is shorter than it was has been written anew.
        from = from > log.length() ? 0 : from;
        int whole;
        do {
          log.seek(from);
          byte[] bytes = new byte[(int) Math.min(AT_ONCE, log.length() - from)];
          log.readFully(bytes);
          if (new String(bytes, StandardCharsets.UTF_8).lines().anyMatch(this::matches)) {
            return true;
          }
          whole = wholeLines(bytes);
          from += whole;
        } while (whole > 0);
      }
      return false;
    }

    private boolean matches(String text) {
      last = text.isBlank() ? last : text;
      return pattern.matcher(text).find();
    }

    /** A line longer than what is read at once is no line that somebody waits for. */
    private static int wholeLines(byte[] bytes) {
      int end = bytes.length;
      while (end > 0 && bytes[end - 1] != '\n') {
        end--;
      }
      return end == 0 && bytes.length == AT_ONCE ? AT_ONCE : end;
    }

    private String missingLine() {
      return "no line of "
          + file
          + " has "
          + line.text()
          + (last.isEmpty() ? "" : "; its last one is: " + last);
    }
  }
}
