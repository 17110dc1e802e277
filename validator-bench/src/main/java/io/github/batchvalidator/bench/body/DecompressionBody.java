// SPDX-License-Identifier: Apache-2.0

package io.github.batchvalidator.bench.body;

import io.github.batchvalidator.bench.workload.Memory;
import io.github.batchvalidator.bench.workload.ProducedBatch;
import io.github.batchvalidator.rule.Codec;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.zip.DataFormatException;

/**
 * Bare decompression: the best call of the codec library with a reused context, from where the
 * batch lies into memory of the same kind that is there already. No record is looked at, no
 * checksum computed (the gzip format has one, which {@link Contender#CORE} must verify), and where
 * the blocks of a frame lie is known beforehand. Each is written over the one before it, which the
 * cache has. Without a codec it copies the payload, which is no floor for anything.
 */
abstract class DecompressionBody implements Body {
  /** Near the end of their output zlib and lz4 go slowly, byte by byte. */
  private static final int SLACK_BYTES = 512;

  private final Blocks[] batches;
  private int turn;
  private int plainBytes;
  private int records;

  DecompressionBody(Blocks... batches) {
    this.batches = batches;
  }

  static DecompressionBody of(ProducedBatch... batches) {
    Codec codec = batches[0].codec();
    Blocks[] blocks = Blocks.of(batches);
    return batches[0].memory() == Memory.HEAP
        ? HeapDecompression.of(codec, blocks)
        : DirectDecompression.of(codec, blocks);
  }

  /** Returns the room that any of the batches is decompressed to without a look at its end. */
  static int roomBytes(Blocks... batches) {
    int most = 0;
    for (Blocks each : batches) {
      most = Math.max(most, each.plainBytes);
    }
    return most + SLACK_BYTES;
  }

  /** Decompresses the i-th block to {@link #plain} from {@code at} on; returns how many bytes. */
  abstract int block(Blocks blocks, int i, int at) throws IOException, DataFormatException;

  /** Returns what holds the plain bytes of the last batch. */
  abstract Object plain();

  @Override
  public final Object run() {
    return decompress(false);
  }

  /** Decompresses the blocks of the next batch into one contiguous array. */
  final Object gather() {
    return decompress(true);
  }

  private Object decompress(boolean oneBehindTheOther) {
    Blocks batch = batches[turn];
    turn = turn + 1 < batches.length ? turn + 1 : 0;
    int filled = 0;
    try {
      for (int i = 0; i < batch.count; i++) {
        filled += block(batch, i, oneBehindTheOther ? filled : 0);
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    } catch (DataFormatException e) {
      throw new IllegalStateException(e);
    }
    plainBytes = filled;
    records = filled == batch.plainBytes ? batch.records : 0;
    return plain();
  }

  /** Returns how many plain bytes the last batch has. */
  final int plainBytes() {
    return plainBytes;
  }

  /** Records are not looked at: those of the batch if all plain bytes are there. */
  @Override
  public final int records() {
    return records;
  }
}
