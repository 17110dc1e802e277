// SPDX-License-Identifier: Apache-2.0

package io.github.batchvalidator.audit.repair;

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
 * Without a missing offset no tombstone is missing, so no key comes back.
 */
final class CompactedMerge {
  private final List<Copy> copies;
  private final OpenRuns open;
  private final List<Run> plan = new ArrayList<>();

  /** A part of the base that is not sound. */
  private record Hole(Segment segment, long from, long to, long after, long before) {}

  private final List<Hole> holes = new ArrayList<>();

  CompactedMerge(List<Copy> copies, OpenRuns open) {
    this.copies = copies;
    this.open = open;
  }

  /** Returns the copy that becomes the base: the preferred one, or the first without holes. */
  Copy choose(RepairOptions options, Problems problems) throws IOException {
    List<Copy> candidates = new ArrayList<>(copies);
    if (options.preferred() != null) {
      candidates.removeIf(copy -> !options.prefers(copy));
    }
    Copy least = null;
    List<Hole> fewest = List.of();
    for (Copy copy : candidates) {
      plan(copy);
      if (holes.isEmpty()) {
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
      problems.refused(Kind.MISSING, hole.after() + 1, hole.before() - 1, text(hole));
    }
    return least;
  }

  private static String text(Hole hole) {
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

  /** Copies the planned runs. */
  void run(BatchSink sink) throws IOException {
    for (Run run : plan) {
      RunCursor cursor = open.open(run);
      while (cursor.next()) {
        if (cursor.base() > sink.next()) {
          sink.removed(cursor.base());
        }
        sink.take(cursor);
      }
      open.close(cursor);
    }
  }

  private void plan(Copy base) throws IOException {
    plan.clear();
    holes.clear();
    List<Run> runs = base.runs();
    int at = 0;
    long last = base.start() - 1;
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
      boolean isLast = at == runs.size() && segment == lastOf(base);
      if (position < segment.size() && !isLast) {
        long before = at < runs.size() ? runs.get(at).first() : Long.MAX_VALUE;
        fill(base, new Hole(segment, position, segment.size(), last, before));
      }
      last = plan.isEmpty() ? last : Math.max(last, plan.get(plan.size() - 1).last());
    }
    tail(base, last);
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
    hole.segment().openBytes();
    try {
      boolean isLeft = cursor.next();
      while (isLeft && cursor.base() <= hole.after()) {
        isLeft = cursor.next();
      }
      long from = cursor.position();
      long first = cursor.base();
      long at = hole.from();
      long last = hole.after();
      boolean isSame = true;
      boolean isWhole = true;
      while (isLeft && cursor.last() < hole.before() && cursor.size() <= hole.to() - at) {
        isWhole &= cursor.base() == last + 1 && cursor.isFull();
        isSame &= isSame(cursor, hole.segment(), at);
        at += cursor.size();
        last = cursor.last();
        isLeft = cursor.next();
      }
      isWhole &= last + 1 == hole.before();
      return at == hole.to() && (isSame || isWhole)
          ? Run.of(run.copy(), run.segment(), from, from + at - hole.from(), first, last)
          : null;
    } finally {
      open.close(cursor);
      if (!open.isOpen(hole.segment())) {
        hole.segment().close();
      }
    }
  }

  private static boolean isSame(RunCursor cursor, Segment damaged, long at) throws IOException {
    if (cursor.header() == null) {
      return false;
    }
    ByteBuffer crc = ByteBuffer.allocate(Integer.BYTES);
    damaged.read(crc, at + BatchLayout.CRC_OFFSET);
    int stored = cursor.buffer().duplicate().getInt(cursor.index() + BatchLayout.CRC_OFFSET);
    return crc.getInt(0) == stored || hasContent(cursor, damaged, at);
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
  private void tail(Copy base, long last) throws IOException {
    long end = last;
    boolean isLonger = true;
    while (isLonger) {
      long before = end;
      for (Copy copy : copies) {
        if (copy != base) {
          end = tailOf(copy, end);
        }
      }
      isLonger = end > before;
    }
    Segment segment = lastOf(base);
    for (Copy copy : copies) {
      if (copy.end() > end + 1) {
        holes.add(new Hole(segment, segment.size(), segment.size(), end, copy.end()));
        return;
      }
    }
  }

  private long tailOf(Copy copy, long end) throws IOException {
    long last = end;
    for (Run run : copy.runs()) {
      if (run.first() > last + 1 || run.last() <= last) {
        continue;
      }
      RunCursor cursor = open.open(run);
      boolean isLeft = cursor.next();
      while (isLeft && cursor.base() <= last) {
        isLeft = cursor.next();
      }
      long from = cursor.position();
      long first = cursor.base();
      while (isLeft && cursor.base() == last + 1 && cursor.isFull()) {
        last = cursor.last();
        isLeft = cursor.next();
      }
      if (last >= first) {
        plan.add(Run.of(copy, run.segment(), from, cursor.position(), first, last));
      }
      open.close(cursor);
    }
    return last;
  }
}
