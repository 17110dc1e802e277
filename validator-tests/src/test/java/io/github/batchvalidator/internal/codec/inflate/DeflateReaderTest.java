// SPDX-License-Identifier: Apache-2.0

package io.github.batchvalidator.internal.codec.inflate;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.batchvalidator.internal.codec.Decoders;
import io.github.batchvalidator.internal.codec.Outcome;
import io.github.batchvalidator.internal.codec.PayloadDecoder;
import io.github.batchvalidator.internal.codec.gzip.GzipDecoder;
import io.github.batchvalidator.internal.payload.WindowDecoders;
import io.github.batchvalidator.rule.Codec;
import io.github.batchvalidator.rule.GzipInflater;
import io.github.batchvalidator.testing.streams.Bytes;
import io.github.batchvalidator.testing.streams.GzipStreams;
import io.github.batchvalidator.testing.streams.Plain;
import java.io.ByteArrayOutputStream;
import java.util.Arrays;
import java.util.Objects;
import java.util.Random;
import java.util.zip.DataFormatException;
import java.util.zip.Deflater;
import java.util.zip.Inflater;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** The reader alone: what it reads by itself, and what it leaves to the JDK's inflater. */
class DeflateReaderTest {
  // Bits as they come, of the last block of a stream. First with the fixed codes:
  private static final String FIXED = "110";
  private static final String LITERAL_A = "10010001";
  private static final String MATCH_OF_3 = "0000001";
  private static final String ONE_BACK = "00000";
  private static final String END = "0000000";

  // Blocks with dynamic codes: the numbers of codes, and the code for their lengths.
  private static final String OWN = "101";
  private static final String OF_257_AND_1 = OWN + "00000" + "00000" + "0111";
  private static final String OF_258_AND_1 = OWN + "10000" + "00000" + "0111";
  private static final String TWELVE_UNUSED = "000000000000000000000000000000000000";
  private static final String IS_0_10_AND_MANY_0 =
      "000000" + "100" + "010" + TWELVE_UNUSED + "000" + "010";
  private static final String IS_10_20_AND_MANY_0 =
      "000000" + "100" + TWELVE_UNUSED + "010" + "000" + "010";
  private static final String ZEROS_11 = "00000000";
  private static final String ZEROS_29 = "00100100";
  private static final String ZEROS_30 = "01100100";
  private static final String ZEROS_97 = "00110101";
  private static final String ZEROS_158 = "01111111" + "01001000";
  private static final String ZEROS_159 = "01111111" + "00101000";
  private static final String ZEROS_256 = "01111111" + "01101011";

  /** a is 0, the end 10, a match of three 11. */
  private static final String THREE_SYMBOLS =
      IS_10_20_AND_MANY_0 + ZEROS_97 + "10" + ZEROS_158 + "11" + "11";

  /** One back is 0 and nothing is 1. */
  private static final String ONE_DISTANCE = OF_258_AND_1 + THREE_SYMBOLS + "10";

  /** The end is 0 and nothing is 1; there is no distance. */
  private static final String NOTHING_BUT_THE_END =
      OF_257_AND_1 + IS_0_10_AND_MANY_0 + ZEROS_256 + "11" + "10" + "0";

  @ParameterizedTest
  @EnumSource
  void readsWhatZlibWrites(Plain kind) {
    DeflateReader reader = new DeflateReader(GzipDecoder.WINDOW_BYTES);
    for (int level = 0; level <= Deflater.BEST_COMPRESSION; level++) {
      for (int strategy = 0; strategy <= Deflater.HUFFMAN_ONLY; strategy++) {
        for (int size : new int[] {0, 1, 7, 1000, 65_535, 65_536, 65_537, 300_000}) {
          byte[] plain = kind.bytes(size);
          byte[] stored = GzipStreams.deflated(plain, level, strategy);
          reader.open(stored, 0, stored.length);
          assertArrayEquals(plain, drain(reader, GzipDecoder.WINDOW_BYTES));
          assertEquals(stored.length, reader.position());
        }
      }
    }
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 2, 7, 257, 258, 259, 2048, 32_768, 65_536})
  void anyWindowGivesTheSame(int window) {
    DeflateReader reader = new DeflateReader(window);
    for (Plain kind : Plain.values()) {
      byte[] plain = kind.bytes(100_000);
      byte[] stored = GzipStreams.deflated(plain);
      reader.open(stored, 0, stored.length);
      assertArrayEquals(plain, drain(reader, window));
    }
  }

  /** The frequencies of the literals are Fibonacci numbers, so that the codes are up to 15 bits. */
  @ParameterizedTest
  @ValueSource(ints = {1, 258, 65_536})
  void readsRunsOfLongAndShortCodes(int window) {
    byte[] plain = new byte[75_024];
    int next = 0;
    for (int literal = 0, count = 1, sum = 1; next < plain.length; literal++) {
      Arrays.fill(plain, next, next + count, (byte) literal);
      next += count;
      sum += count;
      count = sum - count;
    }
    assertEquals(plain.length, next);
    shuffle(plain);
    DeflateReader reader = new DeflateReader(window);
    for (int strategy = 0; strategy <= Deflater.HUFFMAN_ONLY; strategy++) {
      byte[] stored = GzipStreams.deflated(plain, Deflater.BEST_COMPRESSION, strategy);
      reader.open(stored, 0, stored.length);
      assertArrayEquals(plain, drain(reader, window));
    }
  }

  private static void shuffle(byte[] bytes) {
    Random random = new Random(35);
    for (int i = bytes.length - 1; i > 0; i--) {
      int other = random.nextInt(i + 1);
      byte swapped = bytes[i];
      bytes[i] = bytes[other];
      bytes[other] = swapped;
    }
  }

  @Test
  void readsNothingOutsideOfItsInput() {
    DeflateReader reader = new DeflateReader(2048);
    byte[] plain = Plain.JSON.bytes(5000);
    byte[] stored = GzipStreams.deflated(plain);
    for (int before = 0; before < 9; before++) {
      for (int behind = 0; behind < 20; behind++) {
        byte[] around =
            Bytes.concat(Bytes.filled(before, 0xFF), stored, Bytes.filled(behind, 0xFF));
        reader.open(around, before, stored.length);
        assertArrayEquals(plain, drain(reader, 2048));
        reader.open(around, before, stored.length - 1);
        assertNull(drain(reader, 2048));
      }
    }
  }

  /** The missing bytes would read as zeros, which are the code for the end of a block. */
  @Test
  void refusesAStreamThatIsCut() {
    byte[] stored = bytes(FIXED + LITERAL_A + LITERAL_A + LITERAL_A + END);
    for (int length = 0; length < stored.length; length++) {
      assertNull(read(Bytes.cut(stored, length)));
    }
    assertArrayEquals(new byte[] {'a', 'a', 'a'}, read(stored));
  }

  @Test
  void usedInputIsCountedToTheByte() {
    DeflateReader reader = new DeflateReader(1);
    byte[] stored = Bytes.concat(new byte[3], bytes(FIXED + LITERAL_A + LITERAL_A), new byte[100]);
    reader.open(stored, 1, stored.length - 1);
    reader.start(2);
    assertEquals(1, reader.read(1));
    assertEquals(2 + 2, reader.position());
    assertEquals(1, reader.read(1));
    assertEquals(2 + 3, reader.position());
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        FIXED + LITERAL_A + MATCH_OF_3 + ONE_BACK + END,
        ONE_DISTANCE + "0" + "11" + "0" + "10"
      })
  void readsAMatchWithTheFirstByte(String bits) {
    byte[] stored = bytes(bits);
    byte[] plain = {'a', 'a', 'a', 'a'};
    assertArrayEquals(plain, zlib(stored));
    assertArrayEquals(plain, read(stored));
    assertArrayEquals(plain, read(Bytes.concat(stored, new byte[100])));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        FIXED + LITERAL_A + MATCH_OF_3 + "00001" + END, // two back
        FIXED + LITERAL_A + "11000110" + ONE_BACK + END, // length symbol 286
        FIXED + LITERAL_A + "11000111" + ONE_BACK + END, // length symbol 287
        FIXED + LITERAL_A + MATCH_OF_3 + "11110" + "0000000000000" + END, // distance symbol 30
        FIXED + LITERAL_A + MATCH_OF_3 + "11111" + "0000000000000" + END, // distance symbol 31
        "111", // block type 3
        "100" + "00000" + "1000000000000000" + "1111111111111111", // a stored length
        OWN + "01111" + "00000" + "0111" + THREE_SYMBOLS + ZEROS_29 + "10" + "010", // 287 literals
        OWN + "10000" + "01111" + "0111" + THREE_SYMBOLS + "10" + ZEROS_30 + "010", // 31 distances
        OF_257_AND_1 + IS_0_10_AND_MANY_0 + ZEROS_256 + "10" + "11", // no end
        OF_258_AND_1 + THREE_SYMBOLS + ZEROS_11 + "010", // more lengths than there are
        ONE_DISTANCE + "0" + "11" + "1" + "10" // the other distance
      })
  void refusesWhatZlibRefuses(String bits) {
    byte[] stored = bytes(bits);
    for (byte[] each : new byte[][] {stored, Bytes.concat(stored, new byte[400])}) {
      assertNull(zlib(each));
      assertNull(read(each));
    }
  }

  /** It would never end, but many bytes would be handed out before that shows. */
  @Test
  void refusesABlockWithoutAnEndBeforeItsFirstByte() {
    String codes = OF_258_AND_1 + IS_10_20_AND_MANY_0 + ZEROS_97 + "10" + ZEROS_159 + "10" + "10";
    byte[] stored = Bytes.concat(bytes(codes), new byte[400]);
    assertNull(zlib(stored));
    DeflateReader reader = new DeflateReader(1);
    reader.open(stored, 0, stored.length);
    reader.start(0);
    assertEquals(DeflateReader.REFUSED, reader.read(1));
  }

  /** The reader is stricter than the JDK's, which continues after more bytes than a window. */
  @Test
  void theJdkDecidesAboutStreamsThatItRefuses() {
    byte[] plain = Plain.JSON.bytes(65_535);
    int complement = ~plain.length;
    byte[] block =
        Bytes.concat(
            Bytes.of(0, plain.length, plain.length >> 8, complement, complement >> 8), plain);
    byte[] stored = Bytes.concat(block, block, bytes(NOTHING_BUT_THE_END));
    byte[] both = Bytes.concat(plain, plain);
    assertNull(read(stored));
    assertArrayEquals(both, zlib(stored));
    try (Decoders decoders = WindowDecoders.fastest(GzipInflater.JAVA)) {
      byte[] member = Bytes.concat(GzipStreams.header(0), stored, GzipStreams.trailer(both));
      PayloadDecoder decoder = Objects.requireNonNull(decoders.get(Codec.GZIP));
      for (byte[] payload : new byte[][] {member, Bytes.concat(member, member)}) {
        Outcome outcome = Outcome.of(decoder, payload);
        assertTrue(outcome.isClean(), outcome::toString);
        assertEquals(payload.length, outcome.inputPosition());
        assertArrayEquals(payload == member ? both : Bytes.concat(both, both), outcome.plain());
      }
    }
  }

  private static byte @Nullable [] read(byte[] stored) {
    DeflateReader reader = new DeflateReader(GzipDecoder.WINDOW_BYTES);
    reader.open(stored, 0, stored.length);
    return drain(reader, GzipDecoder.WINDOW_BYTES);
  }

  /** Returns the bytes of the stream at the start, or null if it is refused. */
  private static byte @Nullable [] drain(DeflateReader reader, int window) {
    ByteArrayOutputStream plain = new ByteArrayOutputStream();
    reader.start(0);
    while (!reader.ended()) {
      int bytes = reader.read(window);
      if (bytes == DeflateReader.REFUSED) {
        return null;
      }
      plain.write(reader.array(), reader.from(), bytes);
    }
    return plain.toByteArray();
  }

  private static byte @Nullable [] zlib(byte[] stored) {
    Inflater inflater = new Inflater(true);
    try {
      inflater.setInput(stored);
      byte[] plain = new byte[200_000];
      int bytes = inflater.inflate(plain);
      return inflater.finished() ? Bytes.cut(plain, bytes) : null;
    } catch (DataFormatException e) {
      return null;
    } finally {
      inflater.end();
    }
  }

  /** Packs bits, of which the first one becomes the lowest of the first byte. */
  private static byte[] bytes(String bits) {
    byte[] bytes = new byte[(bits.length() + Byte.SIZE - 1) / Byte.SIZE];
    for (int i = 0; i < bits.length(); i++) {
      bytes[i / Byte.SIZE] |= (byte) ((bits.charAt(i) - '0') << i % Byte.SIZE);
    }
    return bytes;
  }
}
