package gflow.daemon.service;

import gflow.api.GpuCurveView;
import gflow.api.GpuCurveView.GpuSamples;
import gflow.api.JobView;
import gflow.daemon.core.JobFinder.Target;
import gflow.daemon.core.Refusal;
import gflow.job.AttemptId;
import gflow.job.GpuCurve;
import gflow.job.JobRef;
import gflow.job.Owner;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** What jobs made of their GPUs over time, from memory while they run and then from the store. */
record GpuCurves(Querying reading) {
  /** That of the last attempt of one task. */
  GpuCurveView of(JobRef ref, Owner caller) throws Refusal {
    Target target = reading.context().finder().find(ref, caller);
    if (target.offsets().size() > 1) {
      throw new Refusal("job " + ref + " is an array: name one task of it, as in " + ref + "_0");
    }
    JobView job = reading.show(target.ref(), caller).getFirst();
    var id = new AttemptId(target.first(), job.attempt());
    Optional<GpuCurve> curve = reading.context().loop().look(core -> core.health().use().curve(id));
    if (curve.isEmpty()) {
      curve = Refusal.stored(() -> reading.context().store().history().gpuCurve(id));
    }
    return view(job, curve.orElseThrow(() -> new Refusal("job " + ref + why(job))));
  }

  private static String why(JobView job) {
    if (job.gpus() == 0) {
      return " has no GPU";
    }
    return job.startTime() == null
        ? " has not run, there is nothing to draw"
        : " has no GPU figures: GPUs are looked at every ten seconds, simulated ones never";
  }

  private static GpuCurveView view(JobView job, GpuCurve curve) {
    var gpus = new ArrayList<GpuSamples>();
    curve
        .gpus()
        .forEach(
            (gpu, all) ->
                gpus.add(
                    new GpuSamples(
                        gpu, all.stream().map(one -> sample(one, curve.seconds())).toList())));
    return new GpuCurveView(job.jobId(), job.attempt(), curve.seconds(), List.copyOf(gpus));
  }

  private static GpuCurveView.Sample sample(GpuCurve.Stretch one, int seconds) {
    return new GpuCurveView.Sample(
        (long) one.number() * seconds, Views.boxed(one.use()), one.memory());
  }
}
