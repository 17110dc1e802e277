// SPDX-License-Identifier: Apache-2.0

package io.github.batchvalidator.bench;

import com.github.luben.zstd.ZstdDecompressCtx;
import io.github.batchvalidator.format.BatchLayout;
import io.github.batchvalidator.rule.Codec;
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
  private final Blocks[] batches;
  private final byte[] plain;
  private int turn;
  private int plainBytes;
  private int records;

  private DecompressionBody(Blocks... batches) {
    this.batches = batches;
    int most = 0;
    for (Blocks each : batches) {
      most = Math.max(most, each.plainBytes);
    }
    plain = new byte[most];
  }

  static DecompressionBody of(SmokeBatch... batches) {
    return switch (batches[0].codec()) {
      case NONE -> new Copy(Blocks.whole(0, batches));
      case GZIP -> new Gzip(Blocks.whole(Gzip.HEADER_BYTES, batches));
      case SNAPPY -> new Chunks(Blocks.of(Chunks.HEADER_BYTES, ByteOrder.BIG_ENDIAN, batches));
      case LZ4 -> new Lz4(Blocks.of(Lz4.HEADER_BYTES, ByteOrder.LITTLE_ENDIAN, batches));
      case ZSTD -> new Zstd(Blocks.whole(0, batches));
    };
  }

  /** As {@link #of}, but plain batches are not copied: they are there already. */
  static DecompressionBody inPlace(SmokeBatch... batches) {
    return batches[0].codec() == Codec.NONE ? new InPlace(Blocks.whole(0, batches)) : of(batches);
  }

  /** Decompresses the i-th block to {@code plain} from {@code at} on; returns how many bytes. */
  abstract int block(Blocks blocks, int i, byte[] plain, int at)
      throws IOException, DataFormatException;

  @Override
  public final Object run() {
    Blocks batch = batches[turn];
    turn = turn + 1 < batches.length ? turn + 1 : 0;
    int filled = 0;
    try {
      for (int i = 0; i < batch.count; i++) {
        filled += block(batch, i, plain, filled);
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    } catch (DataFormatException e) {
      throw new IllegalStateException(e);
    }
    plainBytes = filled;
    records = filled == batch.plainBytes ? batch.records : 0;
    return plain;
  }

  /** Returns the array that holds the plain bytes of the last batch. */
  byte[] plain() {
    return plain;
  }

  /** Returns where in {@link #plain()} they start. */
  int plainFrom() {
    return 0;
  }

  /** Returns how many there are. */
  final int plainBytes() {
    return plainBytes;
  }

  /** Records are not looked at: those of the batch if all plain bytes are there. */
  @Override
  public final int records() {
    return records;
  }

  /** A batch and where its blocks lie: their sizes as stored in front of them, a bit included. */
  private static final class Blocks {
    final byte[] stored;
    final int plainBytes;
    final int records;
    final int[] starts;
    final int[] sizes;
    int count;

    private Blocks(SmokeBatch batch) {
      stored = batch.copy().array();
      plainBytes = batch.plainBytes();
      records = batch.records();
      starts = new int[stored.length / Integer.BYTES];
      sizes = new int[starts.length];
    }

    /** One block behind a header. */
    static Blocks[] whole(int headerBytes, SmokeBatch... batches) {
      Blocks[] all = new Blocks[batches.length];
      for (int i = 0; i < all.length; i++) {
        all[i] = new Blocks(batches[i]);
        int start = BatchLayout.HEADER_BYTES + headerBytes;
        all[i].add(start, all[i].stored.length - start);
      }
      return all;
    }

    /** Blocks behind a header, each behind its size, until the end or a size of 0. */
    static Blocks[] of(int headerBytes, ByteOrder order, SmokeBatch... batches) {
      Blocks[] all = new Blocks[batches.length];
      for (int i = 0; i < all.length; i++) {
        all[i] = new Blocks(batches[i]);
        ByteBuffer input = ByteBuffer.wrap(all[i].stored).order(order);
        all[i].addAll(input.position(BatchLayout.HEADER_BYTES + headerBytes));
      }
      return all;
    }

    private void addAll(ByteBuffer input) {
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
      starts[count] = start;
      sizes[count++] = size;
    }
  }

  private static final class Copy extends DecompressionBody {
    Copy(Blocks... batches) {
      super(batches);
    }

    @Override
    int block(Blocks blocks, int i, byte[] plain, int at) {
      System.arraycopy(blocks.stored, blocks.starts[i], plain, at, blocks.sizes[i]);
      return blocks.sizes[i];
    }
  }

  private static final class InPlace extends DecompressionBody {
    private Blocks last;

    InPlace(Blocks... batches) {
      super(batches);
      last = batches[0];
    }

    @Override
    int block(Blocks blocks, int i, byte[] plain, int at) {
      last = blocks;
      return blocks.sizes[i];
    }

    @Override
    byte[] plain() {
      return last.stored;
    }

    @Override
    int plainFrom() {
      return last.starts[0];
    }
  }

  private static final class Gzip extends DecompressionBody {
    /** Kafka's producer writes no optional header field. */
    static final int HEADER_BYTES = 10;

    private final Inflater inflater = new Inflater(true);

    Gzip(Blocks... batches) {
      super(batches);
    }

    @Override
    int block(Blocks blocks, int i, byte[] plain, int at) throws DataFormatException {
      inflater.reset();
      inflater.setInput(blocks.stored, blocks.starts[i], blocks.sizes[i]);
      return inflater.inflate(plain, at, plain.length - at);
    }

    @Override
    public void close() {
      inflater.end();
    }
  }

  private static final class Chunks extends DecompressionBody {
    /** The header of snappy-java's streams. */
    static final int HEADER_BYTES = 16;

    Chunks(Blocks... batches) {
      super(batches);
    }

    @Override
    int block(Blocks blocks, int i, byte[] plain, int at) throws IOException {
      return Snappy.uncompress(blocks.stored, blocks.starts[i], blocks.sizes[i], plain, at);
    }
  }

  private static final class Lz4 extends DecompressionBody {
    /** Kafka's producer writes no content size. */
    static final int HEADER_BYTES = 7;

    private final LZ4SafeDecompressor library = LZ4Factory.nativeInstance().safeDecompressor();

    Lz4(Blocks... batches) {
      super(batches);
    }

    @Override
    int block(Blocks blocks, int i, byte[] plain, int at) {
      int size = blocks.sizes[i] & Integer.MAX_VALUE;
      if (size != blocks.sizes[i]) {
        System.arraycopy(blocks.stored, blocks.starts[i], plain, at, size);
        return size;
      }
      int room = plain.length - at;
      return library.decompress(blocks.stored, blocks.starts[i], size, plain, at, room);
    }
  }

  private static final class Zstd extends DecompressionBody {
    private final ZstdDecompressCtx context = new ZstdDecompressCtx();

    Zstd(Blocks... batches) {
      super(batches);
    }

    @Override
    int block(Blocks blocks, int i, byte[] plain, int at) {
      int room = plain.length - at;
      return context.decompressByteArray(
          plain, at, room, blocks.stored, blocks.starts[i], blocks.sizes[i]);
    }

    @Override
    public void close() {
      context.close();
    }
  }
}
