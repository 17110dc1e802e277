// SPDX-License-Identifier: Apache-2.0

package io.github.batchvalidator.lines;

import io.github.batchvalidator.format.BatchLayout;
import io.github.batchvalidator.rule.Codec;
import io.github.batchvalidator.testing.Batches;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.zip.CRC32;
import java.util.zip.CRC32C;
import java.util.zip.Checksum;
import org.apache.kafka.common.utils.BufferSupplier;
import org.jspecify.annotations.Nullable;

/**
 * Batches of any magic, taken apart as far as two writers of the same records have to agree: all
 * bytes, but compressed payloads by what they decode to, and neither their lengths nor checksums.
 */
public final class StoredBytes {
  static final int LEGACY_ATTRIBUTES_AT = LegacyBytes.OFFSET_AND_SIZE + LegacyBytes.ATTRIBUTES_AT;

  /** One per thread: a supplier that keeps buffers may not be shared. */
  private static final ThreadLocal<BufferSupplier> BUFFERS =
      ThreadLocal.withInitial(BufferSupplier::create);

  private StoredBytes() {}

  /** One batch or message within the bytes. */
  @SuppressWarnings("ArrayRecordComponent") // a window on shared bytes
  public record Span(byte[] bytes, int at, int size) {
    public int magic() {
      return bytes[at + BatchLayout.MAGIC_OFFSET];
    }

    int codecId() {
      int attributes =
          magic() == BatchLayout.MAGIC_V2
              ? bytes[at + BatchLayout.ATTRIBUTES_OFFSET + 1]
              : bytes[at + LEGACY_ATTRIBUTES_AT];
      return attributes & BatchLayout.CODEC_MASK;
    }

    /** Null for the ids 5 to 7. */
    public @Nullable Codec codec() {
      return Codec.byId(codecId());
    }

    boolean headerIsComplete() {
      return magic() == BatchLayout.MAGIC_V2
          ? size >= BatchLayout.HEADER_BYTES
          : size >= payloadAt();
    }

    /** Returns the position of the payload. In a wrapper without key it follows the value size. */
    int payloadAt() {
      return magic() == BatchLayout.MAGIC_V2
          ? BatchLayout.HEADER_BYTES
          : LegacyBytes.OFFSET_AND_SIZE + LegacyBytes.keyAt(magic()) + 2 * Integer.BYTES;
    }

    ByteBuffer payload() {
      return ByteBuffer.wrap(bytes, at + payloadAt(), size - payloadAt());
    }

    int crcAt() {
      return magic() == BatchLayout.MAGIC_V2 ? BatchLayout.CRC_OFFSET : LegacyBytes.CRC_OF_ENTRY;
    }

    /** Returns true if the stored checksum is that of the bytes. */
    public boolean checksumIsRight() {
      boolean modern = magic() == BatchLayout.MAGIC_V2;
      Checksum checksum = modern ? new CRC32C() : new CRC32();
      int from = modern ? BatchLayout.ATTRIBUTES_OFFSET : BatchLayout.MAGIC_OFFSET;
      checksum.update(bytes, at + from, size - from);
      return ByteBuffer.wrap(bytes).getInt(at + crcAt()) == (int) checksum.getValue();
    }

    byte[] copy() {
      return Arrays.copyOfRange(bytes, at, at + size);
    }
  }

  /** Returns all that is whole and of a known magic, as Kafka's scanner sees it. */
  public static List<Span> spans(byte[] bytes) {
    List<Span> all = new ArrayList<>();
    int at = 0;
    while (bytes.length - at >= BatchLayout.PREFIX_BYTES) {
      int length = ByteBuffer.wrap(bytes).getInt(at + BatchLayout.LENGTH_OFFSET);
      int magic = bytes[at + BatchLayout.MAGIC_OFFSET];
      if (length < BatchLayout.MIN_LENGTH
          || length > bytes.length - at - BatchLayout.LOG_OVERHEAD
          || magic < 0
          || magic > BatchLayout.MAGIC_V2) {
        break;
      }
      all.add(new Span(bytes, at, length + BatchLayout.LOG_OVERHEAD));
      at += length + BatchLayout.LOG_OVERHEAD;
    }
    return all;
  }

  /** Returns true if both hold the same batches, whatever their compressors made of them. */
  public static boolean same(byte[] one, byte[] other) {
    List<Span> ones = spans(one);
    List<Span> others = spans(other);
    if (ones.size() != others.size()) {
      return false;
    }
    for (int i = 0; i < ones.size(); i++) {
      if (!same(ones.get(i), others.get(i))) {
        return false;
      }
    }
    return true;
  }

  private static boolean same(Span one, Span other) {
    if (Arrays.equals(one.copy(), other.copy())) {
      return true;
    }
    if (one.magic() != other.magic() || one.codecId() != other.codecId() || one.codecId() == 0) {
      return false;
    }
    return Arrays.equals(header(one), header(other))
        && Arrays.equals(plain(one, Integer.MAX_VALUE), plain(other, Integer.MAX_VALUE));
  }

  /** True if a batch is one of magic 2 that is shorter than its header. */
  static boolean isHeaderCut(Append append) {
    return spans(append.bytes()).stream().anyMatch(StoredBytes::isHeaderCut);
  }

  private static boolean isHeaderCut(Span span) {
    return span.magic() == BatchLayout.MAGIC_V2 && !span.headerIsComplete();
  }

  /** Returns what is thrown for the fields of a cut header that are there, if one breaks a rule. */
  public static @Nullable String refusalOfCutHeader(Append append) {
    List<Span> spans = spans(append.bytes());
    if (spans.isEmpty() || !isHeaderCut(spans.get(0))) {
      return null;
    }
    int size = spans.get(0).size();
    ByteBuffer header = ByteBuffer.wrap(append.bytes());
    if (append.settings().client()) {
      boolean backwards =
          size >= BatchLayout.BASE_TIMESTAMP_OFFSET
              && header.getInt(BatchLayout.LAST_OFFSET_DELTA_OFFSET) < 0;
      return backwards ? "InvalidRecordException" : null;
    }
    boolean ofProducer =
        (header.get(BatchLayout.ATTRIBUTES_OFFSET + 1) & BatchLayout.TRANSACTIONAL_MASK) != 0
            || (size >= BatchLayout.PRODUCER_EPOCH_OFFSET
                && header.getLong(BatchLayout.PRODUCER_ID_OFFSET) >= 0);
    boolean old = append.settings().toMagic() < BatchLayout.MAGIC_V2;
    return old && ofProducer ? "UnsupportedForMessageFormatException" : null;
  }

  /** True if the first batch is a whole one of magic 2 with a codec id of 5 to 7 and no record. */
  static boolean startsWithUnknownCodecOfNothing(Append append) {
    List<Span> spans = spans(append.bytes());
    return !spans.isEmpty()
        && spans.get(0).magic() == BatchLayout.MAGIC_V2
        && spans.get(0).headerIsComplete()
        && spans.get(0).codec() == null
        && ByteBuffer.wrap(append.bytes()).getInt(BatchLayout.RECORD_COUNT_OFFSET) == 0;
  }

  /** True if an uncompressed control batch is for a compressed topic in a log of magic 0 or 1. */
  public static boolean isControlBatchForOldLog(Append append) {
    Settings settings = append.settings();
    return settings.source() == Codec.NONE
        && settings.target() != Codec.NONE
        && settings.toMagic() < BatchLayout.MAGIC_V2
        && startsWithControlBatch(append);
  }

  private static boolean startsWithControlBatch(Append append) {
    List<Span> spans = spans(append.bytes());
    return !spans.isEmpty()
        && spans.get(0).magic() == BatchLayout.MAGIC_V2
        && spans.get(0).headerIsComplete()
        && (append.bytes()[BatchLayout.ATTRIBUTES_OFFSET + 1] & BatchLayout.CONTROL_MASK) != 0;
  }

  /** True if a record of the first batch takes more than the limit of the append, undeclared. */
  public static boolean takeMoreThanTheLimit(Append append) {
    List<Span> spans = spans(append.bytes());
    Settings settings = append.settings();
    return settings.recordLimit() != Settings.NO_LIMIT
        && !spans.isEmpty()
        && spans.get(0).magic() == BatchLayout.MAGIC_V2
        && PlainRecords.takeMoreThan(
            plain(spans.get(0), Integer.MAX_VALUE), settings.appliedRecordLimit());
  }

  /** Returns true if both left the same memory, except for checksums that were wrong before. */
  static boolean differInWrongChecksumOnly(LinePair.Outcome outcome) {
    byte[] before = outcome.append().bytes();
    byte[] stock = outcome.stock().caller();
    byte[] patched = outcome.ours().caller().clone();
    int recordsAt = (patched.length - before.length) / 2; // equal guards before and after
    for (Span span : spans(before)) {
      if (!span.checksumIsRight()) {
        int at = recordsAt + span.at + span.crcAt();
        System.arraycopy(stock, at, patched, at, Integer.BYTES);
      }
    }
    return Arrays.equals(stock, patched);
  }

  /** The header without length, checksum and, of a wrapper, the size of its value. */
  private static byte[] header(Span span) {
    byte[] header = Arrays.copyOf(span.copy(), span.payloadAt());
    boolean modern = span.magic() == BatchLayout.MAGIC_V2;
    ByteBuffer.wrap(header).putInt(BatchLayout.LENGTH_OFFSET, 0).putInt(span.crcAt(), 0);
    if (!modern) {
      ByteBuffer.wrap(header).putInt(header.length - Integer.BYTES, 0);
    }
    return header;
  }

  /** Returns what a payload decodes to before it ends, fails or exceeds so many bytes. */
  static byte[] plain(Span span, int most) {
    Codec codec = span.codec();
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    if (codec == null || !span.headerIsComplete()) {
      return out.toByteArray();
    }
    BufferSupplier buffers = BUFFERS.get();
    try (InputStream in =
        Batches.compression(codec).wrapForInput(span.payload(), (byte) span.magic(), buffers)) {
      int read = in.read(); // byte by byte: a larger read loses its bytes to a later failure
      while (read >= 0 && out.size() < most) {
        out.write(read);
        read = in.read();
      }
    } catch (IOException | RuntimeException | Error e) {
      return out.toByteArray();
    }
    return out.toByteArray();
  }
}
