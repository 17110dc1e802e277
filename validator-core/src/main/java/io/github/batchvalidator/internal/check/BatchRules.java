// SPDX-License-Identifier: Apache-2.0

package io.github.batchvalidator.internal.check;

import io.github.batchvalidator.format.BatchHeader;
import io.github.batchvalidator.format.BatchLayout;
import io.github.batchvalidator.format.BigEndian;
import io.github.batchvalidator.format.Checksums;
import io.github.batchvalidator.format.LegacyLayout;
import io.github.batchvalidator.rule.Codec;
import io.github.batchvalidator.rule.Policy;
import io.github.batchvalidator.rule.Reason;
import io.github.batchvalidator.verdict.MutableVerdict;
import java.nio.ByteBuffer;

/**
 * The rules for the header of a batch. A rule is named after its {@link Reason}. It returns true if
 * the batch passes; otherwise it writes the refusal to the verdict and returns false.
 *
 * <p>Static, without state, never allocates.
 */
public final class BatchRules {

  private BatchRules() {}

  /**
   * Checks the rules that come before the checksum, while the header may still be corrupt.
   *
   * @param header of the batch; for magic 0 and 1 only fields shared with magic 2 are read
   * @param policy the rules for the batch
   * @param verdict takes the first broken rule
   * @return true if the batch passes
   */
  public static boolean checkBeforeChecksum(
      BatchHeader header, Policy policy, MutableVerdict verdict) {
    return batchMagicUnsupported(header, policy, verdict)
        && batchBaseOffsetNotZero(header, policy, verdict)
        && batchTooLarge(header, policy, verdict)
        && batchHeaderIncomplete(header, verdict);
  }

  /**
   * Compares the stored checksum with the checksum of the covered bytes, if the policy requires it.
   *
   * @param header of the batch; for magic 0 and 1 only fields shared with magic 2 are read
   * @param buffer contains the batch
   * @param checksums computes the checksum
   * @param policy the rules for the batch
   * @param verdict takes the refusal
   * @return true if the checksums are equal or not compared
   */
  public static boolean checkChecksum(
      BatchHeader header,
      ByteBuffer buffer,
      Checksums checksums,
      Policy policy,
      MutableVerdict verdict) {
    if (policy.checkedByHost()) {
      return true;
    }
    int start = header.start();
    int size = header.sizeInBytes();
    if (header.magic() == BatchLayout.MAGIC_V2) {
      int covered = BatchLayout.ATTRIBUTES_OFFSET;
      int computed = checksums.crc32c(buffer, start + covered, size - covered);
      return batchCrcMismatch(header.crc(), computed, verdict);
    }
    int covered = LegacyLayout.MAGIC_OFFSET;
    int stored = BigEndian.getInt(buffer, start + LegacyLayout.CRC_OFFSET);
    int computed = checksums.crc32(buffer, start + covered, size - covered);
    return batchCrcMismatch(stored, computed, verdict);
  }

  /**
   * Checks the rules that come after the checksum.
   *
   * @param header of the batch
   * @param policy the rules for the batch
   * @param verdict takes the first broken rule
   * @return true if the batch passes
   */
  public static boolean checkAfterChecksum(
      BatchHeader header, Policy policy, MutableVerdict verdict) {
    return batchOffsetRangeInvalid(header, policy, verdict)
        && batchCountNotPositive(header, policy, verdict)
        && batchCountMismatch(header, policy, verdict)
        && batchControlNotAllowed(header, policy, verdict)
        && batchSequenceInvalid(header, policy, verdict)
        && batchTransactionalUnsupported(header, policy, verdict)
        && batchIdempotentUnsupported(header, policy, verdict)
        && batchCodecUnknown(header.codecId(), verdict);
  }

  static boolean batchMagicUnsupported(BatchHeader header, Policy policy, MutableVerdict verdict) {
    return policy.checkedByHost()
        || !Reason.BATCH_MAGIC_UNSUPPORTED.appliesTo(policy.origin())
        || header.magic() == BatchLayout.MAGIC_V2
        || verdict.refuse(Reason.BATCH_MAGIC_UNSUPPORTED, 0, header.magic(), 0);
  }

  static boolean batchBaseOffsetNotZero(BatchHeader header, Policy policy, MutableVerdict verdict) {
    return policy.checkedByHost()
        || !Reason.BATCH_BASE_OFFSET_NOT_ZERO.appliesTo(policy.origin())
        || header.baseOffset() == 0
        || verdict.refuse(Reason.BATCH_BASE_OFFSET_NOT_ZERO, 0, header.baseOffset(), 0);
  }

  static boolean batchTooLarge(BatchHeader header, Policy policy, MutableVerdict verdict) {
    return policy.checkedByHost()
        || !Reason.BATCH_TOO_LARGE.appliesTo(policy.origin())
        || header.sizeInBytes() <= policy.maxBatchBytes()
        || verdict.refuse(Reason.BATCH_TOO_LARGE, 0, header.sizeInBytes(), policy.maxBatchBytes());
  }

  static boolean batchHeaderIncomplete(BatchHeader header, MutableVerdict verdict) {
    return header.magic() != BatchLayout.MAGIC_V2
        || header.sizeInBytes() >= BatchLayout.HEADER_BYTES
        || verdict.refuse(Reason.BATCH_HEADER_INCOMPLETE, 0, header.sizeInBytes(), 0);
  }

  static boolean batchCrcMismatch(int stored, int computed, MutableVerdict verdict) {
    return stored == computed
        || verdict.refuse(
            Reason.BATCH_CRC_MISMATCH,
            0,
            Integer.toUnsignedLong(stored),
            Integer.toUnsignedLong(computed));
  }

  static boolean batchOffsetRangeInvalid(
      BatchHeader header, Policy policy, MutableVerdict verdict) {
    return !Reason.BATCH_OFFSET_RANGE_INVALID.appliesTo(policy.origin())
        || header.lastOffsetDelta() >= 0
        || verdict.refuse(Reason.BATCH_OFFSET_RANGE_INVALID, 0, header.lastOffsetDelta(), 0);
  }

  static boolean batchCountNotPositive(BatchHeader header, Policy policy, MutableVerdict verdict) {
    return !Reason.BATCH_COUNT_NOT_POSITIVE.appliesTo(policy.origin())
        || header.recordCount() > 0
        || verdict.refuse(Reason.BATCH_COUNT_NOT_POSITIVE, 0, header.recordCount(), 0);
  }

  static boolean batchCountMismatch(BatchHeader header, Policy policy, MutableVerdict verdict) {
    long offsets = header.lastOffsetDelta() + 1L;
    return !Reason.BATCH_COUNT_MISMATCH.appliesTo(policy.origin())
        || header.recordCount() == offsets
        || verdict.refuse(Reason.BATCH_COUNT_MISMATCH, 0, header.recordCount(), offsets);
  }

  static boolean batchControlNotAllowed(BatchHeader header, Policy policy, MutableVerdict verdict) {
    return !Reason.BATCH_CONTROL_NOT_ALLOWED.appliesTo(policy.origin())
        || !header.isControl()
        || verdict.refuse(Reason.BATCH_CONTROL_NOT_ALLOWED, 0, 0, 0);
  }

  static boolean batchSequenceInvalid(BatchHeader header, Policy policy, MutableVerdict verdict) {
    return !Reason.BATCH_SEQUENCE_INVALID.appliesTo(policy.origin())
        || header.producerId() < 0
        || header.baseSequence() >= 0
        || verdict.refuse(
            Reason.BATCH_SEQUENCE_INVALID, 0, header.baseSequence(), header.producerId());
  }

  static boolean batchTransactionalUnsupported(
      BatchHeader header, Policy policy, MutableVerdict verdict) {
    return policy.target().magic() == BatchLayout.MAGIC_V2
        || !Reason.BATCH_TRANSACTIONAL_UNSUPPORTED.appliesTo(policy.origin())
        || !header.isTransactional()
        || verdict.refuse(Reason.BATCH_TRANSACTIONAL_UNSUPPORTED, 0, policy.target().magic(), 0);
  }

  static boolean batchIdempotentUnsupported(
      BatchHeader header, Policy policy, MutableVerdict verdict) {
    return policy.target().magic() == BatchLayout.MAGIC_V2
        || !Reason.BATCH_IDEMPOTENT_UNSUPPORTED.appliesTo(policy.origin())
        || header.producerId() < 0
        || verdict.refuse(Reason.BATCH_IDEMPOTENT_UNSUPPORTED, 0, policy.target().magic(), 0);
  }

  /**
   * Checks that the codec exists.
   *
   * @param codecId 0 to 7
   * @param verdict takes the refusal
   * @return true if the codec exists
   */
  public static boolean batchCodecUnknown(int codecId, MutableVerdict verdict) {
    return Codec.byId(codecId) != null || verdict.refuse(Reason.BATCH_CODEC_UNKNOWN, 0, codecId, 0);
  }
}
