package gflow.api;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** The real curl, where there is one. */
final class Curl {
  private Curl() {}

  static boolean present() {
    return Files.isExecutable(Path.of("/usr/bin/curl"));
  }

  static String of(Api api, String... arguments) throws IOException, InterruptedException {
    var command = new ArrayList<>(List.of("curl", "-s", "--unix-socket", api.socket.toString()));
    command.addAll(List.of(arguments));
    return output(command);
  }

  static String output(List<String> command) throws IOException, InterruptedException {
    var process = new ProcessBuilder(command).redirectErrorStream(true).start();
    process.getOutputStream().close();
    String text = new String(process.getInputStream().readAllBytes(), UTF_8);
    process.waitFor();
    return text;
  }
}
