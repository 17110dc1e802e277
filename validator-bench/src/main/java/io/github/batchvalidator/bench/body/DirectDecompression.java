// SPDX-License-Identifier: Apache-2.0

package io.github.batchvalidator.bench.body;

import com.github.luben.zstd.ZstdDecompressCtx;
import io.github.batchvalidator.rule.Codec;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.zip.DataFormatException;
import java.util.zip.Inflater;
import net.jpountz.lz4.LZ4Factory;
import net.jpountz.lz4.LZ4SafeDecompressor;
import org.xerial.snappy.Snappy;

/** From memory outside of the heap into such memory. */
abstract class DirectDecompression extends DecompressionBody {
  private final ByteBuffer plain;

  private DirectDecompression(Blocks... batches) {
    super(batches);
    plain = ByteBuffer.allocateDirect(roomBytes(batches));
  }

  static DirectDecompression of(Codec codec, Blocks... batches) {
    return switch (codec) {
      case NONE -> new Copy(batches);
      case GZIP -> new Gzip(batches);
      case SNAPPY -> new Chunks(batches);
      case LZ4 -> new Lz4(batches);
      case ZSTD -> new Zstd(batches);
    };
  }

  @Override
  final ByteBuffer plain() {
    return plain;
  }

  @Override
  final int block(Blocks blocks, int i, int at) throws IOException, DataFormatException {
    return block(blocks.stored, blocks.starts[i], blocks.sizes[i], plain, at);
  }

  abstract int block(ByteBuffer stored, int from, int size, ByteBuffer plain, int at)
      throws IOException, DataFormatException;

  private static final class Copy extends DirectDecompression {
    Copy(Blocks... batches) {
      super(batches);
    }

    @Override
    int block(ByteBuffer stored, int from, int size, ByteBuffer plain, int at) {
      plain.put(at, stored, from, size);
      return size;
    }
  }

  private static final class Gzip extends DirectDecompression {
    private final Inflater inflater = new Inflater(true);

    Gzip(Blocks... batches) {
      super(batches);
    }

    @Override
    int block(ByteBuffer stored, int from, int size, ByteBuffer plain, int at)
        throws DataFormatException {
      inflater.reset();
      inflater.setInput(stored.clear().position(from));
      return inflater.inflate(plain.clear().position(at));
    }

    @Override
    public void close() {
      inflater.end();
    }
  }

  private static final class Chunks extends DirectDecompression {
    Chunks(Blocks... batches) {
      super(batches);
    }

    @Override
    int block(ByteBuffer stored, int from, int size, ByteBuffer plain, int at) throws IOException {
      stored.limit(from + size).position(from);
      return Snappy.uncompress(stored, plain.clear().position(at));
    }
  }

  private static final class Lz4 extends DirectDecompression {
    private final LZ4SafeDecompressor library = LZ4Factory.nativeInstance().safeDecompressor();

    Lz4(Blocks... batches) {
      super(batches);
    }

    @Override
    int block(ByteBuffer stored, int from, int size, ByteBuffer plain, int at) {
      int bytes = size & Integer.MAX_VALUE;
      if (bytes != size) {
        plain.put(at, stored, from, bytes);
        return bytes;
      }
      return library.decompress(stored, from, bytes, plain, at, plain.capacity() - at);
    }
  }

  private static final class Zstd extends DirectDecompression {
    private final ZstdDecompressCtx context = new ZstdDecompressCtx();

    Zstd(Blocks... batches) {
      super(batches);
    }

    @Override
    int block(ByteBuffer stored, int from, int size, ByteBuffer plain, int at) {
      return context.decompressDirectByteBuffer(
          plain, at, plain.capacity() - at, stored, from, size);
    }

    @Override
    public void close() {
      context.close();
    }
  }
}
