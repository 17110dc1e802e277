// SPDX-License-Identifier: Apache-2.0

package io.github.batchvalidator.cli;

import io.github.batchvalidator.audit.report.CompareReason;
import io.github.batchvalidator.audit.report.PartitionReason;
import io.github.batchvalidator.audit.report.SegmentReason;
import io.github.batchvalidator.audit.report.TieredReason;
import io.github.batchvalidator.rule.Limits;
import io.github.batchvalidator.rule.Reason;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;

/** The values of options that a shell completes. */
final class Candidates {
  private Candidates() {}

  /** The values of {@code --level}. */
  static final class Levels implements Iterable<String> {
    Levels() {}

    @Override
    public Iterator<String> iterator() {
      return List.of("kafka", "strict").iterator();
    }
  }

  /** The values of {@code --limits}. */
  static final class Presets implements Iterable<String> {
    Presets() {}

    @Override
    public Iterator<String> iterator() {
      return Limits.PRESETS.iterator();
    }
  }

  /** The reasons that {@code --explain} knows. */
  static final class Reasons implements Iterable<String> {
    Reasons() {}

    @Override
    public Iterator<String> iterator() {
      List<String> names = new ArrayList<>();
      for (Reason reason : Reason.values()) {
        names.add(reason.name());
      }
      for (SegmentReason reason : SegmentReason.values()) {
        names.add(reason.name());
      }
      for (PartitionReason reason : PartitionReason.values()) {
        names.add(reason.name());
      }
      for (TieredReason reason : TieredReason.values()) {
        names.add(reason.name());
      }
      for (CompareReason reason : CompareReason.values()) {
        names.add(reason.name());
      }
      return names.iterator();
    }
  }
}
