// SPDX-License-Identifier: Apache-2.0

package io.github.batchvalidator.audit.repair;

import io.github.batchvalidator.audit.Settings;
import io.github.batchvalidator.audit.source.Segment;
import io.github.batchvalidator.audit.walk.SegmentWindow;
import java.io.IOException;
import java.util.ArrayDeque;
import java.util.HashMap;
import java.util.Map;

/** The runs that are being read. Segments are open as long as one of their runs is. */
final class OpenRuns implements AutoCloseable {
  private final Settings settings;
  private final Map<Segment, Integer> users = new HashMap<>();
  private final ArrayDeque<SegmentWindow> idle = new ArrayDeque<>();

  OpenRuns(Settings settings) {
    this.settings = settings;
  }

  /** Opens a run. The cursor is before the first batch. */
  RunCursor open(Run run) throws IOException {
    if (!users.containsKey(run.segment())) {
      run.segment().openBytes();
    }
    users.merge(run.segment(), 1, Integer::sum);
    SegmentWindow window = idle.poll();
    return new RunCursor(
        run,
        window == null
            ? new SegmentWindow(settings.windowBytes(), settings.maxWindowBytes())
            : window);
  }

  /** Ends the use of a run. */
  void close(RunCursor cursor) throws IOException {
    cursor.window().clear();
    idle.add(cursor.window());
    Segment segment = cursor.run().segment();
    int left = users.merge(segment, -1, Integer::sum);
    if (left == 0) {
      users.remove(segment);
      segment.close();
    }
  }

  /** Returns true if a run of a segment is being read. */
  boolean isOpen(Segment segment) {
    return users.containsKey(segment);
  }

  @Override
  public void close() throws IOException {
    for (Segment segment : users.keySet()) {
      segment.close();
    }
    users.clear();
  }
}
