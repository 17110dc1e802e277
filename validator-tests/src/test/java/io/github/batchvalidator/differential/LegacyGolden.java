// SPDX-License-Identifier: Apache-2.0

package io.github.batchvalidator.differential;

import io.github.batchvalidator.rule.Codec;
import io.github.batchvalidator.testing.Batches;
import io.github.batchvalidator.testing.LegacyMessage;
import java.util.stream.Stream;

/**
 * A sound message of magic 0 or 1. With a codec, it holds three messages.
 *
 * @param streamMagic the magic whose form of compression is used. Only LZ4 differs: for magic 0
 *     Kafka computes the header checksum over other bytes. It reads both forms in magic 0, and only
 *     the right one in magic 1
 */
record LegacyGolden(int magic, Codec codec, int streamMagic) {
  static final int MESSAGES = 3;

  private static final Codec[] CODECS = {Codec.NONE, Codec.GZIP, Codec.SNAPPY, Codec.LZ4};
  private static final int VALUE_BYTES = 20;

  /** Returns all of them, as Kafka writes them; and lz4 with the other checksum. */
  static Stream<LegacyGolden> all() {
    Stream<LegacyGolden> written =
        Stream.of(0, 1)
            .flatMap(
                magic -> Stream.of(CODECS).map(codec -> new LegacyGolden(magic, codec, magic)));
    return Stream.concat(
        written, Stream.of(new LegacyGolden(0, Codec.LZ4, 1), new LegacyGolden(1, Codec.LZ4, 0)));
  }

  static Stream<LegacyGolden> compressed() {
    return all().filter(golden -> golden.codec != Codec.NONE);
  }

  /** Returns whether Kafka reads it. */
  boolean isReadable() {
    return streamMagic >= magic;
  }

  byte[] bytes() {
    return codec == Codec.NONE
        ? timed(LegacyMessage.of(magic).value(new byte[VALUE_BYTES]))
        : around(plain());
  }

  /** Returns the messages that it holds. */
  byte[] plain() {
    return LegacyMessage.join(LegacyMessage.several(magic, MESSAGES));
  }

  byte[] compress(byte[] plain) {
    return LegacyMessage.compress(streamMagic, codec, plain);
  }

  /** Returns the same message around other plain bytes. */
  byte[] around(byte[] plain) {
    return holding(compress(plain));
  }

  /** Returns the same message around another stream. */
  byte[] holding(byte[] stream) {
    LegacyMessage outer = LegacyMessage.of(magic).attributes(codec.id()).key(null);
    return timed(outer.offset(MESSAGES - 1).value(stream));
  }

  private static byte[] timed(LegacyMessage message) {
    return message.timestamp(Batches.nowMs() + MESSAGES - 1).toBytes();
  }
}
