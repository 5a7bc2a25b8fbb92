package gflow.process;

import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;

/** Where the cgroups of this process lie in the file system, from two files of /proc. */
record CgroupMounts(Path root, List<String> cgroup, List<String> mountinfo) {
  static CgroupMounts read(Path root) {
    var self = root.resolve("proc/self");
    return new CgroupMounts(
        root,
        ControlFile.read(self.resolve("cgroup")).lines().toList(),
        ControlFile.read(self.resolve("mountinfo")).lines().toList());
  }

  /** Our own folder; that of version 2 is in the line {@code 0::/path}. */
  Optional<Path> own(CgroupController controller) {
    String name = controller.kernelName();
    return path(name).flatMap(path -> folder(controller.fileSystem(), name, path));
  }

  private Optional<String> path(String controller) {
    return cgroup.stream()
        .map(line -> line.split(":", 3))
        .filter(part -> part.length == 3 && lists(part[1], controller))
        .map(part -> part[2])
        .findFirst();
  }

  private static boolean lists(String names, String name) {
    return Arrays.asList(names.split(",", -1)).contains(name);
  }

  /** A line of mountinfo: {@code id parent dev root point options… - type source options}. */
  private Optional<Path> folder(String type, String controller, String path) {
    for (String line : mountinfo) {
      int dash = line.indexOf(" - ");
      if (dash < 0) {
        continue;
      }
      var left = line.substring(0, dash).split(" ", -1);
      var right = line.substring(dash + 3).split(" ", -1);
      boolean fits = right[0].equals(type) && (controller.isEmpty() || lists(right[2], controller));
      if (fits && inside(path, left[3])) {
        var below = left[3].equals("/") ? path : path.substring(left[3].length());
        return Optional.of(root.resolve((left[4] + below).substring(1)).normalize());
      }
    }
    return Optional.empty();
  }

  private static boolean inside(String path, String mountRoot) {
    return mountRoot.equals("/") || path.equals(mountRoot) || path.startsWith(mountRoot + "/");
  }
}
