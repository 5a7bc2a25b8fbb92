package gflow.script.group;

import gflow.script.value.BadInput;
import gflow.script.value.NearestWord;
import java.net.URI;
import java.util.List;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.regex.PatternSyntaxException;

/** What somebody waits for, as it is written. */
public sealed interface Condition {
  Pattern TCP = Pattern.compile("(?:(\\[[0-9A-Fa-f:.]+\\]|[^:\\s]+):)?(\\d{1,5})");
  List<String> KINDS = List.of("unix", "tcp", "http", "https", "file", "log");

  /** Somebody listens on this socket; {@code @NAME} is one without a file. */
  record Unix(String path) implements Condition {}

  /** Somebody of this machine listens on this port, where a host is named on its address. */
  record Tcp(Optional<String> host, int port) implements Condition {}

  /** It answers with a code below 500. */
  record Http(String url) implements Condition {}

  record FileThere(String path) implements Condition {}

  /** A line of a log has this in it. */
  record LogLine(String regex) implements Condition {}

  static Condition parse(String text) throws BadInput {
    int colon = text.indexOf(':');
    String kind = colon < 0 ? text : text.substring(0, colon);
    String rest = colon < 0 ? "" : text.substring(colon + 1);
    if (KINDS.contains(kind) && rest.isBlank()) {
      throw new BadInput("'" + text + "' does not say what to wait for; write " + EXAMPLES);
    }
    return switch (kind) {
      case "unix" -> new Unix(rest);
      case "tcp" -> tcp(text, rest);
      case "http", "https" -> http(text);
      case "file" -> new FileThere(rest);
      case "log" -> log(text, rest);
      default -> throw unknown(text, kind);
    };
  }

  String EXAMPLES = "unix:PATH, tcp:PORT, http://HOST:PORT/, file:PATH or log:REGEX";

  private static BadInput unknown(String text, String kind) {
    String hint =
        NearestWord.to(kind, KINDS)
            .map(near -> "; did you mean " + near + ":?")
            .orElse("; write " + EXAMPLES);
    return new BadInput("'" + text + "' is nothing to wait for" + hint);
  }

  private static Condition tcp(String text, String rest) throws BadInput {
    Matcher match = TCP.matcher(rest);
    int port = match.matches() ? Integer.parseInt(match.group(2)) : 0;
    if (port < 1 || port > 65_535) {
      throw new BadInput("'" + text + "' has no port from 1 to 65535; write tcp:31415");
    }
    return new Tcp(Optional.ofNullable(match.group(1)), port);
  }

  private static Condition http(String text) throws BadInput {
    try {
      if (URI.create(text).getHost() != null) {
        return new Http(text);
      }
    } catch (IllegalArgumentException e) {
      // Said below.
    }
    throw new BadInput("'" + text + "' is no address; write http://localhost:8000/health");
  }

  private static Condition log(String text, String rest) throws BadInput {
    try {
      Pattern.compile(rest);
      return new LogLine(rest);
    } catch (PatternSyntaxException e) {
      throw new BadInput("'" + text + "' is no regular expression: " + e.getDescription());
    }
  }

  /** As it was written. */
  default String text() {
    return switch (this) {
      case Unix(var path) -> "unix:" + path;
      case Tcp(var host, int port) -> "tcp:" + host.map(name -> name + ":").orElse("") + port;
      case Http(var url) -> url;
      case FileThere(var path) -> "file:" + path;
      case LogLine(var regex) -> "log:" + regex;
    };
  }
}
