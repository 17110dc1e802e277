// SPDX-License-Identifier: Apache-2.0

package io.github.batchvalidator.cli;

import io.github.batchvalidator.internal.format.BatchLayout;
import io.github.batchvalidator.rule.Codec;
import io.github.batchvalidator.rule.Verdict;

/** What was counted in a slice, a file or a run. Not safe for use by several threads. */
final class Tally {
  private final long[] codecs = new long[Codec.count()];
  private long batches;
  private long records;
  private long controlBatches;
  private long plainBytes;
  private long storedBytes;
  private long faults;
  private long findings;

  /** Counts a batch; codec, records and sizes only as far as it could be read. */
  void batch(Verdict verdict) {
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

  /** Counts a fault, or a finding that is only told. */
  void fault(Fault fault) {
    if (fault.told()) {
      findings++;
    } else {
      faults++;
    }
  }

  /** Adds what another one counted. */
  void add(Tally other) {
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

  /** Returns the number of batches, control batches and unreadable ones included. */
  long batches() {
    return batches;
  }

  /** Returns the number of records that were read, control records included. */
  long records() {
    return records;
  }

  /** Returns the number of control batches. */
  long controlBatches() {
    return controlBatches;
  }

  /** Returns the bytes of the records as produced, decompressed. */
  long plainBytes() {
    return plainBytes;
  }

  /**
   * Returns the bytes of the records as they are stored, batch headers left out; of magic 0 and 1
   * the bytes of the messages.
   */
  long storedBytes() {
    return storedBytes;
  }

  /** Returns the number of faults reported. */
  long faults() {
    return faults;
  }

  /** Returns the number of findings that were told and are no faults. */
  long findings() {
    return findings;
  }

  /** Returns the number of batches of a codec. */
  long batches(Codec codec) {
    return codecs[codec.id()];
  }
}
