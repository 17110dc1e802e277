// SPDX-License-Identifier: Apache-2.0

package io.github.batchvalidator.differential;

import com.github.luben.zstd.ZstdCompressCtx;
import com.github.luben.zstd.ZstdOutputStreamNoFinalizer;
import io.github.batchvalidator.rule.Codec;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Arrays;
import java.util.Random;
import java.util.zip.Deflater;
import java.util.zip.GZIPOutputStream;
import net.jpountz.lz4.LZ4Factory;
import net.jpountz.xxhash.XXHash32;
import net.jpountz.xxhash.XXHashFactory;
import org.xerial.snappy.Snappy;
import org.xerial.snappy.SnappyOutputStream;

/**
 * Streams as any writer might lay them out: few or many blocks, frames and members, of any size and
 * with any flag that Kafka's readers know.
 */
final class RandomStreams {
  private static final XXHash32 HASH = XXHashFactory.safeInstance().hash32();

  private final Random random;

  RandomStreams(Random random) {
    this.random = random;
  }

  /** Returns a stream that decompresses to the plain bytes. */
  byte[] of(Codec codec, byte[] plain) {
    try {
      return switch (codec) {
        case NONE -> plain;
        case GZIP -> inParts(plain, this::gzip);
        case SNAPPY ->
            random.nextInt(8) == 0 ? Snappy.compress(plain) : inParts(plain, this::snappy);
        case LZ4 -> lz4(plain);
        case ZSTD -> inParts(plain, this::zstd);
      };
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private interface Writer {
    byte[] write(byte[] plain) throws IOException;
  }

  private byte[] inParts(byte[] plain, Writer writer) throws IOException {
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    int parts = random.nextInt(3) > 0 ? 1 : 1 + random.nextInt(5);
    int at = 0;
    for (int i = 0; i < parts; i++) {
      int end = i == parts - 1 ? plain.length : at + random.nextInt(plain.length - at + 1);
      out.writeBytes(writer.write(Arrays.copyOfRange(plain, at, end)));
      at = end;
    }
    return out.toByteArray();
  }

  /** Writes in pieces, now and then flushed, which ends a block. */
  private void write(OutputStream out, byte[] plain) throws IOException {
    try (out) {
      int most = random.nextBoolean() ? Integer.MAX_VALUE : 1 + random.nextInt(20_000);
      for (int at = 0; at < plain.length; ) {
        int bytes = Math.min(plain.length - at, most);
        out.write(plain, at, bytes);
        at += bytes;
        if (most < Integer.MAX_VALUE && random.nextInt(4) == 0) {
          out.flush();
        }
      }
    }
  }

  private byte[] gzip(byte[] plain) throws IOException {
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    int level = random.nextInt(10);
    write(
        new GZIPOutputStream(out, 512, true) {
          {
            def.setLevel(level);
            if (random.nextInt(6) == 0) {
              def.setStrategy(Deflater.HUFFMAN_ONLY);
            }
          }
        },
        plain);
    return out.toByteArray();
  }

  private byte[] snappy(byte[] plain) throws IOException {
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    int block = random.nextBoolean() ? 32 * 1024 : 1024 + random.nextInt(5000);
    write(new SnappyOutputStream(out, block), plain);
    return out.toByteArray();
  }

  private byte[] zstd(byte[] plain) throws IOException {
    int level = random.nextInt(8) - 1;
    boolean checksum = random.nextBoolean();
    boolean contentSize = random.nextBoolean();
    int windowLog = random.nextBoolean() ? 0 : 10 + random.nextInt(9);
    if (random.nextInt(3) == 0) {
      try (ZstdCompressCtx context = new ZstdCompressCtx()) {
        context.setLevel(level).setChecksum(checksum).setContentSize(contentSize);
        if (windowLog > 0) {
          context.setWindowLog(windowLog);
        }
        return context.compress(plain);
      }
    }
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    ZstdOutputStreamNoFinalizer stream = new ZstdOutputStreamNoFinalizer(out, level);
    stream.setChecksum(checksum);
    if (windowLog > 0) {
      stream.setLong(windowLog);
    }
    write(stream, plain);
    return out.toByteArray();
  }

  private byte[] lz4(byte[] plain) {
    boolean blockChecksum = random.nextBoolean();
    boolean contentChecksum = random.nextBoolean();
    boolean contentSize = random.nextInt(4) == 0;
    int id = 4 + random.nextInt(3);
    int most = random.nextBoolean() ? 1 << (2 * id + 8) : 1 + random.nextInt(5000);
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    ByteArrayOutputStream descriptor = new ByteArrayOutputStream();
    descriptor.write(
        0x60
            | (blockChecksum ? 0x10 : 0)
            | (contentSize ? 0x08 : 0)
            | (contentChecksum ? 0x04 : 0));
    descriptor.write(id << 4);
    if (contentSize) {
      descriptor.writeBytes(littleEndian(plain.length));
      descriptor.writeBytes(littleEndian(0));
    }
    byte[] fields = descriptor.toByteArray();
    out.writeBytes(littleEndian(0x184D2204));
    out.writeBytes(fields);
    out.write(HASH.hash(fields, 0, fields.length, 0) >> Byte.SIZE);
    for (int at = 0; at < plain.length; at += most) {
      byte[] block = Arrays.copyOfRange(plain, at, Math.min(plain.length, at + most));
      lz4Block(out, block, blockChecksum);
    }
    out.writeBytes(littleEndian(0));
    if (contentChecksum) {
      out.writeBytes(littleEndian(HASH.hash(plain, 0, plain.length, 0)));
    }
    return out.toByteArray();
  }

  private void lz4Block(ByteArrayOutputStream out, byte[] block, boolean checksum) {
    byte[] compressed = LZ4Factory.safeInstance().fastCompressor().compress(block);
    boolean stored = compressed.length >= block.length || random.nextInt(5) == 0;
    byte[] data = stored ? block : compressed;
    out.writeBytes(littleEndian(data.length | (stored ? 1 << 31 : 0)));
    out.writeBytes(data);
    if (checksum) {
      out.writeBytes(littleEndian(HASH.hash(data, 0, data.length, 0)));
    }
  }

  private static byte[] littleEndian(int value) {
    return ByteBuffer.allocate(Integer.BYTES).order(ByteOrder.LITTLE_ENDIAN).putInt(value).array();
  }
}
