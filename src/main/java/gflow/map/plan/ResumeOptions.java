package gflow.map.plan;

import gflow.map.items.BadItems;
import java.util.Set;

/** The plan of a resumed map: the earlier one, with the options that were given this time. */
record ResumeOptions(MapPlan before, MapOrder order) {
  /** {@code folder}: where the command runs and names of files are seen from. */
  MapPlan plan(String folder, MapPlan.Items items) throws BadItems {
    boolean mended = !order.command().isEmpty();
    MapOrder.Way now = order.way();
    boolean sameWorker = !mended && now.worker().isEmpty();
    var plan =
        new MapPlan(
            mended ? order.command() : before.command(),
            folder,
            items,
            slots(now.slots()),
            care(now.care()),
            output(now.output(), mended),
            sameWorker ? before.worker() : now.worker());
    if (plan.slots().fixed() && plan.slots().cards().contains("-")) {
      throw new BadItems("--static keeps its GPUs from the start; say how many: --gpus 8");
    }
    return plan;
  }

  private MapPlan.Slots slots(MapPlan.Slots now) {
    MapPlan.Slots then = before.slots();
    Set<String> said = order.said();
    return new MapPlan.Slots(
        said.contains("gpus") ? now.cards() : then.cards(),
        said.contains("per-gpu") ? now.perGpu() : then.perGpu(),
        now.most().isPresent() ? now.most() : then.most(),
        said.contains("cpus-per-item") ? now.cpusPerItem() : then.cpusPerItem(),
        now.fixed() || then.fixed());
  }

  private MapPlan.Care care(MapPlan.Care now) {
    MapPlan.Care then = before.care();
    return new MapPlan.Care(
        now.timeout().or(then::timeout),
        order.said().contains("retries") ? now.retries() : then.retries(),
        order.said().contains("retry-on") ? now.retryOn() : then.retryOn(),
        now.mostFailures().or(then::mostFailures),
        now.check().or(then::check));
  }

  private MapPlan.Output output(MapPlan.Output now, boolean mended) {
    MapPlan.Output then = before.output();
    return new MapPlan.Output(
        now.template().or(then::template),
        now.tag() || then.tag(),
        now.inOrder() || then.inOrder(),
        mended ? now.append() : then.append());
  }
}
