package gflow.e2e;

import static java.nio.file.attribute.PosixFilePermissions.asFileAttribute;
import static java.nio.file.attribute.PosixFilePermissions.fromString;

import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/** A server of ssh on the loopback, with a key of its own, that lets in whoever runs the test. */
final class Sshd implements AutoCloseable {
  private static final Path PROGRAM = Path.of("/usr/sbin/sshd");

  private final Path folder;
  final int port = freePort();
  private final Process process;

  /** {@code folder}: a new one for what it has; {@code key}: whose owner may come in. */
  Sshd(Path folder, Path key) throws Exception {
    this.folder = Files.createDirectory(folder);
    command("ssh-keygen", "-q", "-t", "ed25519", "-N", "", "-f", folder + "/host");
    Path config =
        Files.writeString(
            folder.resolve("config"),
            """
            Port %d
            ListenAddress 127.0.0.1
            HostKey %s/host
            AuthorizedKeysFile %s.pub
            PidFile none
            StrictModes no
            PasswordAuthentication no
            KbdInteractiveAuthentication no
            """
                .formatted(port, folder, key));
    if (System.getProperty("user.name").equals("root")) {
      Files.createDirectories(Path.of("/run/sshd"), asFileAttribute(fromString("rwxr-xr-x")));
    }
    Path log = folder.resolve("log");
    process =
        new ProcessBuilder(PROGRAM.toString(), "-D", "-e", "-f", config.toString())
            .redirectErrorStream(true)
            .redirectOutput(log.toFile())
            .start();
    while (!Lab.read(log).contains("listening on")) {
      if (!process.isAlive()) {
        throw new AssertionError(Lab.read(log));
      }
      Thread.onSpinWait();
    }
  }

  static boolean isInstalled() {
    return Files.isExecutable(PROGRAM);
  }

  private static int freePort() {
    try (var any = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      return any.getLocalPort();
    } catch (IOException e) {
      throw new java.io.UncheckedIOException(e);
    }
  }

  /** As the user who may come in. */
  static String command(String... words) throws Exception {
    Process one = new ProcessBuilder(words).redirectErrorStream(true).start();
    String said =
        new String(one.getInputStream().readAllBytes(), java.nio.charset.StandardCharsets.UTF_8);
    if (one.waitFor() != 0) {
      throw new AssertionError(List.of(words) + ": " + said);
    }
    return said.strip();
  }

  /** How ssh knows it. */
  String known() {
    return "[127.0.0.1]:" + port + " " + Lab.read(folder.resolve("host.pub"));
  }

  String log() {
    return Lab.read(folder.resolve("log"));
  }

  @Override
  public void close() {
    process.destroy();
    process.onExit().join();
  }
}
