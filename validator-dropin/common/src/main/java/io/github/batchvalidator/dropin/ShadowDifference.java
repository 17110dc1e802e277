// SPDX-License-Identifier: Apache-2.0

package io.github.batchvalidator.dropin;

import java.util.EnumSet;
import java.util.Objects;
import java.util.Set;

/**
 * How two answers to an append differ. The first constant that applies names the kind; {@code
 * KAFKA_CRASHED} and {@code WRONG_CHECKSUM_KEPT} are known and wanted.
 */
enum ShadowDifference {
  /** A fault of ours: what came out is no exception of Kafka's, or wraps one that is not. */
  OURS_FAILED,
  /** Kafka's validator came down with what a broker knows no answer to. */
  KAFKA_CRASHED,
  /** Kafka's accepts. */
  ONLY_OURS_REFUSES,
  /** Ours accepts. */
  ONLY_KAFKA_REFUSES,
  /** A producer would be sent another code. */
  ERROR_CODE,
  /** Another class of the same code. */
  EXCEPTION,
  /** Not the same records are refused. */
  RECORD_ERRORS,
  /** The broker's meters would be marked otherwise. */
  METRICS,
  /** The offset counter stands elsewhere. */
  NEXT_OFFSET,
  /** Another number in the result, or one side wrote the records anew. */
  RESULT,
  /** The caller's records were changed otherwise. */
  CALLER_BYTES,
  /** Both wrote the records anew, and not the same ones. */
  STORED_RECORDS,
  /** Caller's bytes, but only in checksums that were wrong before: ours keeps them wrong. */
  WRONG_CHECKSUM_KEPT;

  /**
   * Compares two answers.
   *
   * @param before the bytes of the records, before anybody was given them
   * @return nothing if they are the same
   */
  static Set<ShadowDifference> between(ShadowAnswer stock, ShadowAnswer ours, byte[] before) {
    Set<ShadowDifference> found = EnumSet.noneOf(ShadowDifference.class);
    add(found, OURS_FAILED, ours.crashed() || Worker.isOwnFault(ours.thrown()));
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
    boolean bothAnew = stock.writtenAnew() != null && ours.writtenAnew() != null;
    boolean bothInPlace = stock.writtenAnew() == null && ours.writtenAnew() == null;
    boolean sameFields = Objects.equals(stock.fields(), ours.fields());
    add(found, RESULT, !sameFields || !(bothAnew || bothInPlace));
    if (stock.writtenAnew() != null && ours.writtenAnew() != null) {
      add(found, STORED_RECORDS, !ShadowRecords.same(stock.writtenAnew(), ours.writtenAnew()));
    }
  }

  private static void add(Set<ShadowDifference> found, ShadowDifference part, boolean differs) {
    if (differs) {
      found.add(part);
    }
  }

  /** {@return the name under which a difference is counted} */
  static String kind(Set<ShadowDifference> found, ShadowAnswer stock, ShadowAnswer ours) {
    ShadowDifference first = found.iterator().next();
    return first.compareTo(EXCEPTION) > 0
        ? first.name()
        : first.name() + " " + stock.type() + " " + ours.type();
  }
}
