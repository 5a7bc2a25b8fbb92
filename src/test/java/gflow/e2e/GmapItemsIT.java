package gflow.e2e;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

/** From the shell to the shell: what a user typed, and what gmap would run, are the same bytes. */
class GmapItemsIT {
  @Test
  void names_that_are_no_text_come_through_the_launcher_and_the_jvm() {
    try (var lab = new Lab()) {
      lab.write(
          lab.work().resolve("names.sh"),
          """
          mkdir -p data
          : >$'data/\\xff b.xyz'
          : >$'data/it\\'s\\n{}.xyz'
          gmap --dry-run --items 'data/*' printf '<%s>' >lines
          gmap --dry-run printf '<%s>' {/} ::: $'x/\\xe4\\xff' '{}' >>lines
          # What it prints is for a shell: so here the same words come back.
          grep -v 'results would go' lines >script
          bash script | od -An -c | tr -s ' \\n' ' '
          """);
      assertThat(lab.run("bash", "names.sh"))
          .isEqualTo(
              new Lab.Said(
                  0,
                  " < d a t a / i t ' s \\n { } . x y z > < d a t a / 377 b . x y z >"
                      + " < 344 377 > < { } > ",
                  ""));
    }
  }
}
