// SPDX-License-Identifier: Apache-2.0

package io.github.batchvalidator.agent.recovery;

import java.io.File;
import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.util.Iterator;
import org.apache.kafka.storage.internals.log.LogSegment;
import org.apache.kafka.storage.internals.log.ProducerStateManager;
import org.apache.kafka.storage.internals.log.TimestampOffset;

/**
 * The members of Kafka's classes that are private, or that use a type whose package differs between
 * Kafka lines.
 *
 * <p>Nothing here is called once per batch, only once per segment or per batch that changes the
 * state of a producer. Thread-safe.
 */
final class SegmentHandles {
  private static final Class<Object> ANY = Object.class;

  private final MethodHandle log;
  private final MethodHandle channel;
  private final MethodHandle sizeInBytes;
  private final MethodHandle file;
  private final MethodHandle indexInterval;
  private final MethodHandle setMaxTimestamp;
  private final MethodHandle updateProducerState;
  private final MethodHandle newBatch;
  private final MethodHandle records;
  private final MethodHandle deserializeMarker;

  /** Finds all members with the class loader of the segment. */
  SegmentHandles() throws ReflectiveOperationException {
    MethodHandles.Lookup segments =
        MethodHandles.privateLookupIn(LogSegment.class, MethodHandles.lookup());
    Class<?> fileRecords = LogSegment.class.getMethod("log").getReturnType();
    String recordPackage = fileRecords.getPackageName();
    ClassLoader loader = LogSegment.class.getClassLoader();
    Class<?> recordBatch = Class.forName(recordPackage + ".RecordBatch", true, loader);
    Class<?> recordType = Class.forName(recordPackage + ".Record", true, loader);
    Class<?> marker = Class.forName(recordPackage + ".EndTransactionMarker", true, loader);
    Class<?> batchClass = Class.forName(recordPackage + ".DefaultRecordBatch", true, loader);

    log =
        segments
            .findVirtual(LogSegment.class, "log", MethodType.methodType(fileRecords))
            .asType(MethodType.methodType(ANY, LogSegment.class));
    channel =
        segments
            .findVirtual(fileRecords, "channel", MethodType.methodType(FileChannel.class))
            .asType(MethodType.methodType(FileChannel.class, ANY));
    sizeInBytes =
        segments
            .findVirtual(fileRecords, "sizeInBytes", MethodType.methodType(int.class))
            .asType(MethodType.methodType(int.class, ANY));
    file =
        segments
            .findVirtual(fileRecords, "file", MethodType.methodType(File.class))
            .asType(MethodType.methodType(File.class, ANY));
    indexInterval = segments.findGetter(LogSegment.class, "indexIntervalBytes", int.class);
    setMaxTimestamp =
        segments.findSetter(LogSegment.class, "maxTimestampAndOffsetSoFar", TimestampOffset.class);
    updateProducerState =
        segments
            .findVirtual(
                LogSegment.class,
                "updateProducerState",
                MethodType.methodType(void.class, ProducerStateManager.class, recordBatch))
            .asType(
                MethodType.methodType(
                    void.class, LogSegment.class, ProducerStateManager.class, ANY));
    newBatch =
        MethodHandles.privateLookupIn(batchClass, MethodHandles.lookup())
            .findConstructor(batchClass, MethodType.methodType(void.class, ByteBuffer.class))
            .asType(MethodType.methodType(ANY, ByteBuffer.class));
    records =
        segments
            .findVirtual(recordBatch, "iterator", MethodType.methodType(Iterator.class))
            .asType(MethodType.methodType(Iterator.class, ANY));
    deserializeMarker =
        segments
            .findStatic(marker, "deserialize", MethodType.methodType(marker, recordType))
            .asType(MethodType.methodType(ANY, ANY));
  }

  /** {@return the {@code FileRecords} of a segment} */
  Object log(LogSegment segment) throws Throwable {
    return (Object) log.invokeExact(segment);
  }

  FileChannel channel(Object fileRecords) throws Throwable {
    return (FileChannel) channel.invokeExact(fileRecords);
  }

  int sizeInBytes(Object fileRecords) throws Throwable {
    return (int) sizeInBytes.invokeExact(fileRecords);
  }

  File file(Object fileRecords) throws Throwable {
    return (File) file.invokeExact(fileRecords);
  }

  int indexInterval(LogSegment segment) throws Throwable {
    return (int) indexInterval.invokeExact(segment);
  }

  void setMaxTimestamp(LogSegment segment, TimestampOffset value) throws Throwable {
    setMaxTimestamp.invokeExact(segment, value);
  }

  /** Applies a batch to the state of its producer, by Kafka's code. */
  void updateProducerState(LogSegment segment, ProducerStateManager state, Object batch)
      throws Throwable {
    updateProducerState.invokeExact(segment, state, batch);
  }

  /** {@return Kafka's batch object; a data batch may lack its records} */
  Object newBatch(ByteBuffer bytes) throws Throwable {
    return (Object) newBatch.invokeExact(bytes);
  }

  /** Reads the marker of a control batch, as Kafka does, and throws what Kafka throws. */
  void readMarker(Object controlBatch) throws Throwable {
    Iterator<?> first = (Iterator<?>) (Iterator) records.invokeExact(controlBatch);
    Object record = first.next();
    Object ignored = (Object) deserializeMarker.invokeExact(record);
  }
}
