/** How a map is made: what was ordered, checked and written down before its job is submitted. */
@NullMarked
package gflow.map.plan;

import org.jspecify.annotations.NullMarked;
