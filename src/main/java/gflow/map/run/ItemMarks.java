package gflow.map.run;

import gflow.map.results.MapFolder;
import gflow.map.results.Try;

/** By which variables the processes of a map are known. */
final class ItemMarks {
  private static final String ITEM = "GFLOW_ITEM_MARK";

  private ItemMarks() {}

  /** An entry of the environment that no other try of any map has. */
  static String ofTry(MapFolder folder, Try work) {
    return ofMap(folder) + "#" + work.item().index() + "." + work.number();
  }

  /** What the entries of all its tries start with. */
  static String ofMap(MapFolder folder) {
    return ITEM + "=" + folder.path();
  }
}
