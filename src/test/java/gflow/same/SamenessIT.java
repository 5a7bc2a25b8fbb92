package gflow.same;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.SortedMap;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;
import org.junit.jupiter.api.TestInstance;

/** The cases under gflow give what a real Slurm gave, but for what is listed with its reason. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class SamenessIT {
  private final List<Case> cases = Case.all();
  private final List<Listed> listed = Listed.all();
  private SortedMap<String, Answer> answers;

  @BeforeAll
  void run() throws IOException {
    try (World world = World.gflow()) {
      answers = Runner.run(world, cases);
    }
  }

  private List<Difference> differences(Case one) {
    return Difference.between(one.name(), answers.get(one.name()), Recorded.of(one));
  }

  @TestFactory
  Stream<DynamicTest> a_case_differs_only_where_it_is_listed() {
    return cases.stream()
        .map(
            one ->
                DynamicTest.dynamicTest(
                    one.name(),
                    () ->
                        assertThat(Listed.unlisted(differences(one), listed))
                            .as("mend it, or list it in differences.txt with its reason")
                            .isEmpty()));
  }

  @Test
  void every_listed_difference_is_still_there() {
    var found = new ArrayList<Difference>();
    cases.forEach(one -> found.addAll(differences(one)));
    assertThat(Listed.unmet(found, listed)).isEmpty();
  }

  @Test
  void there_are_sixty_of_them() {
    assertThat(cases.size()).isGreaterThanOrEqualTo(60);
  }
}
