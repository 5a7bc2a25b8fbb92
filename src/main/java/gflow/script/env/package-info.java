/** The variables of a job and of its steps, byte for byte. */
@NullMarked
package gflow.script.env;

import org.jspecify.annotations.NullMarked;
