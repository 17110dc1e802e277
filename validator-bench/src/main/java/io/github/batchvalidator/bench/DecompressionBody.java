// SPDX-License-Identifier: Apache-2.0

package io.github.batchvalidator.bench;

import com.github.luben.zstd.ZstdDecompressCtx;
import io.github.batchvalidator.format.BatchLayout;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.zip.DataFormatException;
import java.util.zip.Inflater;
import net.jpountz.lz4.LZ4Factory;
import net.jpountz.lz4.LZ4SafeDecompressor;
import org.xerial.snappy.Snappy;

/**
 * Bare decompression: the best call of the codec library with a reused context, from the batch's
 * array into memory that is there already. No record is looked at, no checksum computed (the gzip
 * format has one, which {@link Contender#CORE} must verify), and where the blocks of a frame lie is
 * known beforehand. Without a codec it copies the payload, which is no floor for anything.
 */
abstract class DecompressionBody implements Body {
  final byte[] stored;
  final byte[] plain;
  private final int records;
  private int produced;

  private DecompressionBody(SmokeBatch batch) {
    stored = batch.copy().array();
    plain = new byte[batch.plainBytes()];
    records = batch.records();
  }

  static DecompressionBody of(SmokeBatch batch) {
    return switch (batch.codec()) {
      case NONE -> new Copy(batch);
      case GZIP -> new Gzip(batch);
      case SNAPPY -> new SnappyChunks(batch);
      case LZ4 -> new Lz4Blocks(batch);
      case ZSTD -> new Zstd(batch);
    };
  }

  /** Fills {@link #plain}; returns how many bytes that were. */
  abstract int decompress() throws IOException, DataFormatException;

  @Override
  public final Object run() {
    try {
      produced = decompress();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    } catch (DataFormatException e) {
      throw new IllegalStateException(e);
    }
    return plain;
  }

  /** Records are not looked at: those of the batch if all plain bytes are there. */
  @Override
  public final int records() {
    return produced == plain.length ? records : 0;
  }

  private static final class Copy extends DecompressionBody {
    Copy(SmokeBatch batch) {
      super(batch);
    }

    @Override
    int decompress() {
      System.arraycopy(stored, BatchLayout.HEADER_BYTES, plain, 0, plain.length);
      return plain.length;
    }
  }

  private static final class Gzip extends DecompressionBody {
    /** Kafka's producer writes no optional header field. */
    private static final int PAYLOAD_AT = BatchLayout.HEADER_BYTES + 10;

    private final Inflater inflater = new Inflater(true);

    Gzip(SmokeBatch batch) {
      super(batch);
    }

    @Override
    int decompress() throws DataFormatException {
      inflater.reset();
      inflater.setInput(stored, PAYLOAD_AT, stored.length - PAYLOAD_AT);
      return inflater.inflate(plain, 0, plain.length);
    }

    @Override
    public void close() {
      inflater.end();
    }
  }

  private static final class Zstd extends DecompressionBody {
    private final ZstdDecompressCtx context = new ZstdDecompressCtx();

    Zstd(SmokeBatch batch) {
      super(batch);
    }

    @Override
    int decompress() {
      return context.decompressByteArray(
          plain,
          0,
          plain.length,
          stored,
          BatchLayout.HEADER_BYTES,
          stored.length - BatchLayout.HEADER_BYTES);
    }

    @Override
    public void close() {
      context.close();
    }
  }

  /** A stream of blocks, each decompressed in one call. */
  private abstract static class Blocks extends DecompressionBody {
    final int[] starts;
    final int[] sizes;
    private final int count;

    Blocks(SmokeBatch batch, int streamHeaderBytes, ByteOrder order) {
      super(batch);
      ByteBuffer input = ByteBuffer.wrap(stored).order(order);
      input.position(BatchLayout.HEADER_BYTES + streamHeaderBytes);
      starts = new int[stored.length / Integer.BYTES];
      sizes = new int[starts.length];
      int blocks = 0;
      while (input.remaining() >= Integer.BYTES) {
        int size = input.getInt();
        if (size == 0) {
          break;
        }
        starts[blocks] = input.position();
        sizes[blocks++] = size;
        input.position(input.position() + (size & Integer.MAX_VALUE));
      }
      count = blocks;
    }

    @Override
    final int decompress() throws IOException {
      int filled = 0;
      for (int i = 0; i < count; i++) {
        filled += block(i, filled);
      }
      return filled;
    }

    /** Decompresses the i-th block to an index of {@link #plain}; returns how many bytes. */
    abstract int block(int i, int target) throws IOException;
  }

  private static final class SnappyChunks extends Blocks {
    private static final int STREAM_HEADER_BYTES = 16;

    SnappyChunks(SmokeBatch batch) {
      super(batch, STREAM_HEADER_BYTES, ByteOrder.BIG_ENDIAN);
    }

    @Override
    int block(int i, int target) throws IOException {
      return Snappy.uncompress(stored, starts[i], sizes[i], plain, target);
    }
  }

  private static final class Lz4Blocks extends Blocks {
    private static final int FRAME_HEADER_BYTES = 7;

    private final LZ4SafeDecompressor library = LZ4Factory.nativeInstance().safeDecompressor();

    Lz4Blocks(SmokeBatch batch) {
      super(batch, FRAME_HEADER_BYTES, ByteOrder.LITTLE_ENDIAN);
    }

    @Override
    int block(int i, int target) {
      int size = sizes[i] & Integer.MAX_VALUE;
      if (size != sizes[i]) {
        System.arraycopy(stored, starts[i], plain, target, size);
        return size;
      }
      return library.decompress(stored, starts[i], size, plain, target, plain.length - target);
    }
  }
}
