package gflow.daemon.service;

import gflow.api.ControlsView;
import gflow.api.ControlsView.Setting;
import gflow.daemon.core.OperatorControls;
import gflow.gpu.GpuDevice;
import gflow.plan.UsageLimits.Cap;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;

/**
 * What {@code gctl} set and what the configuration says, side by side. The rule: what is said of
 * one by name comes before what is said of every user, and whom either ignores is ignored.
 */
public record ControlsShown(List<String> ignoredUsers, List<String> ignoredCommands) {
  private static final String CONFIG = "gflow.toml";

  ControlsView of(OperatorControls controls, List<GpuDevice> devices) {
    var all = new ArrayList<Setting>();
    controls.paused().ifPresent(why -> all.add(gctl("paused", why, "gctl resume")));
    controls
        .allowedGpus()
        .ifPresent(gpus -> all.add(gctl("GPUs allowed", list(gpus), "gctl set-gpus all")));
    for (GpuDevice device : devices) {
      String why = controls.drainedGpus().get(device.id().uuid());
      if (why != null) {
        int index = device.index();
        all.add(gctl("GPU " + index + " drained", why, "gctl undrain " + index));
      }
    }
    add(all, "every user", controls.limits().everyUser(), CONFIG, "[limits] of " + CONFIG);
    named(all, "user:", controls.limits().users());
    named(all, "project:", controls.limits().projects());
    ignored(all, "user", controls.ignoredUsers(), ignoredUsers);
    ignored(all, "command", controls.ignoredCommands(), ignoredCommands);
    return new ControlsView(all);
  }

  private static void named(List<Setting> all, String kind, Map<String, Cap> caps) {
    caps.forEach(
        (name, cap) -> add(all, kind + name, cap, "gctl", "gctl set-limit " + kind + name + " N"));
  }

  private static void add(List<Setting> all, String whom, Cap cap, String from, String change) {
    cap.tasks()
        .ifPresent(n -> all.add(new Setting("jobs of " + whom, "at most " + n, from, change)));
    cap.gpus()
        .ifPresent(n -> all.add(new Setting("GPUs of " + whom, "at most " + n, from, change)));
  }

  private static void ignored(
      List<Setting> all, String kind, List<String> byGctl, List<String> byConfig) {
    byGctl.forEach(
        name -> all.add(gctl("ignored " + kind, name, "gctl unignore --" + kind + " " + name)));
    byConfig.forEach(
        name -> all.add(new Setting("ignored " + kind, name, CONFIG, "[gpu] of " + CONFIG)));
  }

  private static Setting gctl(String what, String value, String change) {
    return new Setting(what, value, "gctl", change);
  }

  private static String list(List<Integer> gpus) {
    return gpus.stream().map(String::valueOf).collect(Collectors.joining(","));
  }
}
