package gflow.api;

import gflow.job.Owner;
import java.util.Optional;

/**
 * Who may ask for what: a daemon serves the user that it runs as, and nobody else, root neither.
 * Everything that is asked passes here, with who asks by the kernel's word.
 */
public record Authority(Owner self) {
  /** Why that caller may ask for nothing at all, before anything of it is read. */
  public Optional<String> refusal(Owner caller) {
    return caller.uid() == self.uid()
        ? Optional.empty()
        : Optional.of("this gflowd belongs to " + self.name() + " and serves nobody else");
  }

  /** Why that caller may not ask for this. */
  public Optional<String> refusal(Owner caller, ApiRequest<?> request) {
    return refusal(caller);
  }
}
