package gflow;

import gflow.door.OwnCall;
import java.util.List;

/** A placeholder until the rooms are joined: says what it was called with. */
public final class Main {
  private Main() {}

  public static void main(String[] args) {
    var call = OwnCall.of(List.of(args));
    System.out.println(call.command() + " " + call.arguments());
  }
}
