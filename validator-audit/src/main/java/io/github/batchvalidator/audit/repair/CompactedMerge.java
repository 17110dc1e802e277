// SPDX-License-Identifier: Apache-2.0

package io.github.batchvalidator.audit.repair;

import io.github.batchvalidator.audit.report.RepairSummary;
import io.github.batchvalidator.audit.report.RepairSummary.Kind;
import io.github.batchvalidator.audit.source.Segment;
import io.github.batchvalidator.format.BatchLayout;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A merge of copies of a compacted partition. Each broker compacts its own copy, so copies differ
 * and each may lack what another one has.
 *
 * <p>The log is that of one copy, the base. Only its damaged parts are taken from another copy, and
 * only if the other copy has the very batches that are damaged. They have as many bytes as the
 * part, and one of two things is true. Either the part has the stored checksum or the content of
 * each batch at its place. Or the batches have a record for each offset of the part, so that
 * nothing was removed from any of them; what compaction shortens has fewer bytes.
 *
 * <p>After the end of the base, batches of another copy are taken as long as no offset is missing.
 * Without a missing offset no tombstone is missing, so no key comes back. The other copy must have
 * the leader epoch of the base at its end, or another leader may have replaced the end of one.
 */
final class CompactedMerge {
  private final List<Copy> copies;
  private final RepairOptions options;
  private final Problems problems;
  private final OpenRuns open;
  private final EpochVotes votes;
  private final List<Run> plan = new ArrayList<>();

  /** A part of the base that is not sound. */
  private record Hole(Segment segment, long from, long to, long after, long before) {}

  private final List<Hole> holes = new ArrayList<>();

  /** The copies that go on after the plan, but have another leader epoch at its end. */
  private final List<Copy> diverged = new ArrayList<>();

  /** The last offset of the plan. */
  private long last;

  /** The leader epoch of the last batch of the plan. */
  private int epoch;

  /** The offset that the log ends before: an empty segment may start after the last offset. */
  private long end;

  CompactedMerge(List<Copy> copies, RepairOptions options, Problems problems, OpenRuns open) {
    this.copies = copies;
    this.options = options;
    this.problems = problems;
    this.open = open;
    votes = new EpochVotes(copies, problems);
  }

  /** Returns the copy that becomes the base: the preferred one, or the first without holes. */
  Copy choose() throws IOException {
    List<Copy> candidates = new ArrayList<>(copies);
    if (options.preferred() != null) {
      candidates.removeIf(copy -> !options.prefers(copy));
    }
    Copy least = null;
    List<Hole> fewest = List.of();
    for (Copy copy : candidates) {
      plan(copy);
      if (holes.isEmpty()) {
        diverged.forEach(other -> reportDiverged(copy, other));
        return copy;
      }
      if (least == null || holes.size() < fewest.size()) {
        least = copy;
        fewest = List.copyOf(holes);
      }
    }
    if (least == null) {
      throw new IOException("no copy");
    }
    for (Hole hole : fewest) {
      boolean isEnd = hole.before() == RepairSummary.END;
      long to = isEnd ? RepairSummary.END : hole.before() - 1;
      problems.refused(Kind.MISSING, hole.after() + 1, to, text(hole));
    }
    plan(least); // what else is wrong with it is reported, too
    return least;
  }

  private void reportDiverged(Copy base, Copy other) {
    String text =
        other.name()
            + " goes on after offset "
            + last
            + ", but does not have leader epoch "
            + epoch
            + " there, as "
            + base.name()
            + " has";
    problems.different(last + 1, other.end() - 1, text, options.preferred() != null);
  }

  private static String text(Hole hole) {
    if (!hole.segment().isOpened()) {
      return hole.segment().name()
          + " could not be opened, and which offsets compaction has left in it is unknown";
    }
    if (hole.from() == hole.to()) {
      return hole.segment().name()
          + " ends before offset "
          + (hole.after() + 1)
          + ", other copies go on, but not without gaps; compaction may have removed tombstones";
    }
    return hole.segment().name()
        + ": bytes "
        + hole.from()
        + " to "
        + (hole.to() - 1)
        + " are damaged, and no copy of this compacted partition is known to have the same batches";
  }

  /** Copies the planned runs. Reports batches that a new leader has replaced in another copy. */
  void run(BatchSink sink) throws IOException {
    for (Run run : plan) {
      RunCursor cursor = open.open(run);
      List<RunCursor> candidates = List.of(cursor); // those of other copies may be compacted
      while (cursor.next()) {
        if (cursor.base() > sink.next()) {
          sink.removed(cursor.base());
        }
        if (votes.isRefuted(cursor, candidates)) {
          boolean isDecided = options.preferred() != null;
          problems.different(cursor.base(), cursor.last(), votes.refutation(), isDecided);
        }
        sink.take(cursor);
      }
      open.close(cursor);
    }
    if (end > sink.next()) {
      sink.removed(end);
    }
  }

  private void plan(Copy base) throws IOException {
    plan.clear();
    holes.clear();
    List<Run> runs = base.runs();
    int at = 0;
    last = base.start() - 1;
    for (Segment segment : base.segments()) {
      long position = 0;
      for (; at < runs.size() && runs.get(at).segment() == segment; at++) {
        Run run = runs.get(at);
        if (run.from() > position) {
          fill(base, new Hole(segment, position, run.from(), last, run.first()));
        }
        plan.add(run);
        position = run.to();
        last = run.last();
      }
      long before = at < runs.size() ? runs.get(at).first() : RepairSummary.END;
      boolean isLast = at == runs.size() && segment == lastOf(base);
      if (!segment.isOpened()) {
        holes.add(new Hole(segment, 0, 0, last, before));
      } else if (position < segment.size() && !isLast) {
        fill(base, new Hole(segment, position, segment.size(), last, before));
      }
      last = plan.isEmpty() ? last : Math.max(last, plan.get(plan.size() - 1).last());
    }
    tail(base);
  }

  private static Segment lastOf(Copy copy) {
    return copy.segments().get(copy.segments().size() - 1);
  }

  private void fill(Copy base, Hole hole) throws IOException {
    for (Copy copy : copies) {
      if (copy == base) {
        continue;
      }
      for (Run run : copy.runs()) {
        if (run.last() > hole.after() && run.first() < hole.before()) {
          Run part = same(run, hole);
          if (part != null) {
            plan.add(part);
            return;
          }
        }
      }
    }
    holes.add(hole);
  }

  /** Returns the batches of a run that are those of a hole, or null. */
  private @Nullable Run same(Run run, Hole hole) throws IOException {
    RunCursor cursor = open.open(run);
    boolean isSame = opens(hole.segment());
    try {
      boolean isLeft = cursor.next();
      while (isLeft && cursor.base() <= hole.after()) {
        isLeft = cursor.next();
      }
      long from = cursor.position();
      long first = cursor.base();
      long at = hole.from();
      long to = hole.after();
      boolean isWhole = true;
      while (isLeft && cursor.last() < hole.before() && cursor.size() <= hole.to() - at) {
        isWhole &= cursor.base() == to + 1 && cursor.isFull();
        isSame = isSame && isSame(cursor, hole.segment(), at);
        at += cursor.size();
        to = cursor.last();
        isLeft = cursor.next();
      }
      isWhole &= to + 1 == hole.before();
      return at == hole.to() && (isSame || isWhole)
          ? Run.of(run.copy(), run.segment(), from, from + at - hole.from(), first, to)
          : null;
    } finally {
      open.close(cursor);
      if (!open.isOpen(hole.segment())) {
        hole.segment().close();
      }
    }
  }

  /** Returns false if the damaged segment cannot be opened. */
  private static boolean opens(Segment damaged) {
    try {
      damaged.openBytes();
      return true;
    } catch (IOException unreadable) {
      return false;
    }
  }

  /** Returns false if the damaged part cannot be read, too. */
  private static boolean isSame(RunCursor cursor, Segment damaged, long at) {
    if (cursor.header() == null) {
      return false;
    }
    ByteBuffer crc = ByteBuffer.allocate(Integer.BYTES);
    int stored = cursor.buffer().duplicate().getInt(cursor.index() + BatchLayout.CRC_OFFSET);
    try {
      damaged.read(crc, at + BatchLayout.CRC_OFFSET);
      return crc.getInt(0) == stored || hasContent(cursor, damaged, at);
    } catch (IOException unreadable) {
      return false;
    }
  }

  /** Returns true if the bytes under the checksum are in the damaged part. */
  private static boolean hasContent(RunCursor cursor, Segment damaged, long at) throws IOException {
    ByteBuffer content = cursor.buffer().duplicate().clear();
    content.position(cursor.index() + BatchLayout.ATTRIBUTES_OFFSET);
    content.limit(cursor.index() + cursor.size());
    ByteBuffer part = ByteBuffer.allocate(PART_BYTES);
    long position = at + BatchLayout.ATTRIBUTES_OFFSET;
    while (content.hasRemaining()) {
      part.clear().limit(Math.min(PART_BYTES, content.remaining()));
      damaged.read(part, position);
      position += part.limit();
      part.flip();
      ByteBuffer same = content.slice(content.position(), part.limit());
      if (!same.equals(part)) {
        return false;
      }
      content.position(content.position() + part.limit());
    }
    return true;
  }

  private static final int PART_BYTES = 1 << 12;

  /** Adds what follows the base in other copies, as long as nothing was removed from it. */
  private void tail(Copy base) throws IOException {
    epoch = copies.stream().anyMatch(this::isLonger) ? lastEpoch() : EpochHistory.UNKNOWN;
    long before;
    do {
      before = last;
      diverged.clear();
      for (Copy copy : copies) {
        if (copy != base && isLonger(copy)) {
          tailOf(copy);
        }
      }
    } while (last > before);
    end = Math.max(last + 1, base.end());
    Segment segment = lastOf(base);
    for (Copy copy : copies) {
      if (copy.end() > end && !diverged.contains(copy)) {
        holes.add(new Hole(segment, segment.size(), segment.size(), end - 1, copy.end()));
        return;
      }
    }
  }

  private boolean isLonger(Copy copy) {
    return copy.end() > last + 1;
  }

  /** Returns the leader epoch of the last batch of the plan. */
  private int lastEpoch() throws IOException {
    int found = EpochHistory.UNKNOWN;
    if (!plan.isEmpty()) {
      RunCursor cursor = open.open(plan.get(plan.size() - 1));
      while (cursor.next()) {
        found = cursor.epoch();
      }
      open.close(cursor);
    }
    return found;
  }

  private void tailOf(Copy copy) throws IOException {
    int stated = copy.epochs().isClean() ? copy.epochs().at(last) : EpochHistory.UNKNOWN;
    boolean isOther = epoch >= 0 && stated >= 0 && stated != epoch;
    for (Run run : copy.runs()) {
      if (isOther || run.first() > last + 1 || run.last() <= last) {
        continue;
      }
      RunCursor cursor = open.open(run);
      boolean isLeft = cursor.next();
      while (isLeft && cursor.base() <= last) {
        isOther |= contradicts(cursor);
        isLeft = cursor.next();
      }
      isOther |= isLeft && contradicts(cursor);
      long from = cursor.position();
      long first = last + 1;
      while (isLeft && !isOther && cursor.base() == last + 1 && cursor.isFull()) {
        last = cursor.last();
        epoch = Math.max(epoch, cursor.epoch());
        isLeft = cursor.next();
      }
      if (last >= first) {
        plan.add(Run.of(copy, run.segment(), from, cursor.position(), first, last));
      }
      open.close(cursor);
    }
    if (isOther) {
      diverged.add(copy);
    }
  }

  /** Returns true if a batch of another copy has no place beside the last batch of the plan. */
  private boolean contradicts(RunCursor batch) {
    int other = batch.epoch();
    boolean isTooHigh = other > epoch && batch.base() <= last;
    boolean isTooLow = other < epoch && batch.last() >= last;
    return epoch >= 0 && other >= 0 && (isTooHigh || isTooLow);
  }
}
