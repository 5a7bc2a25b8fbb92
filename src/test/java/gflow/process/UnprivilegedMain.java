package gflow.process;

import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;

/** Ends every thicket without cgroups; run by {@link UnprivilegedTest} as an ordinary user. */
final class UnprivilegedMain {
  private UnprivilegedMain() {}

  /** The only argument is a folder to work in. */
  public static void main(String[] arguments) throws Exception {
    Subreaper.become();
    System.out.println("uid " + Proc.status(ProcessHandle.current().pid()).orElseThrow().uid());
    try (var watch = new ProcessWatch()) {
      for (var thicket : Thicket.values()) {
        var mark = new ProcessMark("unprivileged." + thicket + "." + ProcessHandle.current().pid());
        var folder = Files.createDirectory(Path.of(arguments[0]).resolve(thicket.name()));
        var group = Cgroups.detect(Cgroups.Mode.NONE).open(mark.value(), mark, CgroupLimits.NONE);
        watch.child(thicket.grow(group, folder), _ -> {});
        boolean some = !group.members().isEmpty();
        group.signal(Signals.TERM);
        boolean gone = group.kill(Duration.ofSeconds(20));
        long left = Proc.all().stream().filter(mark::isOn).filter(UnprivilegedMain::lives).count();
        System.out.println(thicket + " " + some + " " + gone + " " + left);
      }
    }
  }

  private static boolean lives(long pid) {
    return Proc.stat(pid).filter(stat -> !stat.dead()).isPresent();
  }
}
