// SPDX-License-Identifier: Apache-2.0

package io.github.batchvalidator.agent.keep;

import java.nio.file.Path;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.LongAdder;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** What the log, the counts and the flight recorder are told about cuts. Thread-safe. */
final class CutReport {
  /** The report of this JVM. */
  static final CutReport OF_JVM = new CutReport();

  /** A number of bytes that is not known, for example because the segment cannot be opened. */
  private static final long UNKNOWN = -1;

  private final Map<String, LongAdder> keptBytes = new ConcurrentHashMap<>();
  private final LongAdder torn = new LongAdder();
  private final LongAdder lost = new LongAdder();

  /** Reports a cut that loses nothing: a torn batch or zeros at the end of the log. */
  void torn(Path segment, long from, long size) {
    torn.increment();
    CutEvents.cut(CutOutcome.TORN, segment, size - from, "these bytes have no sound batch", "");
    LazyLogger.LOG.info(
        "Kafka cuts {} bytes at {} of {}, which have no sound batch", size - from, from, segment);
  }

  /** Reports a cut that would be kept. */
  void observed(Path segment, long bytes, CutCause cause) {
    CutEvents.cut(CutOutcome.OBSERVED, segment, bytes, cause.sentence(), "");
    LazyLogger.LOG.warn(
        "Kafka cuts {} bytes of {}: {}. Nothing is kept", bytes, segment, cause.sentence());
  }

  /** Reports kept bytes. */
  void kept(Path partition, Path segment, long bytes, CutCause cause, Path kept) {
    keptBytes
        .computeIfAbsent(String.valueOf(partition.getFileName()), any -> new LongAdder())
        .add(bytes);
    CutEvents.cut(CutOutcome.KEPT, segment, bytes, cause.sentence(), kept.toString());
    LazyLogger.LOG.warn("Kept {} bytes of {} as {}: {}", bytes, segment, kept, cause.sentence());
  }

  /** Reports that a file beside kept bytes could not be written. */
  void incomplete(Path file, Throwable thrown) {
    LazyLogger.LOG.warn("Cannot write what belongs to {}: {}", file, thrown.toString());
  }

  /** Reports a cut that should have been kept. */
  void lost(Path segment, CutCause cause, Throwable thrown) {
    lost.increment();
    CutEvents.cut(CutOutcome.LOST, segment, UNKNOWN, cause.sentence() + ": " + thrown, "");
    LazyLogger.LOG.error(
        "Cannot keep what Kafka cuts of {}: {}", segment, cause.sentence(), thrown);
  }

  /** {@return kept bytes by partition} */
  Map<String, Long> keptBytes() {
    Map<String, Long> found = new TreeMap<>();
    keptBytes.forEach((partition, bytes) -> found.put(partition, bytes.sum()));
    return found;
  }

  /** {@return the number of cuts that lost no sound batch} */
  long tornCuts() {
    return torn.sum();
  }

  /** {@return the number of cuts that should have been kept and were not} */
  long lostCuts() {
    return lost.sum();
  }

  /** A holder that creates the logger with the first message. The bean exists before logging. */
  private static final class LazyLogger {
    static final Logger LOG = LoggerFactory.getLogger(CutReport.class);
  }
}
