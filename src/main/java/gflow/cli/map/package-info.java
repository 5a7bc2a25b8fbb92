/** Commands of gmap. */
@NullMarked
package gflow.cli.map;

import org.jspecify.annotations.NullMarked;
