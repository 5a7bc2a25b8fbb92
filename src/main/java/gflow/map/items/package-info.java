/**
 * What a map works on: items from lists, files, tables and JSON, and the command that takes them.
 */
@NullMarked
package gflow.map.items;

import org.jspecify.annotations.NullMarked;
