package gflow.process;

import java.util.Locale;

/**
 * What has folders of its own: the one hierarchy of version 2, and those controllers of version 1
 * that are of use here.
 */
enum CgroupController {
  UNIFIED,
  FREEZER,
  PIDS,
  MEMORY,
  CPUSET,
  CPUACCT;

  /** As the kernel writes it in /proc/self/cgroup; version 2 has no name there. */
  String kernelName() {
    return this == UNIFIED ? "" : name().toLowerCase(Locale.ROOT);
  }

  String fileSystem() {
    return this == UNIFIED ? "cgroup2" : "cgroup";
  }
}
