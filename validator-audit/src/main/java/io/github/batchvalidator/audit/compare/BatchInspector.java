// SPDX-License-Identifier: Apache-2.0

package io.github.batchvalidator.audit.compare;

import io.github.batchvalidator.BatchValidator;
import io.github.batchvalidator.audit.report.Fault;
import io.github.batchvalidator.audit.walk.StoredChecksum;
import io.github.batchvalidator.format.BigEndian;
import io.github.batchvalidator.format.Checksums;
import io.github.batchvalidator.rule.GzipInflater;
import io.github.batchvalidator.rule.Policy;
import io.github.batchvalidator.rule.Reason;
import io.github.batchvalidator.rule.Verdict;
import java.nio.ByteBuffer;
import org.jspecify.annotations.Nullable;

/** The checks of {@code ./check} for single batches. Confined to one thread. */
final class BatchInspector implements AutoCloseable {
  /** A placeholder, because no rule for stored batches uses the time. */
  private static final long NO_TIME = 0;

  private final BatchValidator validator = new BatchValidator(GzipInflater.JDK);
  private final Verdict verdict = BatchValidator.newVerdict();
  private final RecordComparison records = new RecordComparison();
  private final Checksums checksums = new Checksums();

  /** Returns the fault of a batch, or null if it is sound or its codec cannot be used. */
  @Nullable Fault inspect(CopyCursor batch) {
    ByteBuffer buffer = batch.buffer();
    int from = batch.index();
    buffer.clear().position(from).limit(from + batch.bytes());
    try {
      validator.inspect(buffer, Policy.STORED, NO_TIME, verdict);
    } finally {
      buffer.clear();
    }
    Reason reason = verdict.reason();
    boolean isUnknown = reason == Reason.CODEC_OUT_OF_MEMORY || reason == Reason.CODEC_UNAVAILABLE;
    return reason == null || isUnknown
        ? null
        : Fault.of(verdict, batch.position(), batch.baseOffset());
  }

  /** Returns false if the checksum of a batch is wrong. */
  boolean hasRightChecksum(CopyCursor batch) {
    StoredChecksum kind = StoredChecksum.of(batch.magic());
    if (batch.bytes() < kind.leastBytes()) {
      return false;
    }
    ByteBuffer buffer = batch.buffer();
    int from = batch.index();
    int start = from + kind.coveredFrom();
    int length = from + batch.bytes() - start;
    int sum =
        kind == StoredChecksum.CRC32C
            ? checksums.crc32c(buffer, start, length)
            : checksums.crc32(buffer, start, length);
    return sum == BigEndian.getInt(buffer, from + kind.offset());
  }

  /** Returns a comparison of records. */
  RecordComparison records() {
    return records;
  }

  @Override
  public void close() {
    validator.close();
    records.close();
  }
}
