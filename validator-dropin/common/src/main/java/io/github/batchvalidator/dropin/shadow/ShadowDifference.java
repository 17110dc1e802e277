// SPDX-License-Identifier: Apache-2.0

package io.github.batchvalidator.dropin.shadow;

import io.github.batchvalidator.dropin.engine.OwnFault;
import java.util.EnumSet;
import java.util.Objects;
import java.util.Set;

/**
 * The ways in which two answers to an append differ. The first constant that applies names the kind
 * of the difference. {@code KAFKA_CRASHED} and {@code WRONG_CHECKSUM_KEPT} are known and intended.
 */
enum ShadowDifference {
  /** Our validator failed: its exception is not Kafka's, or it wraps one that is not. */
  OURS_FAILED,
  /** Kafka's validator threw an exception for which a broker has no error code. */
  KAFKA_CRASHED,
  /** Kafka's validator accepts. */
  ONLY_OURS_REFUSES,
  /** Our validator accepts. */
  ONLY_KAFKA_REFUSES,
  /** The producer would receive another error code. */
  ERROR_CODE,
  /** The exceptions have the same error code but different classes. */
  EXCEPTION,
  /** The refused records differ. */
  RECORD_ERRORS,
  /** The marked meters differ. */
  METRICS,
  /** The offset counters differ. */
  NEXT_OFFSET,
  /** A number in the results differs, or only one side rebuilt the records. */
  RESULT,
  /** The bytes of the caller's records differ after the call. */
  CALLER_BYTES,
  /** Both sides rebuilt the records, and the rebuilt batches differ. */
  STORED_RECORDS,
  /** The bytes differ only in checksums that were wrong before the call. Ours keeps them wrong. */
  WRONG_CHECKSUM_KEPT;

  /**
   * Compares two answers.
   *
   * @param before the bytes of the records before both calls
   * @return the differences; empty if the answers agree
   */
  static Set<ShadowDifference> between(ShadowAnswer stock, ShadowAnswer ours, byte[] before) {
    Set<ShadowDifference> found = EnumSet.noneOf(ShadowDifference.class);
    add(found, OURS_FAILED, ours.crashed() || OwnFault.is(ours.thrown()));
    add(found, KAFKA_CRASHED, stock.crashed());
    add(found, ONLY_OURS_REFUSES, stock.accepted() && !ours.accepted());
    add(found, ONLY_KAFKA_REFUSES, ours.accepted() && !stock.accepted());
    if (!stock.accepted() && !ours.accepted()) {
      add(found, ERROR_CODE, stock.errorCode() != ours.errorCode());
      add(found, EXCEPTION, !stock.type().equals(ours.type()));
      add(found, RECORD_ERRORS, !stock.failingRecords().equals(ours.failingRecords()));
    }
    add(found, METRICS, !stock.metrics().sameAs(ours.metrics()));
    add(found, NEXT_OFFSET, stock.nextOffset() != ours.nextOffset());
    if (stock.accepted() && ours.accepted()) {
      compareResults(found, stock, ours);
    }
    if (!stock.caller().equals(ours.caller())) {
      boolean known = ShadowRecords.differInWrongChecksums(before, stock.caller(), ours.caller());
      found.add(known ? WRONG_CHECKSUM_KEPT : CALLER_BYTES);
    }
    return found;
  }

  private static void compareResults(
      Set<ShadowDifference> found, ShadowAnswer stock, ShadowAnswer ours) {
    boolean bothRebuilt = stock.rebuilt() != null && ours.rebuilt() != null;
    boolean bothInPlace = stock.rebuilt() == null && ours.rebuilt() == null;
    boolean sameFields = Objects.equals(stock.fields(), ours.fields());
    add(found, RESULT, !sameFields || !(bothRebuilt || bothInPlace));
    if (stock.rebuilt() != null && ours.rebuilt() != null) {
      add(found, STORED_RECORDS, !ShadowRecords.same(stock.rebuilt(), ours.rebuilt()));
    }
  }

  private static void add(Set<ShadowDifference> found, ShadowDifference part, boolean differs) {
    if (differs) {
      found.add(part);
    }
  }

  /** {@return the kind under which a difference is counted} */
  static String kind(Set<ShadowDifference> found, ShadowAnswer stock, ShadowAnswer ours) {
    ShadowDifference first = found.iterator().next();
    return first.compareTo(EXCEPTION) > 0
        ? first.name()
        : first.name() + " " + stock.type() + " " + ours.type();
  }
}
