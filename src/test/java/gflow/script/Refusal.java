package gflow.script;

import static org.assertj.core.api.Assertions.assertThatThrownBy;

import gflow.script.value.BadInput;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;

/** Checks that wrong input is refused with exactly this one line. */
public final class Refusal {
  private Refusal() {}

  public static void of(ThrowingCallable call, String line) {
    assertThatThrownBy(call).isInstanceOf(BadInput.class).hasMessage(line);
  }
}
