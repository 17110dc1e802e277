// SPDX-License-Identifier: Apache-2.0

package io.github.batchvalidator.testing;

import io.github.batchvalidator.format.BatchLayout;
import io.github.batchvalidator.format.LegacyLayout;
import io.github.batchvalidator.rule.Codec;
import java.io.ByteArrayOutputStream;
import java.nio.ByteBuffer;
import org.jspecify.annotations.Nullable;

/**
 * One message of magic 0 or 1 as bytes, prefix included, so that any field can be a lie. Starts as
 * an honest one with offset 0, the time of {@link Batches}, and a key and a value of one byte each.
 */
public final class LegacyMessage {
  private final byte magic;
  private long offset;
  private int attributes;
  private long timestamp = Batches.nowMs();
  private byte @Nullable [] key = {'k'};
  private byte @Nullable [] value = {'v'};
  private int keySizeError;
  private int valueSizeError;
  private int crcError;
  private int cutBytes;
  private int innerMagic;

  private LegacyMessage(byte magic) {
    this.magic = magic;
    innerMagic = magic;
  }

  /** Starts a message of magic 0 or 1. */
  public static LegacyMessage of(int magic) {
    return new LegacyMessage((byte) magic);
  }

  /** Starts a message that holds others, offset that of the last. */
  public static LegacyMessage holding(int magic, Codec codec, LegacyMessage... messages) {
    return holdingPlain(magic, codec, join(messages)).offset(messages.length - 1);
  }

  /** Starts a message whose value is compressed from plain bytes. */
  public static LegacyMessage holdingPlain(int magic, Codec codec, byte[] plain) {
    return of(magic).attributes(codec.id()).key(null).value(compress(magic, codec, plain));
  }

  /** Returns so many messages with the offsets 0, 1, 2, ... and ascending timestamps. */
  public static LegacyMessage[] several(int magic, int count) {
    LegacyMessage[] messages = new LegacyMessage[count];
    for (int i = 0; i < count; i++) {
      messages[i] =
          of(magic).offset(i).timestamp(Batches.nowMs() + i).value(new byte[] {'v', (byte) i});
    }
    return messages;
  }

  /** Returns the bytes of several messages in a row. */
  public static byte[] join(LegacyMessage... messages) {
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    for (LegacyMessage message : messages) {
      out.writeBytes(message.toBytes());
    }
    return out.toByteArray();
  }

  /** Compresses with the codec as Kafka does for this magic. */
  public static byte[] compress(int magic, Codec codec, byte[] plain) {
    return Batches.compress(Batches.compression(codec), (byte) magic, plain);
  }

  public LegacyMessage offset(long number) {
    offset = number;
    return this;
  }

  public LegacyMessage attributes(int bits) {
    attributes = bits;
    return this;
  }

  /** Sets the bit that says that the broker set the timestamp. */
  public LegacyMessage logAppendTime() {
    attributes |= BatchLayout.TIMESTAMP_TYPE_MASK;
    return this;
  }

  public LegacyMessage timestamp(long ms) {
    timestamp = ms;
    return this;
  }

  public LegacyMessage key(byte @Nullable [] bytes) {
    key = bytes;
    return this;
  }

  public LegacyMessage value(byte @Nullable [] bytes) {
    value = bytes;
    return this;
  }

  /** Makes the size of the key wrong by so many bytes. */
  public LegacyMessage keySizeError(int bytes) {
    keySizeError = bytes;
    return this;
  }

  /** Makes the size of the value wrong by so many bytes. */
  public LegacyMessage valueSizeError(int bytes) {
    valueSizeError = bytes;
    return this;
  }

  /** Makes the checksum wrong by these bits. */
  public LegacyMessage crcError(int bits) {
    crcError = bits;
    return this;
  }

  /** Ends the message so many bytes early; length and checksum fit what is left. */
  public LegacyMessage cut(int bytes) {
    cutBytes = bytes;
    return this;
  }

  /** Writes another magic than the layout has. */
  public LegacyMessage magicByte(int number) {
    innerMagic = number;
    return this;
  }

  /** Returns the message, prefix included. */
  public byte[] toBytes() {
    ByteBuffer out = ByteBuffer.allocate(64 + length(key) + length(value));
    out.position(LegacyLayout.MAGIC_OFFSET);
    out.put((byte) innerMagic).put((byte) attributes);
    if (magic == LegacyLayout.MAGIC_V1) {
      out.putLong(timestamp);
    }
    putField(out, key, keySizeError);
    putField(out, value, valueSizeError);
    byte[] bytes = new byte[out.position() - cutBytes];
    out.get(0, bytes);
    ByteBuffer whole = ByteBuffer.wrap(bytes);
    whole.putLong(LegacyLayout.OFFSET_OFFSET, offset);
    whole.putInt(BatchLayout.LENGTH_OFFSET, bytes.length - BatchLayout.LOG_OVERHEAD);
    whole.putInt(
        LegacyLayout.CRC_OFFSET, Batches.crc32(bytes, LegacyLayout.MAGIC_OFFSET) ^ crcError);
    return bytes;
  }

  /** Returns a batch that consists of this message. */
  public ByteBuffer toBuffer() {
    return ByteBuffer.wrap(toBytes());
  }

  private static int length(byte @Nullable [] bytes) {
    return bytes == null ? 0 : bytes.length;
  }

  private static void putField(ByteBuffer out, byte @Nullable [] bytes, int sizeError) {
    out.putInt((bytes == null ? -1 : bytes.length) + sizeError);
    if (bytes != null) {
      out.put(bytes);
    }
  }
}
