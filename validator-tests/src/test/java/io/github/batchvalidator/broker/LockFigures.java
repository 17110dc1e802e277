// SPDX-License-Identifier: Apache-2.0

package io.github.batchvalidator.broker;

/**
 * The measurements of the lock in one run.
 *
 * @param held by the agent that measures
 * @param waited by the flight recorder, in the window behind
 */
record LockFigures(LockHoldFigures held, LockWaitFigures waited) {}
