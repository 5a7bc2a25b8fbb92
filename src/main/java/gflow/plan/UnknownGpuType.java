package gflow.plan;

import gflow.job.GpuFilter;
import gflow.job.Request;
import java.util.List;
import java.util.Optional;

/** A request for a type of GPU that is not here, as it is where any GPU will do. */
public record UnknownGpuType(Request instead, String words) {
  /** Empty if it names none, or one that is here; {@code always}: also where models differ. */
  public static Optional<UnknownGpuType> of(Machine machine, Request request, boolean always) {
    List<String> models = machine.gpus().stream().map(Gpu::model).distinct().toList();
    GpuFilter filter = request.filter();
    return filter
        .type()
        .filter(type -> machine.gpus().stream().noneMatch(gpu -> gpu.isOfType(type)))
        .filter(_ -> models.size() == 1 || (always && !models.isEmpty()))
        .map(
            type ->
                new UnknownGpuType(
                    request.withFilter(
                        new GpuFilter(Optional.empty(), filter.only(), filter.exclude())),
                    "no GPU of type %s is here, so the job gets any: %s"
                        .formatted(type, String.join(", ", models))));
  }
}
