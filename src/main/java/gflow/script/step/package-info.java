/** From the options of a step to what its tasks run with. */
@NullMarked
package gflow.script.step;

import org.jspecify.annotations.NullMarked;
