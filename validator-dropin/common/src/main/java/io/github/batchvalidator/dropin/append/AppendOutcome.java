// SPDX-License-Identifier: Apache-2.0

package io.github.batchvalidator.dropin.append;

import java.nio.ByteBuffer;
import org.jspecify.annotations.Nullable;

/**
 * The values of a {@code ValidationResult}, in types that all Kafka lines share. Reused for the
 * next append. Confined to one thread.
 */
public final class AppendOutcome {
  private long appendTimeMs;
  private long maxTimestamp;
  private long temporaryBytes;
  private @Nullable ByteBuffer rebuilt;
  private int convertedRecords;
  private long conversionNanos;

  AppendOutcome() {}

  void setInPlace(long nowMs, long largestTimestamp, long bytes) {
    appendTimeMs = nowMs;
    maxTimestamp = largestTimestamp;
    temporaryBytes = bytes;
    rebuilt = null;
    convertedRecords = 0;
    conversionNanos = 0;
  }

  void setRebuilt(long nowMs, long largestTimestamp, long bytes, ByteBuffer batch) {
    setInPlace(nowMs, largestTimestamp, bytes);
    rebuilt = batch;
  }

  void setConversion(int records, long nanos) {
    convertedRecords = records;
    conversionNanos = nanos;
  }

  void clear() {
    rebuilt = null;
  }

  /** {@return the time of the append, in milliseconds since the epoch} */
  public long appendTimeMs() {
    return appendTimeMs;
  }

  /** {@return the rebuilt batch, or null if the caller's records are stored} */
  public @Nullable ByteBuffer rebuilt() {
    return rebuilt;
  }

  /** {@return the largest timestamp of the records, the append time, or -1} */
  public long maxTimestamp() {
    return maxTimestamp;
  }

  /** {@return the temporary memory in bytes, counted as Kafka counts it} */
  public long temporaryBytes() {
    return temporaryBytes;
  }

  /** {@return the number of rebuilt records} */
  public int convertedRecords() {
    return convertedRecords;
  }

  /** {@return the duration of the rebuild, in nanoseconds} */
  public long conversionNanos() {
    return conversionNanos;
  }
}
