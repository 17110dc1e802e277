// SPDX-License-Identifier: Apache-2.0

package io.github.batchvalidator.dropin;

import io.github.batchvalidator.rule.Codec;
import io.github.batchvalidator.rule.Reason;
import io.github.batchvalidator.testing.Batches;
import io.github.batchvalidator.testing.streams.SnappyStreams;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import org.apache.kafka.common.errors.TimeoutException;
import org.apache.kafka.common.record.internal.SimpleRecord;
import org.apache.kafka.common.utils.BufferSupplier;
import org.apache.kafka.common.utils.PrimitiveRef;

/** Appends batches of one Snappy block in a JVM whose heap is full, and again once it is not. */
final class BlockWithoutRoom {
  private static final int PIECE_BYTES = 1 << 20;
  private static final int FREE_PIECES = 3;
  private static final int VALUE_BYTES = 8 * PIECE_BYTES;

  private BlockWithoutRoom() {}

  /** Needs no arguments. */
  public static void main(String[] arguments) {
    ByteBuffer large = batch(VALUE_BYTES);
    append(batch(1), Codec.SNAPPY, Codec.SNAPPY);
    append(batch(1), Codec.SNAPPY, Codec.LZ4);
    append(batch(1), Codec.NONE, Codec.NONE);
    List<byte[]> all = takeAll();
    append(Batches.copy(large), Codec.SNAPPY, Codec.SNAPPY);
    append(Batches.copy(large), Codec.SNAPPY, Codec.LZ4);
    append(Batches.copy(large), Codec.NONE, Codec.NONE);
    System.out.println("held: " + !all.isEmpty());
    all.clear();
    append(Batches.copy(large), Codec.SNAPPY, Codec.SNAPPY);
    System.out.println("accepted: " + DropIn.counts().accepted());
    System.out.println("refused: " + DropIn.counts().refused(Reason.CODEC_OUT_OF_MEMORY));
  }

  private static ByteBuffer batch(int valueBytes) {
    byte[] plain = Batches.plainRecords(new SimpleRecord(Batches.nowMs(), new byte[valueBytes]));
    byte[] chunk = SnappyStreams.chunk(SnappyStreams.block(plain));
    return Batches.ofPayload(Codec.SNAPPY, 1, SnappyStreams.stream(chunk));
  }

  /** Fills the heap, and leaves room for small objects only. */
  private static List<byte[]> takeAll() {
    List<byte[]> all = new ArrayList<>();
    try {
      while (true) {
        all.add(new byte[PIECE_BYTES]);
      }
    } catch (OutOfMemoryError e) {
      all.subList(0, FREE_PIECES).clear();
      return all;
    }
  }

  private static void append(ByteBuffer batch, Codec source, Codec target) {
    try {
      Validators.of(batch, source, target, false)
          .validateMessagesAndAssignOffsets(
              PrimitiveRef.ofLong(7), new RecordedMetrics(), BufferSupplier.NO_CACHING);
    } catch (TimeoutException e) {
      System.out.println(e.getMessage());
    }
  }
}
