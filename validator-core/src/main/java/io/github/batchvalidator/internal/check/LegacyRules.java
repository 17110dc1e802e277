// SPDX-License-Identifier: Apache-2.0

package io.github.batchvalidator.internal.check;

import io.github.batchvalidator.format.LegacyHeader;
import io.github.batchvalidator.internal.scan.LegacyMessageIterator;
import io.github.batchvalidator.rule.Codec;
import io.github.batchvalidator.rule.Reason;
import io.github.batchvalidator.verdict.MutableVerdict;

/**
 * The rules for messages of magic 0 and 1, in addition to {@link RecordRules}. A rule is named
 * after its {@link Reason}. It returns true if the message passes; otherwise it writes to the
 * verdict and returns false.
 *
 * <p>Static, without state, never allocates.
 */
public final class LegacyRules {

  private LegacyRules() {}

  /**
   * Checks a compressed message before it is opened. For an uncompressed message, checks only the
   * codec.
   *
   * @param message of magic 0 or 1
   * @param verdict takes the first broken rule
   * @return true if the message passes
   */
  public static boolean checkOuter(LegacyHeader message, MutableVerdict verdict) {
    return BatchRules.batchCodecUnknown(message.codecId(), verdict)
        && (message.codecId() == Codec.NONE.id()
            || (batchCodecUnsupported(message, verdict)
                && batchFieldBeyondEnd(message, verdict)
                && batchValueMissing(message, verdict)));
  }

  static boolean batchCodecUnsupported(LegacyHeader message, MutableVerdict verdict) {
    return message.codecId() != Codec.ZSTD.id()
        || verdict.refuse(Reason.BATCH_CODEC_UNSUPPORTED, 0, message.codecId(), message.magic());
  }

  static boolean batchFieldBeyondEnd(LegacyHeader message, MutableVerdict verdict) {
    long end = message.fieldsEnd();
    int size = message.sizeInBytes();
    return end <= size || verdict.refuse(Reason.BATCH_FIELD_BEYOND_END, 0, end, size);
  }

  static boolean batchValueMissing(LegacyHeader message, MutableVerdict verdict) {
    return message.valueSize() >= 0
        || verdict.refuse(Reason.BATCH_VALUE_MISSING, 0, message.magic(), 0);
  }

  /**
   * Checks one message, first by the rules for messages in a compressed message. A rule that fails
   * only this message adds to the verdict's failures; any other rule sets the verdict's reason.
   *
   * @param message the iterator's current message
   * @param outer the compressed message, or the uncompressed message itself
   * @param recordRules the rules for every record, begun
   * @param verdict takes the first broken rule
   * @return true if the rules for every record were checked
   */
  public static boolean checkMessage(
      LegacyMessageIterator message,
      LegacyHeader outer,
      RecordRules recordRules,
      MutableVerdict verdict) {
    int index = message.index();
    long start = message.start();
    if ((outer.codecId() == Codec.NONE.id() || checkInner(message, outer, verdict))
        && (!recordRules.isKeyRequired()
            || recordFieldBeyondEnd(message.keySizeEnd(), message.size(), verdict))) {
      int keySize = message.hasKeySize() ? message.keySize() : 0;
      if (!recordRules.check(index, start, message.timestamp(), keySize, verdict)) {
        noteFailed(message, verdict);
      }
      return true;
    }
    if (verdict.decidedByRecords()) {
      noteFailed(message, verdict);
    } else {
      verdict.locate(index, start);
    }
    return false;
  }

  private static void noteFailed(LegacyMessageIterator message, MutableVerdict verdict) {
    verdict.failures().complete(message.offset(), 0, 0);
  }

  private static boolean checkInner(
      LegacyMessageIterator message, LegacyHeader outer, MutableVerdict verdict) {
    return recordCompressed(message, verdict)
        && recordMagicMismatch(message, outer.magic(), verdict)
        && recordCrcMismatch(message, verdict);
  }

  /**
   * Checks that key and value of a message in a compressed message can be read.
   *
   * @param message the iterator's current message, contiguous
   * @param verdict takes the refusal
   * @return true if they can be read
   */
  public static boolean checkReadable(LegacyMessageIterator message, MutableVerdict verdict) {
    return recordCompressed(message, verdict)
        && recordFieldBeyondEnd(message.fieldsEnd(), message.size(), verdict);
  }

  static boolean recordCompressed(LegacyMessageIterator message, MutableVerdict verdict) {
    return message.codecId() == Codec.NONE.id()
        || verdict.walk().refuse(Reason.RECORD_COMPRESSED, 0, message.codecId(), 0);
  }

  static boolean recordMagicMismatch(
      LegacyMessageIterator message, byte outerMagic, MutableVerdict verdict) {
    if (message.magic() == outerMagic) {
      return true;
    }
    verdict
        .walk()
        .fail(
            Reason.RECORD_MAGIC_MISMATCH,
            message.index(),
            message.start(),
            message.magic(),
            outerMagic);
    return false;
  }

  static boolean recordCrcMismatch(LegacyMessageIterator message, MutableVerdict verdict) {
    return message.crc() == message.computedCrc()
        || verdict
            .walk()
            .refuse(
                Reason.RECORD_CRC_MISMATCH,
                0,
                Integer.toUnsignedLong(message.crc()),
                Integer.toUnsignedLong(message.computedCrc()));
  }

  /**
   * Checks that the message contains a required field.
   *
   * @param end the smallest size of a message with that field, in bytes
   * @param size the size of the message in bytes
   * @param verdict takes the refusal
   * @return true if the message contains the field
   */
  public static boolean recordFieldBeyondEnd(long end, int size, MutableVerdict verdict) {
    return end <= size || verdict.walk().refuse(Reason.RECORD_FIELD_BEYOND_END, 0, end, size);
  }
}
