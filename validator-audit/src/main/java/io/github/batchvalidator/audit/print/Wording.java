// SPDX-License-Identifier: Apache-2.0

package io.github.batchvalidator.audit.print;

import io.github.batchvalidator.audit.report.Messages;
import io.github.batchvalidator.audit.report.StoredBatch;
import io.github.batchvalidator.rule.Codec;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.Locale;

/** The words of reports for people. */
final class Wording {
  /** A space at which no line breaks. */
  static final char FIXED_SPACE = '\u00a0';

  private static final DateTimeFormatter DATE =
      DateTimeFormatter.ofPattern("uuuu-MM-dd", Locale.ROOT);
  private static final DateTimeFormatter TIME =
      DateTimeFormatter.ofPattern("HH:mm:ss.SSS", Locale.ROOT);

  private Wording() {}

  /** Returns the name of a codec as Kafka's configuration spells it. */
  static String name(Codec codec) {
    return codec.name().toLowerCase(Locale.ROOT);
  }

  /** Returns what a control batch controls. */
  static String name(StoredBatch.Control control) {
    return switch (control.type()) {
      case StoredBatch.Control.NO_RECORD -> "control batch without a record";
      case StoredBatch.Control.UNREADABLE -> "control batch that cannot be read";
      case StoredBatch.Control.ABORT -> "abort marker";
      case StoredBatch.Control.COMMIT -> "commit marker";
      case 2 -> "leader change";
      case StoredBatch.Control.SNAPSHOT_HEADER -> "snapshot header";
      case StoredBatch.Control.SNAPSHOT_FOOTER -> "snapshot footer";
      case 5 -> "KRaft version";
      case 6 -> "KRaft voters";
      default -> "control type " + control.type();
    };
  }

  /** Returns a range of offsets. */
  static String offsets(long first, long last) {
    return first == last ? "offset " + first : "offsets " + first + " to " + last;
  }

  /** Returns a point in time, for example {@code 2026-11-20 20:46:26.486 UTC}. */
  static String time(long milliseconds) {
    return times(milliseconds, milliseconds);
  }

  /** Returns a range of time, whose end has no date if the date is that of the start. */
  static String times(long first, long last) {
    LocalDateTime start = utc(first);
    StringBuilder text =
        new StringBuilder(date(start.toLocalDate()) + FIXED_SPACE + TIME.format(start));
    if (last != first) {
      LocalDateTime end = utc(last);
      boolean isSameDay = end.toLocalDate().equals(start.toLocalDate());
      text.append(" to ").append(isSameDay ? "" : date(end.toLocalDate()) + FIXED_SPACE);
      text.append(TIME.format(end));
    }
    return text.append(FIXED_SPACE).append("UTC").toString();
  }

  private static String date(LocalDate day) {
    return DATE.format(day);
  }

  private static LocalDateTime utc(long milliseconds) {
    int nanos = (int) Math.floorMod(milliseconds, 1000L) * 1_000_000;
    return LocalDateTime.ofEpochSecond(Math.floorDiv(milliseconds, 1000L), nanos, ZoneOffset.UTC);
  }

  /** Returns the offsets, records, time and producer of a batch. */
  static String describe(StoredBatch batch) {
    StringBuilder text = new StringBuilder(offsets(batch.baseOffset(), batch.lastOffset()));
    text.append(", ").append(Messages.plural(batch.recordCount(), "record"));
    if (batch.maxTimestamp() >= 0) {
      text.append(", ").append(times(batch.baseTimestamp(), batch.maxTimestamp()));
    }
    if (batch.producerId() >= 0) {
      text.append(", producer ").append(batch.producerId());
      text.append(" epoch ").append(batch.producerEpoch());
    }
    return text.toString();
  }
}
