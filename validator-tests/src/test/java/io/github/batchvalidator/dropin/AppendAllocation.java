// SPDX-License-Identifier: Apache-2.0

package io.github.batchvalidator.dropin;

import io.github.batchvalidator.AllocationMeter;
import io.github.batchvalidator.ZstdForeignCalls;
import io.github.batchvalidator.format.BatchLayout;
import io.github.batchvalidator.rule.Codec;
import io.github.batchvalidator.testing.Batches;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.Random;
import org.apache.kafka.common.compress.Compression;
import org.apache.kafka.common.record.internal.MemoryRecords;
import org.apache.kafka.common.record.internal.SimpleRecord;
import org.apache.kafka.common.utils.BufferSupplier;
import org.apache.kafka.common.utils.PrimitiveRef;
import org.apache.kafka.common.utils.PrimitiveRef.LongRef;
import org.apache.kafka.storage.internals.log.AppendOrigin;
import org.apache.kafka.storage.internals.log.LogValidator;

/**
 * Prints the allocation of appends. Runs in a separate JVM, where {@code LogValidator} is that of
 * the drop-in jar, and calls the members that a broker uses.
 */
final class AppendAllocation {
  /** Batches of each codec. */
  static final int BATCHES = 3;

  /** The size of the objects in Kafka's signatures, inspected early or not. */
  static final long MOST_PLAIN_BYTES = 160;

  /** The same, and Kafka's statistics. */
  static final long MOST_BYTES = 192;

  /** The same, and buffers around the result's array. */
  static final long MOST_REBUILT_BYTES = 328;

  /** A context besides. */
  static final long MOST_REBUILT_TO_ZSTD_BYTES =
      MOST_REBUILT_BYTES + ZstdForeignCalls.BYTES_PER_CONTEXT;

  private static final int CALLS = 150;

  private static final MetricsOfNothing METRICS = new MetricsOfNothing();

  private AppendAllocation() {}

  /** Needs no arguments. */
  public static void main(String[] arguments) {
    for (Codec codec : Codec.values()) {
      print(codec, 1, 10);
      print(codec, 1_000, 100);
      print(codec, 100, 5_000);
    }
    for (Codec target : Codec.values()) {
      printRebuilt(Codec.LZ4, target, 10, 100);
      printRebuilt(Codec.LZ4, target, 1_000, 100);
      printRebuilt(Codec.ZSTD, target, 10, 100);
      printRebuilt(Codec.ZSTD, target, 1_000, 100);
    }
  }

  /** Prints what is allocated besides the bytes of the result. */
  private static void printRebuilt(Codec source, Codec target, int count, int valueBytes) {
    if (source == target) {
      return;
    }
    MemoryRecords records = MemoryRecords.readableRecords(batch(source, count, valueBytes));
    Compression from = Batches.compression(source);
    Compression to = Batches.compression(target);
    LongRef offset = PrimitiveRef.ofLong(0);
    int size = validate(records, from, to, offset).validatedRecords().sizeInBytes();
    // Arrays are a multiple of 8 bytes long.
    int array = (size + 7) / 8 * 8;
    long most = target == Codec.ZSTD ? MOST_REBUILT_TO_ZSTD_BYTES : MOST_REBUILT_BYTES;
    Runnable append = () -> validate(records, from, to, offset);
    AllocationMeter.bytesPerCall(CALLS, array + most, append);
    long bytes = AllocationMeter.bytesPerCall(CALLS, array + most, append) - array;
    System.out.println("REBUILT to " + target + " from " + source + " " + count + ": " + bytes);
  }

  private static void print(Codec codec, int count, int valueBytes) {
    ByteBuffer batch = batch(codec, count, valueBytes);
    MemoryRecords records = MemoryRecords.readableRecords(batch);
    Compression target = Batches.compression(codec);
    LongRef offset = PrimitiveRef.ofLong(0);
    Runnable append =
        () -> {
          // What came from a producer starts at 0.
          batch.putLong(BatchLayout.BASE_OFFSET_OFFSET, 0L);
          if (validate(records, target, target, offset).messageSizeMaybeChanged()) {
            throw new IllegalStateException("rebuilt");
          }
        };
    String name = codec + " " + count + " of " + valueBytes;
    long most = codec == Codec.NONE ? MOST_PLAIN_BYTES : MOST_BYTES;
    print(name, most, append);
    Object[] lastAppend = new Object[1];
    Runnable early =
        () -> {
          batch.putLong(BatchLayout.BASE_OFFSET_OFFSET, 0L);
          lastAppend[0] =
              OffLock.enter(records, records.buffer(), AppendOrigin.CLIENT, lastAppend[0]);
          append.run();
          OffLock.leave();
        };
    long before = DropIn.offLock().counts().stamped();
    print("EARLY " + name, most, early);
    if (DropIn.offLock().counts().stamped() < before + CALLS) {
      throw new IllegalStateException("inspected again: " + DropIn.offLock().counts().fallbacks());
    }
  }

  private static void print(String name, long mostBytes, Runnable append) {
    AllocationMeter.bytesPerCall(CALLS, mostBytes, append);
    System.out.println(name + ": " + AllocationMeter.bytesPerCall(CALLS, mostBytes, append));
  }

  private static LogValidator.ValidationResult validate(
      MemoryRecords records, Compression source, Compression target, LongRef offset) {
    return AppendSettings.DEFAULTS
        .validator(records, source.type(), target)
        .validateMessagesAndAssignOffsets(offset, METRICS, BufferSupplier.NO_CACHING);
  }

  private static ByteBuffer batch(Codec codec, int count, int valueBytes) {
    Random random = new Random(7);
    SimpleRecord[] records = new SimpleRecord[count];
    for (int i = 0; i < count; i++) {
      byte[] value = new byte[valueBytes];
      random.nextBytes(value);
      Arrays.fill(value, 0, valueBytes / 2, (byte) 'x');
      records[i] = new SimpleRecord(Batches.nowMs() + i, new byte[8], value);
    }
    return Batches.of(codec, records);
  }
}
