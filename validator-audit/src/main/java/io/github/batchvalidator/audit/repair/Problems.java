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

  private final RepairOptions options;
  private final List<Problem> named = new ArrayList<>();
  private final List<String> notes = new ArrayList<>();
  private long others;
  private boolean isRefused;
  private boolean hasMissing;

  Problems(RepairOptions options) {
    this.options = options;
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
      named.add(new Problem(kind, first, last, text, isAccepted));
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
