package gflow.process;

import java.util.Locale;

/** The controllers of cgroup version 1 that are of use here, each with folders of its own. */
enum CgroupController {
  FREEZER,
  PIDS,
  MEMORY,
  CPUSET,
  CPUACCT;

  /** As the kernel writes it. */
  String kernelName() {
    return name().toLowerCase(Locale.ROOT);
  }
}
