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
 * Text as Kafka writes it back after it was decoded to a string: what is not UTF-8 becomes the
 * replacement character, which may take three times the bytes. Piece by piece, so that memory does
 * not depend on the text. Confined to one thread.
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

  /** Returns how many bytes the text will have. */
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

  /** Writes the text. */
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

  /** Puts the next bytes into the piece; returns false if they are the last. */
  private boolean next(ByteBuffer left) {
    CoderResult decoded = decoder.decode(left, chars.clear(), true);
    chars.flip();
    // Neither of a pair of surrogates is decoded without the other, so each piece is a text.
    encoder.reset().encode(chars, piece.clear(), true);
    piece.flip();
    return decoded.isOverflow();
  }
}
