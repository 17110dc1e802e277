// SPDX-License-Identifier: Apache-2.0

package io.github.batchvalidator.broker;

import io.github.batchvalidator.testkit.broker.BrokerBeans;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import jdk.jfr.consumer.RecordedEvent;
import jdk.jfr.consumer.RecordedFrame;
import jdk.jfr.consumer.RecordedMethod;
import jdk.jfr.consumer.RecordedStackTrace;
import jdk.jfr.consumer.RecordingFile;
import jdk.management.jfr.FlightRecorderMXBean;
import org.HdrHistogram.Histogram;
import org.jspecify.annotations.Nullable;

/**
 * The flight recorder's events of the lock that {@code UnifiedLog.append} takes: each wait for it
 * that parked its thread. A thread that gets the lock at once or while it spins leaves no event. No
 * event tells for how long the lock is held.
 */
final class LockRecording {
  private static final String EVENT = "jdk.JavaMonitorEnter";
  private static final String LOG = ".UnifiedLog";
  private static final String METHOD = "append";
  private static final int DIGITS = 3;

  private final FlightRecorderMXBean recorder;
  private final long id;

  private LockRecording(FlightRecorderMXBean recorder, long id) {
    this.recorder = recorder;
    this.id = id;
  }

  /**
   * Returns the option that such a broker starts with. The lock is an {@code Object} like many, so
   * the frame tells whose it is; more of them would only take time.
   */
  static String option(Path folder) {
    return "-XX:FlightRecorderOptions=stackdepth=1,repository=" + folder;
  }

  static LockRecording start(BrokerBeans beans) throws IOException {
    FlightRecorderMXBean recorder = beans.flightRecorder();
    long id = recorder.newRecording();
    recorder.setRecordingSettings(
        id,
        Map.of(
            EVENT + "#enabled", "true",
            EVENT + "#threshold", "0 ns",
            EVENT + "#stackTrace", "true"));
    recorder.startRecording(id);
    return new LockRecording(recorder, id);
  }

  /**
   * Ends it, and returns the nanoseconds of the waits that ended between two times.
   *
   * @param file to which the broker writes the recording
   */
  Histogram stop(Path file, Instant from, Instant to) throws IOException {
    recorder.stopRecording(id);
    recorder.copyTo(id, file.toString());
    recorder.closeRecording(id);
    Histogram waits = new Histogram(DIGITS);
    try (RecordingFile events = new RecordingFile(file)) {
      while (events.hasMoreEvents()) {
        RecordedEvent event = events.readEvent();
        Instant end = event.getEndTime();
        if (event.getEventType().getName().equals(EVENT)
            && !end.isBefore(from)
            && !end.isAfter(to)
            && isOfAppend(event.getStackTrace())) {
          waits.recordValue(event.getDuration().toNanos());
        }
      }
    }
    return waits;
  }

  private static boolean isOfAppend(@Nullable RecordedStackTrace stack) {
    if (stack == null) {
      return false;
    }
    List<RecordedFrame> frames = stack.getFrames();
    if (frames.isEmpty()) {
      return false;
    }
    RecordedMethod method = frames.get(0).getMethod();
    return method.getName().equals(METHOD) && method.getType().getName().endsWith(LOG);
  }
}
