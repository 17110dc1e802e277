// SPDX-License-Identifier: Apache-2.0

package io.github.batchvalidator.internal.check;

import io.github.batchvalidator.internal.codec.ByteWindow;
import io.github.batchvalidator.internal.format.BatchHeader;
import io.github.batchvalidator.internal.format.BatchLayout;
import io.github.batchvalidator.internal.format.LegacyHeader;
import io.github.batchvalidator.internal.scan.LegacyMessageIterator;
import io.github.batchvalidator.internal.scan.RecordWalk;
import io.github.batchvalidator.internal.verdict.MutableVerdict;
import io.github.batchvalidator.rule.Codec;

/**
 * Where in a batch a fault lies that was found among its records, and what of the earlier findings
 * it leaves. Inside of a compressed payload nobody can say where a single record lies.
 *
 * <p>Static, without state, never allocates. Every method returns false, so that a check can end
 * with it.
 */
public final class FaultLocator {

  private FaultLocator() {}

  /**
   * Places the failing record that decides about a batch of magic 2, if one does.
   *
   * @param header of the batch
   * @param codec of the batch
   * @param verdict that refuses
   * @return false
   */
  public static boolean ofRecord(BatchHeader header, Codec codec, MutableVerdict verdict) {
    verdict.failures().baseOffset(header.baseOffset());
    if (verdict.recordIndex() != MutableVerdict.NO_RECORD) {
      long before = codec == Codec.NONE ? verdict.plainPosition() : 0;
      verdict.position(BatchLayout.HEADER_BYTES + (int) before);
    }
    return false;
  }

  /**
   * Refuses a batch of magic 2 whose records cannot be read to the end. Kafka looks at what lies
   * behind the last record before it checks that one.
   *
   * @param records that met the fault
   * @param codec of the batch
   * @param verdict is told
   * @return false
   */
  public static boolean unreadable(RecordWalk records, Codec codec, MutableVerdict verdict) {
    long read =
        codec == Codec.NONE ? records.window().plainPosition() : records.window().inputPosition();
    refuse(records, BatchLayout.HEADER_BYTES + (int) read, verdict);
    verdict.forgetFailure(records.index());
    return false;
  }

  /**
   * Places a fault of a message in a compressed one; of any other it is at the start.
   *
   * @param messages all of which were read
   * @param outer the message that they are in, or that they are
   * @param verdict that refuses
   * @return false
   */
  public static boolean ofMessage(
      LegacyMessageIterator messages, LegacyHeader outer, MutableVerdict verdict) {
    verdict.failures().baseOffset(messages.baseOffset());
    if (outer.codecId() != Codec.NONE.id()) {
      verdict.position((int) outer.valueSizeEnd());
    }
    return false;
  }

  /**
   * Refuses a message of magic 0 or 1 that cannot be read to the end. Kafka reads it as a whole
   * before it checks the first one in it.
   *
   * @param messages that met the fault
   * @param outer the message that they are in
   * @param verdict is told
   * @return false
   */
  public static boolean unreadable(
      LegacyMessageIterator messages, LegacyHeader outer, MutableVerdict verdict) {
    ByteWindow window = messages.window();
    boolean plain = outer.codecId() == Codec.NONE.id();
    // One that is not compressed is read from its prefix on.
    long at = plain ? window.plainPosition() : outer.valueSizeEnd() + window.inputPosition();
    refuse(messages, (int) at, verdict);
    verdict.forgetFailures();
    return false;
  }

  private static void refuse(RecordWalk records, int at, MutableVerdict verdict) {
    verdict.refuse(records.fault(), at);
    verdict.locate(records.index(), records.window().plainPosition());
    verdict.atEnd(records.isAtEnd());
  }
}
