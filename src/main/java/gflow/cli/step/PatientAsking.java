package gflow.cli.step;

import gflow.api.Answer;
import gflow.api.ApiRequest;
import gflow.cli.frame.Call;
import gflow.cli.frame.Pauses;
import gflow.cli.frame.Refused;
import java.time.Duration;

/** Asks again while the daemon is down: it comes back, knows our job, and we go on. */
final class PatientAsking {
  private static final Duration AGAIN = Duration.ofMillis(200);

  private final Call call;
  private final Allocating.Speech speech;
  private boolean downSaid;

  PatientAsking(Call call, Allocating.Speech speech) {
    this.call = call;
    this.speech = speech;
  }

  <T> T ask(ApiRequest<T> question) throws Refused {
    Answer<T> answer = call.gflow().ask(question);
    while (answer instanceof Answer.No<T>(var kind, String line)) {
      if (kind != Answer.Kind.NO_DAEMON || !Pauses.sleep(AGAIN)) {
        throw new Refused(speech.error(line), kind.exitCode());
      }
      if (!downSaid) {
        call.problem("gflowd is down; waiting for it to come back");
        downSaid = true;
      }
      answer = call.gflow().ask(question);
    }
    return Call.get(answer);
  }
}
