// SPDX-License-Identifier: Apache-2.0

package io.github.batchvalidator.lines;

import io.github.batchvalidator.format.BatchLayout;
import io.github.batchvalidator.rule.Codec;
import io.github.batchvalidator.testing.Batches;
import java.nio.ByteBuffer;
import java.util.List;

/**
 * Finds appends that make a stock validator allocate what they declare: they are not given to it,
 * since the heap of the tests is that of all. Nothing else is left out.
 */
public final class Hostile {
  private static final int MOST_BYTES = 1 << 26;
  private static final int MOST_COUNT = 1 << 22;
  private static final int MOST_PLAIN = 1 << 20;
  private static final int SNAPPY_HEADER = 16;
  private static final byte[] SNAPPY = {(byte) 0x82, 'S', 'N', 'A', 'P', 'P', 'Y', 0};

  private Hostile() {}

  public static boolean isHostile(Append append) {
    List<StoredBytes.Span> spans = StoredBytes.spans(append.bytes());
    for (StoredBytes.Span span : spans) {
      Codec codec = span.codec();
      if (codec == null || codec == Codec.NONE || !span.headerIsComplete()) {
        continue;
      }
      if (declaresHugeBlock(codec, span.payload())
          || declaresHugeCount(append, span)
          || declaresHugeRecord(append, span)) {
        return true;
      }
    }
    return false;
  }

  /** A compressed batch that the caller calls plain is read into a list of the declared count. */
  private static boolean declaresHugeCount(Append append, StoredBytes.Span span) {
    return span.magic() == BatchLayout.MAGIC_V2
        && append.settings().source() == Codec.NONE
        && ByteBuffer.wrap(append.bytes()).getInt(span.at() + BatchLayout.RECORD_COUNT_OFFSET)
            > MOST_COUNT;
  }

  /** True if records are skipped through, whatever they declare, and not read into arrays. */
  private static boolean skips(Append append) {
    Settings settings = append.settings();
    return settings.entry() != Settings.Entry.NON_COMPRESSED
        && settings.source() == settings.target()
        && settings.source() != Codec.NONE
        && settings.toMagic() == BatchLayout.MAGIC_V2;
  }

  private static boolean declaresHugeRecord(Append append, StoredBytes.Span span) {
    boolean modern = span.magic() == BatchLayout.MAGIC_V2;
    if (modern && skips(append)) {
      return false;
    }
    byte[] plain = StoredBytes.plain(span, MOST_PLAIN);
    return modern ? PlainRecords.declareMoreThan(plain, MOST_BYTES) : declaresHugeMessage(plain);
  }

  private static boolean declaresHugeMessage(byte[] plain) {
    int at = 0;
    while (plain.length - at >= LegacyBytes.OFFSET_AND_SIZE) {
      int size = ByteBuffer.wrap(plain).getInt(at + Long.BYTES);
      if (size < 0) {
        return false;
      }
      if (size > MOST_BYTES) {
        return true;
      }
      at += LegacyBytes.OFFSET_AND_SIZE + size;
    }
    return false;
  }

  private static boolean declaresHugeBlock(Codec codec, ByteBuffer payload) {
    if (codec != Codec.SNAPPY) {
      return false;
    }
    byte[] stream = Batches.copy(payload).array();
    boolean framed =
        stream.length >= SNAPPY_HEADER
            && ByteBuffer.wrap(stream, 0, SNAPPY.length).equals(ByteBuffer.wrap(SNAPPY));
    if (!framed) {
      return uncompressedLength(stream, 0) > MOST_BYTES;
    }
    int at = SNAPPY_HEADER;
    while (stream.length - at >= Integer.BYTES) {
      int length = ByteBuffer.wrap(stream).getInt(at);
      if (length > MOST_BYTES || uncompressedLength(stream, at + Integer.BYTES) > MOST_BYTES) {
        return true;
      }
      if (length < 0) {
        at += SNAPPY_HEADER;
      } else {
        at += Integer.BYTES + length;
      }
    }
    return false;
  }

  private static long uncompressedLength(byte[] block, int from) {
    long length = 0;
    for (int i = 0; i < 5 && from + i < block.length; i++) {
      length |= (block[from + i] & 0x7FL) << (7 * i);
      if (block[from + i] >= 0) {
        break;
      }
    }
    return length;
  }
}
