package gflow.cli.slurm;

import gflow.api.Answer;
import gflow.api.ApiRequest.Show;
import gflow.api.JobView;
import gflow.cli.frame.Call;
import gflow.cli.frame.Dialog;
import gflow.cli.frame.JobText;
import gflow.cli.frame.Refused;
import gflow.job.JobRef;
import gflow.script.grammar.Given;
import gflow.script.value.BadInput;
import gflow.script.value.JobRefs;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

/** {@code scancel --interactive}: asks before each job and step; without it nobody is asked. */
final class ScancelQuestions implements AutoCloseable {
  private final Call call;
  private final Optional<Dialog> dialog;

  ScancelQuestions(Call call, Given given) throws Refused {
    this.call = call;
    dialog = given.has("interactive") ? Optional.of(new Dialog(call)) : Optional.empty();
  }

  /** Nobody is asked about what is over. */
  boolean isOver(JobRef job) {
    return dialog.isPresent()
        && found(job).stream()
            .flatMap(view -> JobText.state(view).stream())
            .noneMatch(SlurmStateFilter.ACTIVE::contains);
  }

  boolean job(JobRef job) {
    return wanted("job_id=" + job, job);
  }

  boolean step(String word) throws BadInput {
    return wanted("step_id=" + word, JobRefs.one(word.split("\\.", 2)[0]));
  }

  private boolean wanted(String what, JobRef job) {
    if (dialog.isEmpty()) {
      return true;
    }
    String of =
        found(job).stream()
            .findFirst()
            .map(view -> " name=" + view.name() + " partition=" + JobText.partition(view))
            .orElse("");
    return dialog
        .get()
        .ask("Cancel " + what + of + " [y/n]? ")
        .filter(answer -> answer.toLowerCase(Locale.ROOT).startsWith("y"))
        .isPresent();
  }

  /** Whoever waits for the end of the terminal would wait for ever if it stayed open here. */
  @Override
  public void close() {
    dialog.ifPresent(Dialog::close);
  }

  private List<JobView> found(JobRef job) {
    return call.gflow().ask(new Show(job)) instanceof Answer.Ok<List<JobView>>(var views)
        ? views
        : List.of();
  }
}
