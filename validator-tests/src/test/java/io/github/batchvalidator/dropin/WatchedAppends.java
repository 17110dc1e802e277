// SPDX-License-Identifier: Apache-2.0

package io.github.batchvalidator.dropin;

import io.github.batchvalidator.rule.Codec;
import io.github.batchvalidator.testing.Batches;
import io.github.batchvalidator.testing.RecordBytes;
import java.io.File;
import java.lang.management.ManagementFactory;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import javax.management.MBeanServer;
import javax.management.ObjectName;
import javax.management.openmbean.TabularData;
import jdk.jfr.Recording;
import jdk.jfr.consumer.RecordedEvent;
import jdk.jfr.consumer.RecordingFile;
import org.apache.kafka.common.compress.Compression;
import org.apache.kafka.common.record.internal.MemoryRecords;
import org.apache.kafka.common.utils.BufferSupplier;
import org.apache.kafka.common.utils.PrimitiveRef;

/**
 * Prints what JMX and the flight recorder show of appends. Runs in a separate JVM, where {@code
 * LogValidator} is that of the drop-in jar, and reads it by names alone, as a tool does.
 */
final class WatchedAppends {
  private static final String LOG_VALIDATOR = "org.apache.kafka.storage.internals.log.LogValidator";

  private WatchedAppends() {}

  /** Needs the name of a file for the recording. */
  public static void main(String[] arguments) throws Exception {
    MBeanServer server = ManagementFactory.getPlatformMBeanServer();
    ObjectName name = new ObjectName("io.github.batchvalidator:type=DropIn");
    System.out.println("before: " + server.isRegistered(name));
    try (Recording recording = new Recording()) {
      recording.start();
      append(new RecordBytes());
      loadAnotherCopy();
      append(new RecordBytes());
      append(new RecordBytes().headerCount(new byte[] {1}));
      recording.stop();
      recording.dump(Path.of(arguments[0]));
    }
    System.out.println("line: " + server.getAttribute(name, "KafkaLine"));
    System.out.println("accepted: " + server.getAttribute(name, "Accepted"));
    System.out.println("refused: " + server.getAttribute(name, "Refused"));
    TabularData reasons = (TabularData) server.getAttribute(name, "RefusedByReason");
    Object[] key = {"RECORD_HEADER_COUNT_INVALID"};
    System.out.println("by reason: " + reasons.get(key).get("value"));
    for (RecordedEvent event : RecordingFile.readAllEvents(Path.of(arguments[0]))) {
      if (event.getEventType().getName().equals("io.github.batchvalidator.RefusedBatch")) {
        System.out.println("event: " + event.getString("where") + " " + event.getString("reason"));
      }
    }
  }

  /** The same jars once more, as a container of plug-ins may load them. */
  private static void loadAnotherCopy() throws Exception {
    List<URL> jars = new ArrayList<>();
    for (String entry : System.getProperty("java.class.path").split(File.pathSeparator, -1)) {
      jars.add(Path.of(entry).toUri().toURL());
    }
    try (URLClassLoader loader =
        new URLClassLoader(jars.toArray(new URL[0]), ClassLoader.getPlatformClassLoader())) {
      String named = DropIn.class.getPackageName() + ".line.LineAppend";
      Class<?> copy = Class.forName(named, true, loader);
      System.out.println("copy: " + (copy.getClassLoader() == loader));
      Class.forName(LOG_VALIDATOR, true, loader);
    }
  }

  private static void append(RecordBytes record) {
    ByteBuffer batch = Batches.ofPlain(Codec.LZ4, 1, record.toBytes());
    Compression lz4 = Batches.compression(Codec.LZ4);
    try {
      AppendSettings.DEFAULTS
          .validator(MemoryRecords.readableRecords(batch), lz4.type(), lz4)
          .validateMessagesAndAssignOffsets(
              PrimitiveRef.ofLong(7), new RecordedMetrics(), BufferSupplier.NO_CACHING);
    } catch (RuntimeException e) {
      System.out.println("thrown: " + e.getClass().getSimpleName());
    }
  }
}
