// SPDX-License-Identifier: Apache-2.0

package io.github.batchvalidator.audit.repair;

import io.github.batchvalidator.audit.report.RepairSummary.Kind;
import io.github.batchvalidator.audit.report.RepairSummary.Problem;
import java.util.ArrayList;
import java.util.List;

/** What prevents a repair, or what was lost or decided because the user asked for it. */
final class Problems {
  /** The maximum number of problems that are named. The others are counted. */
  private static final int MAX_NAMED = 100;

  private static final String AS_STORED =
      "; a batch there has a right checksum but breaks a rule: --as-stored takes it as it is";

  private final RepairOptions options;
  private final List<Copy> copies;
  private final List<Problem> named = new ArrayList<>();
  private final List<String> notes = new ArrayList<>();
  private long others;
  private boolean isRefused;
  private boolean hasMissing;

  Problems(RepairOptions options, List<Copy> copies) {
    this.options = options;
    this.copies = copies;
  }

  /** Adds offsets that no copy has. The last one may be {@code RepairSummary.END}. */
  void missing(long first, long last, String text) {
    hasMissing = true;
    add(Kind.MISSING, first, last, text, options.losesRecords());
  }

  /** Returns true if offsets are missing. */
  boolean hasMissing() {
    return hasMissing;
  }

  /** Adds a difference between sound copies. */
  void different(long first, long last, String text, boolean isDecided) {
    add(Kind.DIFFERENT, first, last, text, isDecided);
  }

  /** Adds a marker of a transaction that may be lost. */
  void marker(long first, long last, String text) {
    add(Kind.MARKER, first, last, text, options.losesMarkers());
  }

  /** Adds what cannot be decided at all. */
  void refused(Kind kind, long first, long last, String text) {
    add(kind, first, last, text, false);
  }

  private void add(Kind kind, long first, long last, String text, boolean isAccepted) {
    isRefused |= !isAccepted;
    if (named.size() < MAX_NAMED) {
      boolean isStored =
          kind == Kind.MISSING
              && !options.asStored()
              && copies.stream().anyMatch(copy -> copy.breaksRule(first, last));
      String message = isStored ? text + AS_STORED : text;
      named.add(new Problem(kind, first, last, message, isAccepted));
    } else {
      others++;
    }
  }

  /** Adds a decision that needs no consent. */
  void note(String text) {
    if (notes.size() < MAX_NAMED) {
      notes.add(text);
    }
  }

  boolean isRefused() {
    return isRefused;
  }

  List<Problem> named() {
    return named;
  }

  List<String> notes() {
    return notes;
  }

  long others() {
    return others;
  }
}
