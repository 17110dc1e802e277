// SPDX-License-Identifier: Apache-2.0

package io.github.batchvalidator.internal.rebuild;

import java.nio.ByteBuffer;
import java.nio.CharBuffer;
import java.nio.charset.CharsetDecoder;
import java.nio.charset.CharsetEncoder;
import java.nio.charset.CoderResult;
import java.nio.charset.CodingErrorAction;
import java.nio.charset.StandardCharsets;

/**
 * A converter for text that Kafka decodes to a string and encodes again. Malformed UTF-8 becomes
 * the replacement character, which may take three times the bytes. Works in pieces, so that memory
 * does not depend on the text. Confined to one thread.
 */
final class Utf8Repair {
  private static final int PIECE_CHARS = 4 * 1024;
  private static final int MOST_BYTES_OF_CHAR = 3;

  private final CharsetDecoder decoder =
      StandardCharsets.UTF_8
          .newDecoder()
          .onMalformedInput(CodingErrorAction.REPLACE)
          .onUnmappableCharacter(CodingErrorAction.REPLACE);
  private final CharsetEncoder encoder = StandardCharsets.UTF_8.newEncoder();
  private final CharBuffer chars = CharBuffer.allocate(PIECE_CHARS);
  private final ByteBuffer piece = ByteBuffer.allocate(PIECE_CHARS * MOST_BYTES_OF_CHAR);

  Utf8Repair() {}

  /** Returns the size of the converted text in bytes. */
  long length(byte[] text, int from, int size) {
    ByteBuffer left = start(text, from, size);
    long length = 0;
    boolean isMore = true;
    while (isMore) {
      isMore = next(left);
      length += piece.limit();
    }
    return length;
  }

  /** Writes the converted text. */
  void write(byte[] text, int from, int size, OutputBuffer target) {
    ByteBuffer left = start(text, from, size);
    boolean isMore = true;
    while (isMore) {
      isMore = next(left) && target.failure() == null;
      target.write(piece.array(), 0, piece.limit());
    }
  }

  private ByteBuffer start(byte[] text, int from, int size) {
    decoder.reset();
    return ByteBuffer.wrap(text, from, size);
  }

  /** Converts the next piece; returns false if it is the last. */
  private boolean next(ByteBuffer left) {
    CoderResult decoded = decoder.decode(left, chars.clear(), true);
    chars.flip();
    // The decoder does not split surrogate pairs, so each piece can be encoded alone.
    encoder.reset().encode(chars, piece.clear(), true);
    piece.flip();
    return decoded.isOverflow();
  }
}
