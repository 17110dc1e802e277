// SPDX-License-Identifier: Apache-2.0

package io.github.batchvalidator.bench.body;

import io.github.batchvalidator.bench.workload.ProducedBatch;
import io.github.batchvalidator.format.BatchLayout;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Arrays;

/**
 * A batch and the blocks of its frame: their positions, and their sizes as stored, flag bit
 * included. In a format without blocks, the frame is one block.
 */
final class Blocks {
  /** Kafka's producer writes no optional header field. */
  private static final int GZIP_HEADER_BYTES = 10;

  /** The header of snappy-java's streams. */
  private static final int SNAPPY_HEADER_BYTES = 16;

  /** Kafka's producer writes no content size. */
  private static final int LZ4_HEADER_BYTES = 7;

  final ByteBuffer stored;
  final int plainBytes;
  final int records;
  int[] starts = new int[1];
  int[] sizes = new int[1];
  int count;

  private Blocks(ProducedBatch batch) {
    stored = batch.copy();
    plainBytes = batch.plainBytes();
    records = batch.records();
    switch (batch.codec()) {
      case NONE, ZSTD -> whole(0);
      case GZIP -> whole(GZIP_HEADER_BYTES);
      case SNAPPY -> several(SNAPPY_HEADER_BYTES, ByteOrder.BIG_ENDIAN);
      case LZ4 -> several(LZ4_HEADER_BYTES, ByteOrder.LITTLE_ENDIAN);
    }
  }

  static Blocks[] of(ProducedBatch... batches) {
    return Arrays.stream(batches).map(Blocks::new).toArray(Blocks[]::new);
  }

  private void whole(int headerBytes) {
    int start = BatchLayout.HEADER_BYTES + headerBytes;
    add(start, stored.capacity() - start);
  }

  /** Each behind its size, until the end or a size of 0. */
  private void several(int headerBytes, ByteOrder order) {
    ByteBuffer input = stored.duplicate().order(order);
    input.position(BatchLayout.HEADER_BYTES + headerBytes);
    while (input.remaining() >= Integer.BYTES) {
      int size = input.getInt();
      if (size == 0) {
        return;
      }
      add(input.position(), size);
      input.position(input.position() + (size & Integer.MAX_VALUE));
    }
  }

  private void add(int start, int size) {
    if (count == starts.length) {
      starts = Arrays.copyOf(starts, 2 * count);
      sizes = Arrays.copyOf(sizes, 2 * count);
    }
    starts[count] = start;
    sizes[count++] = size;
  }
}
