// SPDX-License-Identifier: Apache-2.0

package io.github.batchvalidator.audit.compare;

import io.github.batchvalidator.audit.compare.CopyPart.State;
import io.github.batchvalidator.audit.report.CompareReason;
import io.github.batchvalidator.audit.report.Fault;
import io.github.batchvalidator.audit.report.FileFault;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * The offsets from one on where copies do not have the same bytes, up to the next offset at which
 * no copy is inside a sound batch. {@link #read} moves the cursors past them.
 */
final class Place {
  /** The maximum number of offsets that the header of a damaged batch is believed. */
  private static final long MAX_BELIEVED = 1 << 20;

  private final List<Side> sides;
  private final long offset;
  private final boolean compacted;
  private final BatchInspector inspector;
  private final CopyPart[] parts;

  /** The first side with each content. Its index plus 1 is the number of the content. */
  private final List<Side> contents = new ArrayList<>();

  /** The sides whose contents are sound. */
  private final List<Side> sound = new ArrayList<>();

  private long end;
  private long bytes;
  private boolean hasOtherBorders;
  private boolean differInEpochOnly;
  private boolean showsCompaction;
  private int records;
  private String fields = "";
  private final RecordDifference recordDifference = new RecordDifference();

  Place(List<Side> sides, long offset, boolean compacted, BatchInspector inspector) {
    this.sides = sides;
    this.offset = offset;
    this.compacted = compacted;
    this.inspector = inspector;
    parts = new CopyPart[sides.size()];
  }

  /** Reads what each copy has, and moves the cursors past it. */
  void read() {
    for (Side side : sides) {
      if (side.isAt(offset)) {
        takeContent(side);
      } else {
        parts[side.index()] = gap(side);
      }
    }
    for (Side first : contents) {
      judge(first);
    }
    compareSound();
    end = sound.isEmpty() ? endOfDamage() : sound.stream().mapToLong(this::endOf).max().orElse(0);
    for (Side side : sides) {
      if (side.isAt(offset)) {
        side.advance();
      }
    }
    takeOverlapping();
  }

  private long endOf(Side side) {
    CopyCursor cursor = side.cursor();
    return offset + (cursor.lastOffset() - cursor.baseOffset()) + 1;
  }

  /** Notes the content of a batch, which may be that of an earlier side. */
  private void takeContent(Side side) {
    CopyCursor cursor = side.cursor();
    int from = side.isMisplaced() ? Long.BYTES : 0;
    int content = 0;
    for (int i = 0; i < contents.size() && content == 0; i++) {
      Side other = contents.get(i);
      int common = other.isMisplaced() ? Long.BYTES : from;
      content = cursor.hasBytesOf(other.cursor(), common) ? i + 1 : 0;
    }
    if (content == 0) {
      contents.add(side);
      content = contents.size();
      bytes = bytes == 0 ? cursor.bytes() : bytes;
    }
    State state = side.isMisplaced() ? State.MISPLACED : State.SOUND;
    int index = side.index();
    parts[index] = CopyPart.at(cursor, index, state, content);
  }

  private static CopyPart gap(Side side) {
    Trouble trouble = side.cursor().trouble();
    FileFault fault = trouble.fault();
    if (trouble.isGone() || trouble.hasError()) {
      return CopyPart.without(side.index(), State.UNKNOWN, null);
    }
    boolean isTorn = side.cursor().isEnded() && trouble.isTornTail();
    State state = fault == null ? State.MISSING : State.DAMAGED;
    side.reportedTrouble();
    return CopyPart.without(side.index(), isTorn ? State.DAMAGED : state, fault);
  }

  /** Inspects a content. If all copies have the same one, its checksum is enough. */
  private void judge(Side first) {
    Fault fault = null;
    if (contents.size() > 1 || !inspector.hasRightChecksum(first.cursor())) {
      fault = first.fault();
    }
    int content = contents.indexOf(first) + 1;
    if (fault == null) {
      sound.add(first);
      records += BatchFields.recordCount(first.cursor());
      showsCompaction |= BatchFields.showsCompaction(first.cursor());
      return;
    }
    for (Side side : sides) {
      CopyPart part = parts[side.index()];
      if (part.content() == content) {
        parts[side.index()] = CopyPart.without(side.index(), State.DAMAGED, side.fileFault());
      }
    }
  }

  /** Compares the first sound content with the others, while their bytes are in memory. */
  private void compareSound() {
    for (int i = 1; i < sound.size(); i++) {
      CopyCursor one = sound.get(0).cursor();
      CopyCursor other = sound.get(i).cursor();
      if (compacted) {
        inspector.records().compare(one, other, recordDifference);
      }
      if (fields.isEmpty()) {
        fields = BatchFields.different(one, other);
        differInEpochOnly = BatchFields.differInEpochOnly(one, other);
      }
    }
  }

  /** Returns where the offsets of damaged batches end, which no sound batch shows. */
  private long endOfDamage() {
    long next = CopyCursor.NO_OFFSET;
    long believed = offset;
    for (Side side : sides) {
      CopyCursor cursor = side.cursor();
      boolean isHere = side.isAt(offset);
      long after = isHere ? cursor.followingOffset() : cursor.baseOffset();
      next = after > offset ? Math.min(next, after) : next;
      if (isHere && cursor.lastOffset() - offset < MAX_BELIEVED) {
        believed = Math.max(believed, cursor.lastOffset());
      }
    }
    return next == CopyCursor.NO_OFFSET ? believed + 1 : next;
  }

  /** Takes batches that start inside a sound batch of another copy. */
  private void takeOverlapping() {
    boolean isMoved = true;
    while (isMoved) {
      isMoved = false;
      for (Side side : sides) {
        CopyCursor cursor = side.cursor();
        if (!cursor.isEnded() && cursor.baseOffset() >= offset && cursor.baseOffset() < end) {
          takeOverlapping(side);
          isMoved = true;
        }
      }
    }
  }

  private void takeOverlapping(Side side) {
    CopyCursor cursor = side.cursor();
    int index = side.index();
    FileFault before = cursor.trouble().fault();
    FileFault fault = before == null ? side.fileFault() : before;
    if (fault != null) {
      parts[index] = CopyPart.without(index, State.DAMAGED, fault);
    } else {
      hasOtherBorders = true;
      end = Math.max(end, cursor.lastOffset() + 1);
      if (parts[index].content() == 0) {
        contents.add(side);
        parts[index] = CopyPart.at(cursor, index, State.SOUND, contents.size());
      }
    }
    side.advance();
  }

  /** Returns the offset after the place. */
  long end() {
    return end;
  }

  /** Returns the size of the first content. */
  long bytes() {
    return bytes;
  }

  long offset() {
    return offset;
  }

  List<Side> sides() {
    return sides;
  }

  List<CopyPart> parts() {
    return List.of(parts);
  }

  /** Returns true if a batch shows that the cleaner has rewritten it. */
  boolean showsCompaction() {
    return showsCompaction;
  }

  /** Returns the number of records that only some of the copies have. */
  long partialRecords() {
    boolean isMissing = Arrays.stream(parts).anyMatch(part -> part.state() == State.MISSING);
    return isMissing ? records : recordDifference.numberInOne();
  }

  /** Returns true if batches differ whose records cannot be compared. */
  boolean isIncomparable() {
    return recordDifference.isIncomparable();
  }

  private boolean has(State state) {
    return Arrays.stream(parts).anyMatch(part -> part.state() == state);
  }

  /** Returns the most important reason for which the copies differ, or null if they do not. */
  @Nullable CompareReason reason() {
    if (sound.size() > 1 || hasOtherBorders) {
      CompareReason reason = compacted && !hasOtherBorders ? reasonOfRecords() : reasonOfBatches();
      if (reason != null) {
        return reason;
      }
    }
    if (has(State.MISPLACED)) {
      return CompareReason.COPY_BASE_OFFSET_DIFFERS;
    }
    if (has(State.DAMAGED)) {
      return CompareReason.COPY_DAMAGED;
    }
    return has(State.MISSING) ? CompareReason.COPY_OFFSETS_MISSING : null;
  }

  private CompareReason reasonOfBatches() {
    if (differInEpochOnly && !hasOtherBorders) {
      return CompareReason.COPY_LEADER_EPOCH_DIFFERS;
    }
    return epochs().contains(" and ")
        ? CompareReason.COPY_DIVERGED
        : CompareReason.COPY_BATCH_DIFFERS;
  }

  private @Nullable CompareReason reasonOfRecords() {
    return recordDifference.isFound() ? CompareReason.COPY_RECORDS_DIFFER : null;
  }

  private String epochs() {
    return Arrays.stream(parts)
        .filter(part -> part.state() == State.SOUND)
        .map(CopyPart::leaderEpoch)
        .distinct()
        .sorted()
        .map(String::valueOf)
        .collect(Collectors.joining(" and "));
  }

  /** Returns the sentence for a reason. */
  String message(CompareReason reason) {
    return switch (reason) {
      case COPY_DAMAGED -> reason.describe(count(State.DAMAGED));
      case COPY_OFFSETS_MISSING -> reason.describe(count(State.MISSING));
      case COPY_BASE_OFFSET_DIFFERS -> reason.describe(count(State.MISPLACED));
      case COPY_LEADER_EPOCH_DIFFERS, COPY_DIVERGED -> reason.describe(epochs());
      case COPY_RECORDS_DIFFER -> reason.describe(recordDifference.text());
      default -> reason.describe(hasOtherBorders ? "borders of batches" : fields);
    };
  }

  private String count(State state) {
    long number = Arrays.stream(parts).filter(part -> part.state() == state).count();
    return number + " of " + parts.length + " copies";
  }
}
