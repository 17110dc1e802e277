// SPDX-License-Identifier: Apache-2.0

package io.github.batchvalidator.internal.codec.lz4;

import io.github.batchvalidator.internal.codec.BlockDecoder;
import io.github.batchvalidator.internal.codec.ByteWindow;
import io.github.batchvalidator.rule.Codec;
import io.github.batchvalidator.rule.Limits;
import io.github.batchvalidator.rule.Reason;
import net.jpountz.lz4.LZ4Factory;
import net.jpountz.lz4.LZ4SafeDecompressor;
import net.jpountz.xxhash.StreamingXXHash32;
import net.jpountz.xxhash.XXHash32;
import net.jpountz.xxhash.XXHashFactory;

/**
 * A decoder for an LZ4 frame as Kafka reads it (Kafka's {@code Lz4BlockInputStream}): one frame,
 * independent blocks, no dictionary. The content size is skipped. The content checksum must be
 * present if flagged, but is verified only on request. Bytes after the end mark are ignored.
 *
 * <pre>
 *  magic 04 22 4d 18 | FLG | BD | content size 8, if flagged | header checksum 1
 *  { block size 4, top bit = stored | data | checksum 4, if flagged } ...
 *  end mark 0 | content checksum 4, if flagged                       (little endian)
 * </pre>
 */
public final class Lz4Decoder extends BlockDecoder {
  private static final int MAGIC = 0x184D2204;
  private static final int SHORTEST_HEADER_BYTES = 7;
  private static final int DESCRIPTOR_AT = 4;
  private static final int FLAG_BYTES = 2;
  private static final int LONGEST_DESCRIPTOR_BYTES = 10;

  private static final int VERSION_SHIFT = 6;
  private static final int INDEPENDENT_BLOCKS = 0x20;
  private static final int BLOCK_CHECKSUM = 0x10;
  private static final int CONTENT_SIZE = 0x08;
  private static final int CONTENT_CHECKSUM = 0x04;
  private static final int RESERVED_FLG = 0x03;
  private static final int BLOCK_SIZE_SHIFT = 4;
  private static final int RESERVED_BD = 0x8F;
  private static final int SMALLEST_BLOCK_SIZE_ID = 4;
  private static final int STORED_BLOCK = 1 << 31;

  /** A block of n bytes decodes to at most 255 * n bytes, plus the slack. */
  private static final int LARGEST_RATIO = 255;

  private static final int RATIO_SLACK = 64;

  /** The block size of Kafka's producer, and therefore the size kept between batches. */
  private static final int RESTING_BLOCK_BYTES = 64 * 1024;

  private final LZ4SafeDecompressor library;
  private final XXHash32 hash;

  /** Not the native instance, whose memory would have to be freed. Few streams need it. */
  private final StreamingXXHash32 contentHash = XXHashFactory.safeInstance().newStreamingHash32(0);

  private final byte[] descriptor = new byte[LONGEST_DESCRIPTOR_BYTES];

  /**
   * FLG, BD and their checksum in the last valid header, or 0. FLG is never 0: it has version 1.
   */
  private int lastValidDescriptor;

  private int flags;
  private int maxBlockBytes;
  private boolean ended;

  public Lz4Decoder(int windowBytes) {
    super(windowBytes, RESTING_BLOCK_BYTES, RESTING_BLOCK_BYTES);
    library = decompressor();
    hash = hash();
  }

  private static LZ4SafeDecompressor decompressor() {
    try {
      return LZ4Factory.nativeInstance().safeDecompressor();
    } catch (RuntimeException | LinkageError e) {
      return LZ4Factory.safeInstance().safeDecompressor();
    }
  }

  /** Avoids the fastest instance, because newer JDKs warn about its memory access. */
  private static XXHash32 hash() {
    try {
      return XXHashFactory.nativeInstance().hash32();
    } catch (RuntimeException | LinkageError e) {
      return XXHashFactory.safeInstance().hash32();
    }
  }

  @Override
  protected void startBlocks(Limits limits, ByteWindow window) {
    ended = false;
    if (checks.verifiesContentChecksum()) {
      contentHash.reset();
    }
    int memoryLimit = limits.codecMemoryBytes();
    if (!readHeader()) {
      window.fail(Reason.CODEC_HEADER_INVALID, next);
    } else if (maxBlockBytes > memoryLimit) {
      window.fail(Reason.LIMIT_CODEC_MEMORY, next, maxBlockBytes, memoryLimit);
    }
  }

  private boolean readHeader() {
    if (payload.length() < SHORTEST_HEADER_BYTES || payload.getIntLittleEndian(0) != MAGIC) {
      return false;
    }
    next = DESCRIPTOR_AT;
    flags = payload.get(next);
    int blockDescriptor = payload.get(next + 1);
    int blockSizeId = blockDescriptor >> BLOCK_SIZE_SHIFT;
    if ((flags & 0xFF) >> VERSION_SHIFT != 1
        || (flags & INDEPENDENT_BLOCKS) == 0
        || (flags & RESERVED_FLG) != 0
        || (blockDescriptor & RESERVED_BD) != 0
        || blockSizeId < SMALLEST_BLOCK_SIZE_ID) {
      return false;
    }
    maxBlockBytes = 1 << (2 * blockSizeId + 8);
    int descriptorBytes = isSet(CONTENT_SIZE) ? LONGEST_DESCRIPTOR_BYTES : FLAG_BYTES;
    if (left() <= descriptorBytes) {
      return false;
    }
    boolean isValid = isDescriptorValid(descriptorBytes);
    next += descriptorBytes + 1;
    return isValid || !checks.verifiesHeaderChecksum();
  }

  /**
   * Checks the last valid descriptor first: most streams repeat it, and hashing is a native call.
   */
  private boolean isDescriptorValid(int bytes) {
    int shortOne = payload.getUint24LittleEndian(next);
    if (bytes == FLAG_BYTES && shortOne == lastValidDescriptor) {
      return true;
    }
    for (int i = 0; i < bytes; i++) {
      descriptor[i] = payload.get(next + i);
    }
    int expected = hash.hash(descriptor, 0, bytes, 0) >> Byte.SIZE & 0xFF;
    boolean isValid = (payload.get(next + bytes) & 0xFF) == expected;
    if (bytes == FLAG_BYTES && isValid) { // what was hashed; the payload may have changed
      lastValidDescriptor =
          (descriptor[0] & 0xFF) | (descriptor[1] & 0xFF) << Byte.SIZE | expected << Short.SIZE;
    }
    return isValid;
  }

  private boolean isSet(int flag) {
    return (flags & flag) != 0;
  }

  @Override
  public boolean nextBlock(ByteWindow window) {
    if (ended) {
      return false;
    }
    if (left() < Integer.BYTES) {
      return window.fail(Reason.CODEC_DATA_TRUNCATED, next);
    }
    int word = payload.getIntLittleEndian(next);
    int size = word & ~STORED_BLOCK;
    next += Integer.BYTES;
    if (size == 0) {
      ambiguous |= word != 0; // readers other than Kafka's expect an end mark without this bit
      return end(window);
    }
    if (size > maxBlockBytes) {
      return window.fail(Reason.CODEC_DATA_CORRUPT, next);
    }
    int trailer = isSet(BLOCK_CHECKSUM) ? Integer.BYTES : 0;
    if (left() < size) {
      return window.fail(Reason.CODEC_DATA_TRUNCATED, next);
    }
    if (word < 0 && trailer == 0 && isPassedBy(window)) {
      next += size;
      return arraylessBlock(next - size, size);
    }
    payload.stretch(next, size, input);
    if (left() < size + trailer) {
      return blockChecksumMissing(word, size, window);
    }
    if (trailer != 0 && blockHash(size) != payload.getIntLittleEndian(next + size)) {
      return window.fail(Reason.CODEC_CHECKSUM_MISMATCH, next);
    }
    if (word < 0) {
      next += size + trailer;
      return content(payload.array(), payload.arrayOffset(), size);
    }
    return decode(size, trailer, window);
  }

  private boolean decode(int size, int trailer, ByteWindow window) {
    int bound = (int) Math.min(maxBlockBytes, (long) LARGEST_RATIO * size + RATIO_SLACK);
    byte[] target = output.atLeast(bound, maxBlockBytes);
    int bytes;
    try {
      bytes = library.decompress(payload.array(), payload.arrayOffset(), size, target, 0, bound);
    } catch (RuntimeException | Error e) {
      return window.fail(e, Reason.CODEC_DATA_CORRUPT, next, Codec.LZ4);
    }
    next += size + trailer;
    ambiguous |= bytes == 0;
    return content(target, 0, bytes);
  }

  private boolean content(byte[] bytes, int from, int length) {
    if (isContentHashed()) {
      contentHash.update(bytes, from, length);
    }
    return block(bytes, from, length);
  }

  /** {@return true if no reader needs all of a stored block} */
  private boolean isPassedBy(ByteWindow window) {
    return window.isSkimmed() && !isContentHashed() && !payload.isArray();
  }

  private boolean isContentHashed() {
    return isSet(CONTENT_CHECKSUM) && checks.verifiesContentChecksum();
  }

  /**
   * Fails a block whose checksum is missing. As in Kafka, a fault of the block itself comes first.
   */
  private boolean blockChecksumMissing(int word, int size, ByteWindow window) {
    return (word < 0 || decode(size, 0, window))
        && window.fail(Reason.CODEC_CHECKSUM_MISSING, next);
  }

  private int blockHash(int size) {
    return hash.hash(payload.array(), payload.arrayOffset(), size, 0);
  }

  private boolean end(ByteWindow window) {
    ended = true;
    if (isSet(CONTENT_CHECKSUM)) {
      if (left() < Integer.BYTES) {
        return window.fail(Reason.CODEC_CHECKSUM_MISSING, next);
      }
      if (checks.verifiesContentChecksum()) {
        storedContentHash = payload.getIntLittleEndian(next);
        computedContentHash = contentHash.getValue();
      }
      next += Integer.BYTES;
    }
    return false;
  }
}
