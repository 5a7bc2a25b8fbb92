package gflow.process;

/** Where one of the three standard descriptors of a child leads. */
public sealed interface Stdio {
  /** {@code /dev/null}. */
  record Null() implements Stdio {}

  record Read(String path) implements Stdio {}

  /** Made if missing, with this mode less the umask; cut off first unless appended to. */
  record Write(String path, boolean append, int mode) implements Stdio {}

  /** A plain file of ours, appended to; nobody puts a pipe in its place. */
  record Own(String path) implements Stdio {}

  /** A descriptor that is open in this process. */
  record Open(int fd) implements Stdio {}

  /** Only for stderr. */
  record SameAsStdout() implements Stdio {}
}
