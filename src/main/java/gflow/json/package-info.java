/**
 * Records to JSON and back, by their components: one rule for the API, the store and {@code
 * --json}.
 */
@NullMarked
package gflow.json;

import org.jspecify.annotations.NullMarked;
