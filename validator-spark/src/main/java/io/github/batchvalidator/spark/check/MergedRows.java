// SPDX-License-Identifier: Apache-2.0

package io.github.batchvalidator.spark.check;

import io.github.batchvalidator.audit.SliceMerge;
import io.github.batchvalidator.audit.report.Fault;
import io.github.batchvalidator.audit.report.FileSummary;
import io.github.batchvalidator.audit.report.PartitionSummary;
import io.github.batchvalidator.audit.report.Report;
import io.github.batchvalidator.audit.report.RunSummary;
import java.util.ArrayDeque;
import java.util.Iterator;
import java.util.NoSuchElementException;
import scala.Tuple2;

/** The rows of a merge, computed chunk by chunk as they are taken. Confined to one thread. */
public final class MergedRows implements Iterator<Row> {
  private final Iterator<Tuple2<ChunkKey, Chunk>> chunks;
  private final ArrayDeque<Row> ready = new ArrayDeque<>();
  private final SliceMerge merge;
  private final SegmentMerge segments;
  private boolean ended;

  /**
   * Creates a merge.
   *
   * @param rules the rules of the run
   * @param chunks the chunks of some groups, by their keys
   */
  public MergedRows(Rules rules, Iterator<Tuple2<ChunkKey, Chunk>> chunks) {
    this.chunks = chunks;
    merge = new SliceMerge(new RowReport(ready), rules.compacted());
    segments = new SegmentMerge(rules, merge);
  }

  @Override
  public boolean hasNext() {
    try {
      while (ready.isEmpty() && !ended) {
        if (chunks.hasNext()) {
          segments.add(chunks.next()._2());
        } else {
          ready.add(new Row.Sums(merge.end(0, false), segments.profiles()));
          ended = true;
        }
      }
    } catch (InterruptedException e) {
      throw new IllegalStateException(e);
    }
    return !ready.isEmpty();
  }

  @Override
  public Row next() {
    if (!hasNext()) {
      throw new NoSuchElementException();
    }
    return ready.remove();
  }

  /**
   * A report of rows.
   *
   * @param rows takes the rows
   */
  private record RowReport(ArrayDeque<Row> rows) implements Report {
    @Override
    public void fault(String file, Fault fault) {
      rows.add(new Row.Fault(file, fault));
    }

    @Override
    public void error(String file, String message) {
      rows.add(new Row.Failure(file, message));
    }

    @Override
    public void file(FileSummary file) {
      rows.add(new Row.File(file));
    }

    @Override
    public void partition(PartitionSummary partition) {
      rows.add(new Row.Partition(partition));
    }

    @Override
    public void summary(RunSummary run) {
      // Those of all merges are added up.
    }
  }
}
