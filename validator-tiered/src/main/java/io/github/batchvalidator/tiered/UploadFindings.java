// SPDX-License-Identifier: Apache-2.0

package io.github.batchvalidator.tiered;

import io.github.batchvalidator.audit.report.Fault;
import io.github.batchvalidator.audit.report.FileSummary;
import io.github.batchvalidator.audit.report.PartitionReason;
import io.github.batchvalidator.audit.report.Report;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The faults of one upload.
 *
 * <p>Wrong sequence numbers and epochs of producers are no damage: the broker has stored them so,
 * and all replicas have them. A refusal would block the partition for good, so they are counted
 * only.
 */
final class UploadFindings implements Report {
  /** The number of faults whose sentences are kept. */
  private static final int MAX_SENTENCES = 5;

  private static final Set<String> HISTORY =
      Stream.of(
              PartitionReason.PRODUCER_EPOCH_DECREASED,
              PartitionReason.PRODUCER_SEQUENCE_MISSING,
              PartitionReason.PRODUCER_SEQUENCE_NOT_ZERO,
              PartitionReason.PRODUCER_SEQUENCE_REPEATED,
              PartitionReason.TRANSACTION_COORDINATOR_EPOCH_DECREASED,
              PartitionReason.TRANSACTION_INTERRUPTED)
          .map(PartitionReason::name)
          .collect(Collectors.toUnmodifiableSet());

  private final String snapshotBefore;
  private final List<String> sentences = new ArrayList<>();
  private final Map<String, Long> reasons = new TreeMap<>();
  private final Map<String, Long> history = new TreeMap<>();
  private @Nullable String error;
  private long bytes;

  /**
   * Creates findings without faults.
   *
   * @param snapshotBefore a file that is not part of the upload, so that its faults are left out
   */
  UploadFindings(String snapshotBefore) {
    this.snapshotBefore = snapshotBefore;
  }

  @Override
  public void fault(String file, Fault fault) {
    if (fault.finding() || file.equals(snapshotBefore)) {
      return;
    }
    if (HISTORY.contains(fault.reason())) {
      history.merge(fault.reason(), 1L, Long::sum);
      return;
    }
    reasons.merge(fault.reason(), 1L, Long::sum);
    if (sentences.size() < MAX_SENTENCES) {
      sentences.add(sentence(file, fault));
    }
  }

  private static String sentence(String file, Fault fault) {
    String offset = fault.offset() == Fault.UNKNOWN ? "" : ", offset " + fault.offset();
    return fault.reason()
        + " in "
        + file
        + ", byte "
        + fault.position()
        + offset
        + ": "
        + fault.message();
  }

  @Override
  public void error(String file, String message) {
    if (error == null && !file.equals(snapshotBefore)) {
      error = file + ": " + message;
    }
  }

  /** Says that the audit itself failed. */
  void failed(Throwable why) {
    error("the audit failed", why.toString());
  }

  @Override
  public void file(FileSummary file) {
    bytes += file.bytes();
  }

  /** Returns true if there is at least one fault. */
  boolean isDamaged() {
    return !reasons.isEmpty();
  }

  /** Returns why the upload could not be audited to its end, or null if it was. */
  @Nullable String error() {
    return error;
  }

  /** Returns the number of faults by reason. */
  Map<String, Long> reasons() {
    return reasons;
  }

  /** Returns the number of entries in the history of producers that are wrong, by reason. */
  Map<String, Long> history() {
    return history;
  }

  /** Returns the bytes of the segment that were audited. */
  long bytes() {
    return bytes;
  }

  /** Returns the first faults in sentences, and the number of the others. */
  String text() {
    long count = reasons.values().stream().mapToLong(Long::longValue).sum();
    String more = count > sentences.size() ? "; and " + (count - sentences.size()) + " more" : "";
    return String.join("; ", sentences) + more;
  }
}
