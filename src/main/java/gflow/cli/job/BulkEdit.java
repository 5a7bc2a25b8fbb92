package gflow.cli.job;

import gflow.api.Answer;
import gflow.api.ApiRequest;
import gflow.api.ApiRequest.EndStep;
import gflow.api.Gflow.Done;
import gflow.cli.frame.Call;
import gflow.cli.frame.Refused;
import gflow.job.JobRef;
import gflow.job.StepRef;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.stream.Collectors;

/**
 * Does one thing to several jobs and says so, a line for each. All go in one request; only if that
 * is refused they go one by one, so that a wrong id does not keep the others from it.
 */
final class BulkEdit {
  /** The request, for some of the jobs; the key makes it happen once. */
  interface Request {
    ApiRequest<List<Done>> of(List<JobRef> jobs, Optional<String> key);
  }

  /** Of many wrong ids so many are said. */
  private static final int NAMED = 8;

  private final Call call;
  private final boolean json;
  private final List<Done> done = new ArrayList<>();
  private int exitCode;

  BulkEdit(Call call, boolean json) {
    this.call = call;
    this.json = json;
  }

  /** Steps, before the jobs. */
  void cancel(List<StepRef> steps) {
    for (StepRef step : steps) {
      one(new EndStep(step, OptionalInt.empty()));
    }
  }

  int make(List<JobRef> jobs, Request request) throws Refused {
    Optional<String> key = call.invocation().key();
    switch (call.gflow().ask(request.of(jobs, key))) {
      case Answer.Ok<List<Done>>(var all) -> done.addAll(all);
      case Answer.No<List<Done>>(var kind, String line) -> {
        if (jobs.size() < 2 || kind != Answer.Kind.REFUSED) {
          throw new Refused(line, kind.exitCode());
        }
        for (JobRef job : jobs) {
          one(request.of(List.of(job), key.map(k -> k + "/" + job)));
        }
      }
    }
    return end();
  }

  /** Says what was done, and what could not be because there is no such job. */
  int end() {
    List<String> unknown = done.stream().filter(Done::isUnknown).map(Done::job).toList();
    if (json) {
      call.json("jobs", done);
    } else {
      done.stream().filter(one -> !one.isUnknown()).forEach(one -> call.line(line(one)));
    }
    if (!unknown.isEmpty()) {
      int more = unknown.size() - NAMED;
      String some = unknown.stream().limit(NAMED).collect(Collectors.joining(", "));
      call.problem("there is no job " + some + (more > 0 ? " and " + more + " more" : ""));
      exitCode = Math.max(exitCode, 1);
    }
    return exitCode;
  }

  /** By a filter: none that fits is as wrong as a wrong id. */
  int endOfFilter() {
    if (done.isEmpty()) {
      call.problem("no job fits, so nothing was done; gqueue lists what waits and runs");
      exitCode = Math.max(exitCode, 1);
    }
    return exitCode;
  }

  private void one(ApiRequest<List<Done>> request) {
    switch (call.gflow().ask(request)) {
      case Answer.Ok<List<Done>>(var some) -> done.addAll(some);
      case Answer.No<List<Done>>(var kind, String line) -> {
        call.problem(line);
        exitCode = Math.max(exitCode, kind.exitCode());
      }
    }
  }

  /** A change of the machine names no job; with a point it is a step. */
  static String line(Done done) {
    String kind = done.job().contains(".") ? "step " : "job ";
    return done.job().isEmpty() ? done.text() : kind + done.job() + " " + done.text();
  }
}
