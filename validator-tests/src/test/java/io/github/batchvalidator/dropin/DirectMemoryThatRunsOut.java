// SPDX-License-Identifier: Apache-2.0

package io.github.batchvalidator.dropin;

import io.github.batchvalidator.rule.Codec;
import io.github.batchvalidator.rule.Reason;
import io.github.batchvalidator.testing.Batches;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.apache.kafka.common.errors.TimeoutException;
import org.apache.kafka.common.record.internal.SimpleRecord;
import org.apache.kafka.common.utils.BufferSupplier;
import org.apache.kafka.common.utils.PrimitiveRef;

/** Appends valid batches in a JVM without direct memory, and again once there is some. */
final class DirectMemoryThatRunsOut {
  private static final int PIECE_BYTES = 16 * 1024;

  private DirectMemoryThatRunsOut() {}

  /** Needs no arguments. */
  public static void main(String[] arguments) {
    List<ByteBuffer> all = takeAll();
    append(Codec.ZSTD, Codec.ZSTD);
    append(Codec.GZIP, Codec.ZSTD);
    append(Codec.GZIP, Codec.GZIP);
    System.out.println("held: " + !all.isEmpty());
    all.clear();
    System.gc();
    append(Codec.ZSTD, Codec.ZSTD);
    append(Codec.GZIP, Codec.ZSTD);
    System.out.println("accepted: " + DropIn.counts().accepted());
    System.out.println("refused: " + DropIn.counts().refused(Reason.CODEC_OUT_OF_MEMORY));
  }

  private static List<ByteBuffer> takeAll() {
    List<ByteBuffer> all = new ArrayList<>();
    try {
      while (true) {
        all.add(ByteBuffer.allocateDirect(PIECE_BYTES));
      }
    } catch (OutOfMemoryError e) {
      return all;
    }
  }

  private static void append(Codec source, Codec target) {
    ByteBuffer batch = Batches.of(source, new SimpleRecord(Batches.nowMs(), new byte[100]));
    try {
      Validators.of(batch, source, target, false)
          .validateMessagesAndAssignOffsets(
              PrimitiveRef.ofLong(7), new RecordedMetrics(), BufferSupplier.NO_CACHING);
    } catch (TimeoutException e) {
      System.out.println(e.getMessage());
      System.out.println("cause: " + Objects.requireNonNull(e.getCause()).getClass().getName());
    }
  }
}
