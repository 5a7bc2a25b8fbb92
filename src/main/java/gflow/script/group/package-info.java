/**
 * What a server and its clients are as one job: the group file, its roles, and what is waited for
 * before the next role starts.
 */
@NullMarked
package gflow.script.group;

import org.jspecify.annotations.NullMarked;
