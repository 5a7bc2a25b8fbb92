package gflow.api;

import static org.assertj.core.api.Assertions.assertThat;

import gflow.job.Owner;
import org.junit.jupiter.api.Test;

class AuthorityTest {
  private static final Owner ANN = new Owner(1000, 1000, "ann");

  private final Authority authority = new Authority(ANN);

  @Test
  void the_user_of_the_daemon_may_ask_for_anything() {
    assertThat(authority.refusal(ANN)).isEmpty();
    assertThat(authority.refusal(ANN, new ApiRequest.Down(true))).isEmpty();
  }

  @Test
  void the_number_counts_and_not_the_name_or_the_group() {
    assertThat(authority.refusal(new Owner(1000, 5, "ann.b"))).isEmpty();
    assertThat(authority.refusal(new Owner(1001, 1000, "ann"))).isPresent();
  }

  @Test
  void nobody_else_may_ask_for_anything_root_neither() {
    for (Owner other : new Owner[] {new Owner(0, 0, "root"), new Owner(-1, -1, "bob")}) {
      assertThat(authority.refusal(other))
          .hasValue("this gflowd belongs to ann and serves nobody else");
      assertThat(authority.refusal(other, new ApiRequest.Status())).isPresent();
    }
  }
}
