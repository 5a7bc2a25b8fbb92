package gflow.map.items;

import java.io.IOException;
import java.io.InputStream;

/** The caller's; opened only if items come from there. */
public interface StandardInput {
  InputStream open() throws IOException;
}
