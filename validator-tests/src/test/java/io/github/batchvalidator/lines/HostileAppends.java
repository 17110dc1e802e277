// SPDX-License-Identifier: Apache-2.0

package io.github.batchvalidator.lines;

import static io.github.batchvalidator.testing.RecordBytes.varint;

import io.github.batchvalidator.format.BatchLayout;
import io.github.batchvalidator.rule.Codec;
import io.github.batchvalidator.testing.Batches;
import io.github.batchvalidator.testing.BufferKind;
import io.github.batchvalidator.testing.LegacyMessage;
import io.github.batchvalidator.testing.RecordBytes;
import java.io.ByteArrayOutputStream;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * Appends that ask for more memory, stack or time than they are worth. They are made here and
 * nowhere stored, and never given to a stock validator.
 */
public final class HostileAppends {
  private static final int MEMBERS = 60_000;
  private static final int BOMB_BYTES = 200_000_000;
  private static final int SNAPPY_HEADERS = 60_000;
  private static final int SNAPPY_HEADER_BYTES = 16;

  private HostileAppends() {}

  /** Returns each of them for a topic that keeps the codec, one that changes it, and one of v1. */
  static List<Append> all() {
    List<Append> all = new ArrayList<>();
    for (Codec codec : Codec.values()) {
      if (codec != Codec.NONE) {
        add(all, codec, Batches.ofPlain(codec, Integer.MAX_VALUE, oneRecord()).array());
        add(all, codec, Batches.ofPlain(codec, 1, hugeRecord()).array());
        add(all, codec, Batches.ofPayload(codec, 1, bomb(codec)).array());
        for (int magic = 0; magic < 2; magic++) {
          add(all, codec, hugeMessage(codec, magic));
          add(all, codec, LegacyBytes.wrapper(0, magic, codec.id(), 0, bomb(codec)));
        }
      }
    }
    add(all, Codec.GZIP, Batches.ofPayload(Codec.GZIP, 1, emptyMembers()).array());
    add(all, Codec.SNAPPY, Batches.ofPayload(Codec.SNAPPY, 1, snappyHeaders()).array());
    for (int declared : new int[] {-1, 1 << 29, Integer.MAX_VALUE, 1 << 30}) {
      add(all, Codec.SNAPPY, Batches.ofPayload(Codec.SNAPPY, 1, snappyChunk(declared)).array());
      add(all, Codec.SNAPPY, Batches.ofPayload(Codec.SNAPPY, 1, snappyBlock(declared)).array());
    }
    return all;
  }

  /** Returns the batches of magic 2 among them. */
  public static List<byte[]> batches() {
    return all().stream()
        .map(Append::bytes)
        .filter(bytes -> bytes[BatchLayout.MAGIC_OFFSET] == BatchLayout.MAGIC_V2)
        .distinct() // all() has the same array for several topics
        .toList();
  }

  private static void add(List<Append> all, Codec codec, byte[] bytes) {
    Settings kept = Settings.of(codec, Batches.nowMs());
    all.add(new Append(bytes, BufferKind.HEAP, kept));
    Codec other = codec == Codec.ZSTD ? Codec.LZ4 : Codec.ZSTD;
    all.add(new Append(bytes, BufferKind.SLICED, SettingsChanges.target(kept, other, 2)));
    all.add(new Append(bytes, BufferKind.DIRECT, SettingsChanges.target(kept, Codec.NONE, 2)));
    all.add(new Append(bytes, BufferKind.HEAP, SettingsChanges.target(kept, Codec.LZ4, 1)));
    Settings plain = SettingsChanges.target(kept, Codec.NONE, 2);
    all.add(new Append(bytes, BufferKind.HEAP, SettingsChanges.source(plain, Codec.NONE)));
  }

  private static byte[] oneRecord() {
    return new RecordBytes().toBytes();
  }

  private static byte[] hugeRecord() {
    return new RecordBytes().length(varint(Integer.MAX_VALUE, 1)).toBytes();
  }

  private static byte[] hugeMessage(Codec codec, int magic) {
    byte[] message = LegacyBytes.message(magic, 0, 0, null, new byte[] {'v'});
    byte[] entry = LegacyBytes.entry(0, Integer.MAX_VALUE, message);
    return LegacyBytes.wrapper(
        0, magic, codec.id(), 0, LegacyMessage.compress(magic, codec, entry));
  }

  /** A record whose value is far larger than the heap, and of one byte over and over. */
  private static byte[] bomb(Codec codec) {
    if (codec == Codec.GZIP || codec == Codec.ZSTD) {
      return Bombs.compressed(codec, BOMB_BYTES);
    }
    return Bombs.compressed(codec, BOMB_BYTES / 40);
  }

  private static byte[] emptyMembers() {
    byte[] member = Batches.compress(Codec.GZIP, new byte[0]);
    return repeated(member, MEMBERS);
  }

  private static byte[] snappyHeaders() {
    return repeated(snappyHeader(), SNAPPY_HEADERS);
  }

  private static byte[] snappyHeader() {
    return Arrays.copyOf(Batches.compress(Codec.SNAPPY, oneRecord()), SNAPPY_HEADER_BYTES);
  }

  private static byte[] repeated(byte[] bytes, int times) {
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    for (int i = 0; i < times; i++) {
      out.writeBytes(bytes);
    }
    return out.toByteArray();
  }

  private static byte[] snappyChunk(int declared) {
    byte[] stream = Batches.compress(Codec.SNAPPY, oneRecord());
    ByteBuffer.wrap(stream).putInt(SNAPPY_HEADER_BYTES, declared);
    return stream;
  }

  /** A chunk of the right size whose block says that it holds so many bytes. */
  private static byte[] snappyBlock(int declared) {
    ByteArrayOutputStream block = new ByteArrayOutputStream();
    long rest = declared & 0xFFFFFFFFL;
    while (rest > 0x7F) {
      block.write((int) ((rest & 0x7F) | 0x80));
      rest >>>= 7;
    }
    block.write((int) rest);
    block.write(0);
    block.write('x');
    byte[] header = snappyHeader();
    return ByteBuffer.allocate(header.length + Integer.BYTES + block.size())
        .put(header)
        .putInt(block.size())
        .put(block.toByteArray())
        .array();
  }
}
