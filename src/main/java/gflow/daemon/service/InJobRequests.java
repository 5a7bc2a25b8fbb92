package gflow.daemon.service;

import gflow.api.Gflow.Done;
import gflow.api.GoingDown;
import gflow.api.GpusOrder;
import gflow.api.GpusView;
import gflow.api.GpusView.OneGpu;
import gflow.daemon.core.Core;
import gflow.daemon.core.JobFinder.Target;
import gflow.daemon.core.LoanBook.JobGpus;
import gflow.daemon.core.LoanBook.Known;
import gflow.daemon.core.Refusal;
import gflow.daemon.core.StepBook;
import gflow.gpu.GpuDevice;
import gflow.job.Allocation.GpuGrant;
import gflow.job.GpuId;
import gflow.job.JobRef;
import gflow.job.Owner;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/** What the program inside a job asks and tells: which GPUs it has, and how far it is. */
public record InJobRequests(ServiceContext context) {
  /** Takes what is given back; returns when the GPUs are not what the caller knows. */
  GpusView gpus(JobRef ref, GpusOrder order, Duration patience, Owner caller) throws Refusal {
    var known = new Known(order.have(), order.callBack());
    record Asked(StepBook.Home home, CompletableFuture<JobGpus> told) {}
    Target target = context.finder().find(ref, caller);
    Asked asked =
        context
            .loop()
            .ask(
                (core, now) -> {
                  StepBook.Home home = elastic(core, ref, target, caller);
                  List<GpuId> back = back(core, home, order.back());
                  if (!back.isEmpty()) {
                    core.loans().back(home.id(), back, now);
                    core.inventory().lookAgain();
                  }
                  return new Asked(home, core.loans().ask(home, known));
                });
    try {
      return view(asked.home(), asked.told().get(patience.toMillis(), TimeUnit.MILLISECONDS));
    } catch (TimeoutException e) {
      JobGpus now =
          context.loop().askApart((core, at) -> core.loans().leave(asked.home(), asked.told()));
      return view(asked.home(), now);
    } catch (ExecutionException e) {
      throw notRunning(ref);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new GoingDown();
    }
  }

  Done progress(JobRef ref, String text, Owner caller) throws Refusal {
    Target target = context.finder().find(ref, caller);
    return context
        .loop()
        .askApart(
            (core, now) -> {
              core.progress().say(running(core, ref, target, caller).id(), text);
              return new Done(ref.toString(), true, text);
            });
  }

  private static StepBook.Home elastic(Core core, JobRef ref, Target target, Owner caller)
      throws Refusal {
    StepBook.Home home = running(core, ref, target, caller);
    if (!home.request().elastic()) {
      throw new Refusal(
          "job "
              + ref
              + " has the GPUs that it asked for; --gpus 1-8 asks for more when some are"
              + " free");
    }
    return home;
  }

  private static StepBook.Home running(Core core, JobRef ref, Target target, Owner caller)
      throws Refusal {
    Owner owner =
        core.ledger()
            .job(target.job())
            .map(j -> j.spec().owner())
            .orElseThrow(() -> notRunning(ref));
    if (owner.uid() != caller.uid()) {
      throw new Refusal("job " + ref + " belongs to " + owner.name());
    }
    if (target.offsets().size() != 1) {
      throw new Refusal("job " + ref + " is an array; name one of its tasks");
    }
    return core.home(target.first().number()).orElseThrow(() -> notRunning(ref));
  }

  private static Refusal notRunning(JobRef ref) {
    return new Refusal("job " + ref + " is not running");
  }

  /** A GPU that it does not have any more is no error: the answer to the first try was lost. */
  private static List<GpuId> back(Core core, StepBook.Home home, List<String> names)
      throws Refusal {
    var gpus = new ArrayList<GpuId>();
    for (String name : names) {
      GpuDevice device =
          core.inventory().devices().stream()
              .filter(d -> d.id().uuid().equals(name) || name.equals(Integer.toString(d.index())))
              .findFirst()
              .orElseThrow(
                  () ->
                      new Refusal(
                          "there is no GPU " + name + " (ginfo lists the GPUs of this machine)"));
      if (home.attempt().allocation().gpuIndices().contains(device.index())) {
        throw new Refusal(
            "GPU " + name + " is the job's own until its end; only GPUs on loan come back");
      }
      gpus.add(device.id());
    }
    return gpus;
  }

  private static GpusView view(StepBook.Home home, JobGpus gpus) {
    var all = new ArrayList<OneGpu>();
    for (GpuGrant own : gpus.own()) {
      all.add(new OneGpu(own.index(), own.gpu().uuid(), false, false));
    }
    for (GpuGrant lent : gpus.lent()) {
      boolean wanted = gpus.callBack().from().contains(lent.gpu());
      all.add(new OneGpu(lent.index(), lent.gpu().uuid(), true, wanted));
    }
    return new GpusView(
        home.id().task().number().value(), home.request().mostGpus(), all, gpus.callBack().count());
  }
}
