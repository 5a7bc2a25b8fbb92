package gflow.e2e;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;

/**
 * Items that say how they will go: {@code 7-good-0.02}. Each writes its name into a ledger when it
 * begins, so that everybody can see how often that was.
 */
final class KilledItems {
  static final String GOOD = "good";
  static final String BAD = "bad";

  /** It leaves a process behind that has to be found. */
  static final String MESSY = "messy";

  private static final String PARTS =
      """
      rest=${item#*-} kind=${rest%-*} seconds=${rest#*-}
      echo "$item" >>ledger
      [ $seconds = 0 ] || sleep $seconds
      """;

  private KilledItems() {}

  /** Most are short, a few hang a bit. Of a list of very short ones workers get many at once. */
  static List<String> choose(Random random) {
    boolean quick = random.nextInt(3) == 0;
    int count = quick ? 150 : 40;
    var items = new ArrayList<String>();
    for (int i = 0; i < count; i++) {
      items.add(i + "-" + kind(random.nextInt(20)) + "-" + seconds(random, quick));
    }
    return items;
  }

  private static String kind(int number) {
    return number < 3 ? BAD : number < 5 ? MESSY : GOOD;
  }

  private static String seconds(Random random, boolean quick) {
    if (quick) {
      return random.nextInt(40) == 0 ? "0.1" : "0";
    }
    int millis = random.nextInt(12) == 0 ? 300 : 5 + random.nextInt(45);
    return "%.3f".formatted(millis / 1000.0);
  }

  static String kind(String item) {
    return item.split("-", -1)[1];
  }

  static void write(Lab lab, Path folder, List<String> items) {
    lab.write(folder.resolve("items"), String.join("\n", items) + "\n");
    program(
        lab,
        folder.resolve("item"),
        """
        item=$1
        %s
        [ $kind != messy ] || setsid sleep 300 &
        [ $kind != bad ] || exit 3
        echo "did $item"
        """
            .formatted(PARTS));
    program(
        lab,
        folder.resolve("worker"),
        """
        echo '{"ready":true}'
        while read -r line; do
          index=${line#*:} item=${line#*'"item":"'}
          index=${index%%%%,*} item=${item%%%%'"'*}
          %s
          if [ $kind = messy ]; then setsid sleep 300 & echo noise; fi
          if [ $kind = bad ]; then say='"error":"no good"'; else say='"value":"did '$item'"'; fi
          echo "{\\"index\\":$index,$say}"
        done
        """
            .formatted(PARTS));
  }

  private static void program(Lab lab, Path file, String text) {
    lab.write(file, "#!/bin/sh\n" + text).toFile().setExecutable(true);
  }
}
