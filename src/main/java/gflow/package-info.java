/** Where the program starts: the only place that says {@code new} to everything. */
@NullMarked
package gflow;

import org.jspecify.annotations.NullMarked;
