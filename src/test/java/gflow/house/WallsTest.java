package gflow.house;

import static org.assertj.core.api.Assertions.assertThat;

import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import gflow.job.JobId;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

@Execution(ExecutionMode.CONCURRENT)
class WallsTest {
  private static final String BAD_HOUSE = "gflow.house.fixture";
  private static final JavaClasses HOUSE =
      new ClassFileImporter()
          .importUrl(JobId.class.getProtectionDomain().getCodeSource().getLocation());
  private static final JavaClasses FIXTURES = new ClassFileImporter().importPackages(BAD_HOUSE);

  static Stream<String> names() {
    return new Walls("gflow").rules().keySet().stream();
  }

  @ParameterizedTest(name = "{0}")
  @MethodSource("names")
  void the_house_keeps_its_walls(String name) {
    new Walls("gflow").rules().get(name).check(HOUSE);
  }

  @ParameterizedTest(name = "{0}")
  @MethodSource("names")
  void the_bad_house_runs_into_each_wall(String name) {
    assertThat(new Walls(BAD_HOUSE).rules().get(name).evaluate(FIXTURES).hasViolation()).isTrue();
  }

  /** Some commands run in the daemon, which would end with them. */
  @Test
  void each_way_to_end_the_process_is_a_wall() {
    var bad = new Walls(BAD_HOUSE).rules().get(Walls.NO_END).evaluate(FIXTURES);

    assertThat(bad.getFailureReport().getDetails())
        .hasSize(3)
        .anyMatch(line -> line.contains("System.exit(int)"))
        .anyMatch(line -> line.contains("Runtime.exit(int)"))
        .anyMatch(line -> line.contains("Runtime.halt(int)"));
  }

  @Test
  void the_table_was_found() {
    assertThat(Walls.ROOMS).containsEntry("plan", List.of("job")).hasSizeGreaterThan(10);
  }

  @Test
  void every_room_has_its_walls() {
    assertThat(HOUSE.stream().map(c -> c.getPackageName()).distinct().sorted())
        .allSatisfy(
            name ->
                assertThat(Walls.ROOMS.keySet().stream().map(room -> "gflow." + room))
                    .as("%s is a room, or in one, or the root", name)
                    .anyMatch(r -> name.equals("gflow") || (name + ".").startsWith(r + ".")));
  }
}
