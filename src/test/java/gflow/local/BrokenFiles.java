package gflow.local;

import java.io.IOException;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.net.URI;
import java.nio.channels.SeekableByteChannel;
import java.nio.file.AccessMode;
import java.nio.file.CopyOption;
import java.nio.file.DirectoryStream;
import java.nio.file.FileStore;
import java.nio.file.FileSystem;
import java.nio.file.FileSystemException;
import java.nio.file.FileSystems;
import java.nio.file.LinkOption;
import java.nio.file.OpenOption;
import java.nio.file.Path;
import java.nio.file.PathMatcher;
import java.nio.file.WatchService;
import java.nio.file.attribute.BasicFileAttributes;
import java.nio.file.attribute.FileAttribute;
import java.nio.file.attribute.FileAttributeView;
import java.nio.file.attribute.UserPrincipalLookupService;
import java.nio.file.spi.FileSystemProvider;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.atomic.AtomicInteger;

/** The real files, but some of the calls that change or open them go wrong. */
final class BrokenFiles extends FileSystemProvider {
  private static final FileSystemProvider REAL = FileSystems.getDefault().provider();

  private final AtomicInteger calls = new AtomicInteger();
  private volatile int first;
  private volatile int last;
  private volatile String error = "";

  /** Of the calls from now on, {@code times} from the {@code from}th (1, 2 …) have that error. */
  void fail(int from, int times, String why) {
    calls.set(0);
    first = from;
    last = from + times - 1;
    error = why;
  }

  int count() {
    return calls.get();
  }

  /** The same path, for those who work with files through it. */
  Path path(Path real) {
    return (Path)
        Proxy.newProxyInstance(
            Path.class.getClassLoader(),
            new Class<?>[] {Path.class},
            (self, method, arguments) -> {
              if (method.getName().equals("getFileSystem")) {
                return new Files();
              }
              Object[] plain = arguments == null ? new Object[0] : arguments.clone();
              for (int i = 0; i < plain.length; i++) {
                plain[i] = plain[i] instanceof Path path ? real(path) : plain[i];
              }
              try {
                Object result = method.invoke(real, plain);
                return result instanceof Path path ? path(path) : result;
              } catch (InvocationTargetException e) {
                throw e.getCause();
              }
            });
  }

  private static Path real(Path path) {
    return Path.of(path.toString());
  }

  private void pass(Path path) throws IOException {
    int now = calls.incrementAndGet();
    if (now >= first && now <= last) {
      throw new FileSystemException(path.toString(), null, error);
    }
  }

  @Override
  public SeekableByteChannel newByteChannel(
      Path path, Set<? extends OpenOption> options, FileAttribute<?>... with) throws IOException {
    pass(path);
    return REAL.newByteChannel(real(path), options, with);
  }

  @Override
  public DirectoryStream<Path> newDirectoryStream(
      Path path, DirectoryStream.Filter<? super Path> filter) throws IOException {
    pass(path);
    return REAL.newDirectoryStream(real(path), filter);
  }

  @Override
  public void createDirectory(Path path, FileAttribute<?>... with) throws IOException {
    pass(path);
    REAL.createDirectory(real(path), with);
  }

  @Override
  public void delete(Path path) throws IOException {
    pass(path);
    REAL.delete(real(path));
  }

  @Override
  public void copy(Path from, Path to, CopyOption... how) throws IOException {
    pass(to);
    REAL.copy(real(from), real(to), how);
  }

  @Override
  public void move(Path from, Path to, CopyOption... how) throws IOException {
    pass(to);
    REAL.move(real(from), real(to), how);
  }

  @Override
  public boolean isSameFile(Path one, Path other) throws IOException {
    return REAL.isSameFile(real(one), real(other));
  }

  @Override
  public boolean isHidden(Path path) throws IOException {
    return REAL.isHidden(real(path));
  }

  @Override
  public FileStore getFileStore(Path path) throws IOException {
    return REAL.getFileStore(real(path));
  }

  @Override
  public void checkAccess(Path path, AccessMode... modes) throws IOException {
    REAL.checkAccess(real(path), modes);
  }

  @Override
  public <V extends FileAttributeView> V getFileAttributeView(
      Path path, Class<V> type, LinkOption... options) {
    return REAL.getFileAttributeView(real(path), type, options);
  }

  @Override
  public <A extends BasicFileAttributes> A readAttributes(
      Path path, Class<A> type, LinkOption... options) throws IOException {
    return REAL.readAttributes(real(path), type, options);
  }

  @Override
  public Map<String, Object> readAttributes(Path path, String names, LinkOption... options)
      throws IOException {
    return REAL.readAttributes(real(path), names, options);
  }

  @Override
  public void setAttribute(Path path, String name, Object value, LinkOption... options)
      throws IOException {
    pass(path);
    REAL.setAttribute(real(path), name, value, options);
  }

  @Override
  public String getScheme() {
    return "broken";
  }

  @Override
  public FileSystem newFileSystem(URI uri, Map<String, ?> environment) {
    throw new UnsupportedOperationException();
  }

  @Override
  public FileSystem getFileSystem(URI uri) {
    throw new UnsupportedOperationException();
  }

  @Override
  public Path getPath(URI uri) {
    throw new UnsupportedOperationException();
  }

  /** Says who works with its files; for the rest it is the real one. */
  private final class Files extends FileSystem {
    private final FileSystem real = FileSystems.getDefault();

    @Override
    public FileSystemProvider provider() {
      return BrokenFiles.this;
    }

    @Override
    public void close() {}

    @Override
    public boolean isOpen() {
      return true;
    }

    @Override
    public boolean isReadOnly() {
      return false;
    }

    @Override
    public String getSeparator() {
      return "/";
    }

    @Override
    public Iterable<Path> getRootDirectories() {
      return real.getRootDirectories();
    }

    @Override
    public Iterable<FileStore> getFileStores() {
      return real.getFileStores();
    }

    @Override
    public Set<String> supportedFileAttributeViews() {
      return real.supportedFileAttributeViews();
    }

    @Override
    public Path getPath(String begin, String... more) {
      return path(real.getPath(begin, more));
    }

    @Override
    public PathMatcher getPathMatcher(String pattern) {
      return real.getPathMatcher(pattern);
    }

    @Override
    public UserPrincipalLookupService getUserPrincipalLookupService() {
      return real.getUserPrincipalLookupService();
    }

    @Override
    public WatchService newWatchService() throws IOException {
      return real.newWatchService();
    }
  }
}
