// SPDX-License-Identifier: Apache-2.0

package io.github.batchvalidator.audit.tiered;

import com.github.luben.zstd.ZstdInputStreamNoFinalizer;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.BufferUnderflowException;
import java.nio.ByteBuffer;
import java.util.Base64;

/**
 * A reader of the chunk index in a manifest.
 *
 * <p>A variable index is a base64 text of a zstd frame. The frame has big-endian numbers: the count
 * in four bytes, and, if there is more than one chunk, the base in four bytes, the bytes per number
 * (1 to 4) in one byte, and each size but the last as its difference to the base. The last size has
 * four bytes. Source: {@code ChunkSizesBinaryCodec} of tiered-storage-for-apache-kafka.
 */
final class ChunkIndexReader {
  /** The limit of the plugin itself. */
  private static final int MAX_BYTES = 10 << 20;

  private ChunkIndexReader() {}

  /** Reads a chunk index. */
  static ChunkIndex read(JsonTree json) throws IOException {
    int chunkBytes = json.size("originalChunkSize", 1);
    int logBytes = json.size("originalFileSize", 0);
    String type = json.text("type");
    if (type.equals("fixed")) {
      return ChunkIndex.fixed(
          chunkBytes,
          logBytes,
          json.size("transformedChunkSize", 0),
          json.size("finalTransformedChunkSize", 0));
    }
    if (!type.equals("variable")) {
      throw new InvalidManifestException("the type of the chunk index is " + type);
    }
    byte[] sizes = decompress(json.text("transformedChunks"));
    int expected = ChunkIndex.count(chunkBytes, logBytes);
    try {
      return ChunkIndex.variable(chunkBytes, logBytes, ends(ByteBuffer.wrap(sizes), expected));
    } catch (BufferUnderflowException e) {
      throw new InvalidManifestException("the chunk sizes end early");
    }
  }

  private static byte[] decompress(String base64) throws IOException {
    byte[] frame;
    try {
      frame = Base64.getDecoder().decode(base64);
    } catch (IllegalArgumentException e) {
      throw new InvalidManifestException("the chunk sizes are not base64");
    }
    try (var in = new ZstdInputStreamNoFinalizer(new ByteArrayInputStream(frame))) {
      byte[] sizes = in.readNBytes(MAX_BYTES + 1);
      if (sizes.length > MAX_BYTES) {
        throw new InvalidManifestException(
            "the chunk sizes have more than " + MAX_BYTES + " bytes");
      }
      return sizes;
    } catch (InvalidManifestException e) {
      throw e;
    } catch (IOException e) {
      throw new InvalidManifestException("the chunk sizes cannot be decompressed");
    }
  }

  private static long[] ends(ByteBuffer sizes, int expected) throws InvalidManifestException {
    int count = sizes.getInt();
    int base = count > 1 ? sizes.getInt() : 0;
    int width = count > 1 ? sizes.get() : 0;
    if (count != expected) {
      throw new InvalidManifestException(
          "the log has " + expected + " chunks, there are " + count + " chunk sizes");
    }
    if ((count > 1 && width < 1) // sizes without bytes would allow any number of chunks
        || width > Integer.BYTES
        || sizes.remaining() != (long) Math.max(0, count - 1) * width + (count > 0 ? 4 : 0)) {
      throw new InvalidManifestException("the chunk sizes have a wrong length");
    }
    long[] ends = new long[count];
    long end = 0;
    for (int i = 0; i < count; i++) {
      int size = i == count - 1 ? sizes.getInt() : base + number(sizes, width);
      if (size < 0) {
        throw new InvalidManifestException("chunk " + i + " has " + size + " bytes");
      }
      end += size;
      ends[i] = end;
    }
    return ends;
  }

  private static int number(ByteBuffer from, int bytes) {
    int number = 0;
    for (int i = 0; i < bytes; i++) {
      number = (number << Byte.SIZE) | (from.get() & 0xff);
    }
    return number;
  }
}
