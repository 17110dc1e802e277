// SPDX-License-Identifier: Apache-2.0

package io.github.batchvalidator.audit.report;

import io.github.batchvalidator.format.BatchLayout;
import io.github.batchvalidator.rule.Codec;
import io.github.batchvalidator.rule.Verdict;
import java.io.Serializable;

/** The counts of a slice, a file or a run. Not thread-safe. */
public final class Tally implements Serializable {
  private static final long serialVersionUID = 1;

  private final long[] codecs = new long[Codec.count()];
  private long batches;
  private long records;
  private long controlBatches;
  private long plainBytes;
  private long storedBytes;
  private long faults;
  private long findings;

  /** Counts a batch. Codec, records and sizes are counted only as far as they could be read. */
  public void batch(Verdict verdict) {
    batches++;
    Codec codec = verdict.codec();
    if (codec == null) {
      return;
    }
    codecs[codec.id()]++;
    records += verdict.recordCount();
    controlBatches += verdict.control() ? 1 : 0;
    plainBytes += verdict.plainBytes();
    boolean hasHeader = verdict.magic() == BatchLayout.MAGIC_V2;
    storedBytes += verdict.batchBytes() - (hasHeader ? BatchLayout.HEADER_BYTES : 0);
  }

  /** Counts a fault or a finding. */
  public void fault(Fault fault) {
    if (fault.finding()) {
      findings++;
    } else {
      faults++;
    }
  }

  /** Adds faults and findings that concern more than one batch. */
  public void add(long moreFaults, long moreFindings) {
    faults += moreFaults;
    findings += moreFindings;
  }

  /** Adds the counts of another tally. */
  public void add(Tally other) {
    for (int i = 0; i < codecs.length; i++) {
      codecs[i] += other.codecs[i];
    }
    batches += other.batches;
    records += other.records;
    controlBatches += other.controlBatches;
    plainBytes += other.plainBytes;
    storedBytes += other.storedBytes;
    faults += other.faults;
    findings += other.findings;
  }

  /** Returns the number of batches, including control batches and unreadable batches. */
  public long batches() {
    return batches;
  }

  /** Returns the number of records that were read, including control records. */
  public long records() {
    return records;
  }

  public long controlBatches() {
    return controlBatches;
  }

  /** Returns the decompressed size of the records, in bytes. */
  public long plainBytes() {
    return plainBytes;
  }

  /**
   * Returns the stored size of the records in bytes, without batch headers. For magic 0 and 1 this
   * is the size of the messages.
   */
  public long storedBytes() {
    return storedBytes;
  }

  /** Returns the number of faults, without findings. */
  public long faults() {
    return faults;
  }

  public long findings() {
    return findings;
  }

  /** Returns the number of batches of a codec. */
  public long batches(Codec codec) {
    return codecs[codec.id()];
  }
}
