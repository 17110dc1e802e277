// SPDX-License-Identifier: Apache-2.0

package io.github.batchvalidator.bench.body;

import com.github.luben.zstd.ZstdDecompressCtx;
import io.github.batchvalidator.bench.workload.ProducedBatch;
import io.github.batchvalidator.rule.Codec;
import java.io.IOException;
import java.util.zip.DataFormatException;
import java.util.zip.Inflater;
import net.jpountz.lz4.LZ4Factory;
import net.jpountz.lz4.LZ4SafeDecompressor;
import org.xerial.snappy.Snappy;

/** From an array into an array. */
abstract class HeapDecompression extends DecompressionBody {
  private final byte[] plain;

  private HeapDecompression(Blocks... batches) {
    super(batches);
    plain = new byte[roomBytes(batches)];
  }

  static HeapDecompression of(Codec codec, Blocks... batches) {
    return switch (codec) {
      case NONE -> new Copy(batches);
      case GZIP -> new Gzip(batches);
      case SNAPPY -> new Chunks(batches);
      case LZ4 -> new Lz4(batches);
      case ZSTD -> new Zstd(batches);
    };
  }

  /** As {@link DecompressionBody#of}, but plain batches are not copied: they are there already. */
  static HeapDecompression inPlace(ProducedBatch... batches) {
    Blocks[] blocks = Blocks.of(batches);
    Codec codec = batches[0].codec();
    return codec == Codec.NONE ? new InPlace(blocks) : of(codec, blocks);
  }

  @Override
  byte[] plain() {
    return plain;
  }

  /** Returns where in {@link #plain()} they start. */
  int plainFrom() {
    return 0;
  }

  @Override
  @SuppressWarnings("ByteBufferBackingArray") // each batch on the heap has a separate array
  final int block(Blocks blocks, int i, int at) throws IOException, DataFormatException {
    return block(blocks.stored.array(), blocks.starts[i], blocks.sizes[i], plain, at);
  }

  abstract int block(byte[] stored, int from, int size, byte[] plain, int at)
      throws IOException, DataFormatException;

  private static final class Copy extends HeapDecompression {
    Copy(Blocks... batches) {
      super(batches);
    }

    @Override
    int block(byte[] stored, int from, int size, byte[] plain, int at) {
      System.arraycopy(stored, from, plain, at, size);
      return size;
    }
  }

  private static final class InPlace extends HeapDecompression {
    private byte[] last = {};
    private int lastFrom;

    InPlace(Blocks... batches) {
      super(batches);
    }

    @Override
    int block(byte[] stored, int from, int size, byte[] plain, int at) {
      last = stored;
      lastFrom = from;
      return size;
    }

    @Override
    byte[] plain() {
      return last;
    }

    @Override
    int plainFrom() {
      return lastFrom;
    }
  }

  private static final class Gzip extends HeapDecompression {
    private final Inflater inflater = new Inflater(true);

    Gzip(Blocks... batches) {
      super(batches);
    }

    @Override
    int block(byte[] stored, int from, int size, byte[] plain, int at) throws DataFormatException {
      inflater.reset();
      inflater.setInput(stored, from, size);
      return inflater.inflate(plain, at, plain.length - at);
    }

    @Override
    public void close() {
      inflater.end();
    }
  }

  private static final class Chunks extends HeapDecompression {
    Chunks(Blocks... batches) {
      super(batches);
    }

    @Override
    int block(byte[] stored, int from, int size, byte[] plain, int at) throws IOException {
      return Snappy.uncompress(stored, from, size, plain, at);
    }
  }

  private static final class Lz4 extends HeapDecompression {
    private final LZ4SafeDecompressor library = LZ4Factory.nativeInstance().safeDecompressor();

    Lz4(Blocks... batches) {
      super(batches);
    }

    @Override
    int block(byte[] stored, int from, int size, byte[] plain, int at) {
      int bytes = size & Integer.MAX_VALUE;
      if (bytes != size) {
        System.arraycopy(stored, from, plain, at, bytes);
        return bytes;
      }
      return library.decompress(stored, from, bytes, plain, at, plain.length - at);
    }
  }

  private static final class Zstd extends HeapDecompression {
    private final ZstdDecompressCtx context = new ZstdDecompressCtx();

    Zstd(Blocks... batches) {
      super(batches);
    }

    @Override
    int block(byte[] stored, int from, int size, byte[] plain, int at) {
      return context.decompressByteArray(plain, at, plain.length - at, stored, from, size);
    }

    @Override
    public void close() {
      context.close();
    }
  }
}
