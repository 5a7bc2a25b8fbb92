package gflow;

import static java.nio.file.LinkOption.NOFOLLOW_LINKS;
import static java.nio.file.attribute.PosixFilePermissions.asFileAttribute;
import static java.nio.file.attribute.PosixFilePermissions.fromString;

import java.io.IOException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.Path;

/**
 * A folder of ours below /tmp. Its name is known to everybody, so somebody else may have been first
 * with a folder or a link: it is made by us alone, or it is seen to be ours and no link. Where it
 * is ours, the sticky bit of /tmp keeps others from putting something else in its place.
 */
final class TemporaryFolder {
  private static final String PRIVATE = "rwx------";
  private static final int TYPE = 0170000;
  private static final int FOLDER = 0040000;

  private TemporaryFolder() {}

  /** False if somebody else was first. */
  static boolean claim(Path folder, int uid) throws IOException {
    try {
      Files.createDirectory(folder, asFileAttribute(fromString(PRIVATE)));
      return true;
    } catch (FileAlreadyExistsException e) {
      var seen = Files.readAttributes(folder, "unix:mode,uid", NOFOLLOW_LINKS);
      boolean ours = (int) seen.get("uid") == uid && ((int) seen.get("mode") & TYPE) == FOLDER;
      if (ours) {
        Files.setPosixFilePermissions(folder, fromString(PRIVATE));
      }
      return ours;
    }
  }
}
