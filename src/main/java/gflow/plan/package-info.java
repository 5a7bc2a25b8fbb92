/**
 * Who runs next: the machine as the planner sees it, the book of waiting jobs, the plan with its
 * one reservation, and the reason of every wait. Pure: the same view gives the same plan.
 */
@NullMarked
package gflow.plan;

import org.jspecify.annotations.NullMarked;
