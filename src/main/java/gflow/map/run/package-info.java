/** The runner: deals the items out to slots, starts their programs or workers, and reports. */
@NullMarked
package gflow.map.run;

import org.jspecify.annotations.NullMarked;
