/** The small languages that users write: times, sizes, arrays, signals, dependencies, names. */
@NullMarked
package gflow.script.value;

import org.jspecify.annotations.NullMarked;
