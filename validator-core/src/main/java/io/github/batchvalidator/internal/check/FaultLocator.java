// SPDX-License-Identifier: Apache-2.0

package io.github.batchvalidator.internal.check;

import io.github.batchvalidator.format.BatchHeader;
import io.github.batchvalidator.format.BatchLayout;
import io.github.batchvalidator.format.LegacyHeader;
import io.github.batchvalidator.internal.codec.ByteWindow;
import io.github.batchvalidator.internal.codec.CodecFailure;
import io.github.batchvalidator.internal.fault.Fault;
import io.github.batchvalidator.internal.scan.LegacyMessageIterator;
import io.github.batchvalidator.internal.scan.RecordWalk;
import io.github.batchvalidator.rule.Codec;
import io.github.batchvalidator.rule.Reason;
import io.github.batchvalidator.verdict.MutableVerdict;
import java.util.Objects;

/**
 * Methods that set the position of a fault among the records, and drop findings that it outweighs.
 * The position of a record inside a compressed payload is unknown.
 *
 * <p>Static, without state, never allocates. Every boolean result is false, so that a check can end
 * with it.
 */
public final class FaultLocator {

  private FaultLocator() {}

  /**
   * Sets the position of the failing record that refuses a batch of magic 2, if there is one.
   *
   * @param header of the batch
   * @param verdict the refusal
   * @return false
   */
  public static boolean ofRecord(BatchHeader header, MutableVerdict verdict) {
    verdict.failures().baseOffset(header.baseOffset());
    if (verdict.recordIndex() != MutableVerdict.NO_RECORD) {
      long before = header.codecId() == Codec.NONE.id() ? verdict.plainPosition() : 0;
      verdict.position(BatchLayout.HEADER_BYTES + (int) before);
    }
    return false;
  }

  /**
   * Refuses a batch of magic 2 whose records cannot be read to the end. Drops a failure of the last
   * record, because Kafka first checks what follows that record.
   *
   * @param records the walk that met the fault
   * @param codec of the batch
   * @param verdict takes the refusal
   * @return false
   */
  public static boolean unreadable(RecordWalk records, Codec codec, MutableVerdict verdict) {
    long read =
        codec == Codec.NONE ? records.window().plainPosition() : records.window().inputPosition();
    refuse(records, BatchLayout.HEADER_BYTES + (int) read, verdict);
    verdict.walk().forgetFailure(records.index());
    return false;
  }

  /**
   * Sets the position of a fault in a compressed message. The position in other messages is 0.
   *
   * @param messages all messages were read
   * @param outer the compressed message, or the uncompressed message itself
   * @param verdict the refusal
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
   * Refuses a message of magic 0 or 1 that cannot be read to the end. Drops all failures, because
   * Kafka reads the whole message before it checks the first inner message.
   *
   * @param messages the walk that met the fault
   * @param outer the message that contains the messages
   * @param verdict takes the refusal
   * @return false
   */
  public static boolean unreadable(
      LegacyMessageIterator messages, LegacyHeader outer, MutableVerdict verdict) {
    ByteWindow window = messages.window();
    boolean plain = outer.codecId() == Codec.NONE.id();
    // An uncompressed message is read from its prefix on.
    long at = plain ? window.plainPosition() : outer.valueSizeEnd() + window.inputPosition();
    refuse(messages, (int) at, verdict);
    verdict.walk().forgetFailures();
    return false;
  }

  /**
   * Refuses a batch whose inspection or rebuild ends with a lack of memory, so that a verdict has a
   * reason also if the caller catches the error. Does nothing for other exceptions.
   *
   * @param thrown what ended the inspection or rebuild
   * @param verdict takes the refusal
   */
  public static void ofMemory(Throwable thrown, MutableVerdict verdict) {
    if (CodecFailure.isLackOfMemory(thrown)) {
      Codec codec = verdict.codec();
      int id = codec == null ? Codec.NONE.id() : codec.id();
      verdict.refuse(Reason.CODEC_OUT_OF_MEMORY, 0, id, 0, thrown);
    }
  }

  private static void refuse(RecordWalk records, int at, MutableVerdict verdict) {
    Fault found = records.fault();
    Reason why = Objects.requireNonNull(found.reason());
    verdict.walk().refuse(why, at, found.first(), found.second(), found.cause());
    verdict.locate(records.index(), records.window().plainPosition());
    verdict.walk().atEnd(records.isAtEnd());
  }
}
