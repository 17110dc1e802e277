// SPDX-License-Identifier: Apache-2.0

package io.github.batchvalidator.bench.body;

import com.github.luben.zstd.Zstd;
import com.github.luben.zstd.ZstdCompressCtx;
import io.github.batchvalidator.bench.workload.ProducedBatch;
import io.github.batchvalidator.rule.Codec;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import net.jpountz.lz4.LZ4Compressor;
import net.jpountz.lz4.LZ4Factory;

/**
 * Bare decompression and bare compression: the best call of each library with a reused context,
 * into memory that is there already. No record is looked at, no header written, no checksum
 * computed. Plain batches are compressed where they lie.
 */
abstract class TranscodingBody implements Body {
  private final HeapDecompression source;

  /** The stored bytes of the last batch. */
  final byte[] stored;

  private int storedBytes;

  private TranscodingBody(int storedBytes, HeapDecompression source) {
    this.source = source;
    stored = new byte[storedBytes];
  }

  static TranscodingBody of(Codec target, ProducedBatch... batches) {
    int most = 0;
    for (ProducedBatch each : batches) {
      most = Math.max(most, each.plainBytes());
    }
    HeapDecompression source = HeapDecompression.inPlace(batches);
    return switch (target) {
      case LZ4 -> new Lz4(most, source);
      case ZSTD -> new Zstandard(most, source);
      default -> throw new IllegalArgumentException("nobody compared " + target);
    };
  }

  /** Compresses into {@link #stored}; returns how many bytes. */
  abstract int compress(byte[] plain, int from, int bytes);

  @Override
  public final Object run() {
    source.gather();
    storedBytes = compress(source.plain(), source.plainFrom(), source.plainBytes());
    return stored;
  }

  /** Returns how many bytes the last batch was compressed to. */
  final int storedBytes() {
    return storedBytes;
  }

  @Override
  public final int records() {
    return source.records();
  }

  @Override
  public void close() {
    source.close();
  }

  private static final class Lz4 extends TranscodingBody {
    private static final byte[] HEADER = {4, 0x22, 0x4D, 0x18, 0x60, 0x40, (byte) 0x82};
    private static final int BLOCK_BYTES = 64 * 1024;

    private final LZ4Compressor library = LZ4Factory.nativeInstance().fastCompressor();
    private final ByteBuffer sizes = ByteBuffer.wrap(stored).order(ByteOrder.LITTLE_ENDIAN);

    /** Events compress: there is room for the frame, and no block has to be stored as it is. */
    Lz4(int mostPlainBytes, HeapDecompression source) {
      super(2 * mostPlainBytes, source);
      System.arraycopy(HEADER, 0, stored, 0, HEADER.length);
    }

    @Override
    int compress(byte[] plain, int from, int bytes) {
      int at = HEADER.length;
      for (int done = 0; done < bytes; done += BLOCK_BYTES) {
        int block = Math.min(BLOCK_BYTES, bytes - done);
        int data = at + Integer.BYTES;
        int size = library.compress(plain, from + done, block, stored, data, stored.length - data);
        sizes.putInt(at, size);
        at = data + size;
      }
      sizes.putInt(at, 0);
      return at + Integer.BYTES;
    }
  }

  private static final class Zstandard extends TranscodingBody {
    private final ZstdCompressCtx context = new ZstdCompressCtx();

    Zstandard(int mostPlainBytes, HeapDecompression source) {
      super((int) Zstd.compressBound(mostPlainBytes), source);
      context.setLevel(Codec.ZSTD.defaultLevel());
    }

    @Override
    int compress(byte[] plain, int from, int bytes) {
      return context.compressByteArray(stored, 0, stored.length, plain, from, bytes);
    }

    @Override
    public void close() {
      super.close();
      context.close();
    }
  }
}
