/**
 * What the administrator of a daemon may set, and where its things lie. The file is a small part of
 * TOML; all that is wrong with it is said at once, with line numbers.
 */
@NullMarked
package gflow.config;

import org.jspecify.annotations.NullMarked;
