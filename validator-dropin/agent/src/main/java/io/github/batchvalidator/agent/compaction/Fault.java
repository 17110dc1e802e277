// SPDX-License-Identifier: Apache-2.0

package io.github.batchvalidator.agent.compaction;

import io.github.batchvalidator.rule.Reason;

/**
 * A fault of a stored batch that stops compaction.
 *
 * @param position the position of the batch in the file
 * @param offset the base offset of the batch, or -1 if it cannot be read
 * @param reason the reason
 * @param sentence a sentence about the fault
 */
record Fault(long position, long offset, Reason reason, String sentence) {
  @Override
  public String toString() {
    return "byte " + position + ", offset " + offset + ": " + reason + ": " + sentence;
  }
}
