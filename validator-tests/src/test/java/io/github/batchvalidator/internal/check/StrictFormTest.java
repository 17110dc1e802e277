// SPDX-License-Identifier: Apache-2.0

package io.github.batchvalidator.internal.check;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.batchvalidator.BatchValidator;
import io.github.batchvalidator.rule.Codec;
import io.github.batchvalidator.rule.Origin;
import io.github.batchvalidator.rule.Policy;
import io.github.batchvalidator.rule.Reason;
import io.github.batchvalidator.testing.Batches;
import io.github.batchvalidator.testing.RecordBytes;
import io.github.batchvalidator.verdict.MutableVerdict;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.util.EnumSet;
import java.util.Random;
import java.util.Set;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.lifecycle.AfterContainer;
import net.jqwik.api.lifecycle.BeforeContainer;

/**
 * Records whose numbers are written in one byte more than they need, here and there, whose lengths
 * are below null and whose keys of headers are not UTF-8: level STRICT tells just what is so,
 * whichever way the iterator reads the record.
 */
final class StrictFormTest {
  private static final Policy OBSERVING =
      Policy.builder(Origin.CLIENT).checkedByHost(false).observing(true).build();

  /** Around them, numbers get longer by a byte. */
  private static final int[] SIZES = {0, 1, 7, 8, 62, 63, 64, 65, 127, 128, 500, 8191, 8192, 9000};

  /** One for all: what it found in a batch must not show in the next. */
  private static BatchValidator validator = new BatchValidator();

  private final MutableVerdict verdict = new MutableVerdict();

  @BeforeContainer
  static void open() {
    validator = new BatchValidator();
  }

  @AfterContainer
  static void close() {
    validator.close();
  }

  @Property(tries = 3000)
  void everyOddFormIsFoundAndNothingElse(
      @ForAll long seed, @ForAll boolean isLast, @ForAll Codec codec) {
    Writer writer = new Writer(new Random(seed));
    byte[] odd = writer.record();
    byte[] rest = isLast ? new byte[0] : next();
    byte[] plain = new byte[odd.length + rest.length];
    System.arraycopy(odd, 0, plain, 0, odd.length);
    System.arraycopy(rest, 0, plain, odd.length, rest.length);
    ByteBuffer batch = Batches.ofPlain(codec, isLast ? 1 : 2, plain);
    assertTrue(validator.inspect(batch, OBSERVING, Batches.nowMs(), verdict), verdict::toString);
    for (Reason reason : Writer.TOLD) {
      assertEquals(
          writer.expected.contains(reason),
          verdict.findings().has(reason),
          () -> reason + ": " + verdict.findings());
    }
  }

  private static byte[] next() {
    return new RecordBytes().offsetDelta(RecordBytes.varint(1, 1)).toBytes();
  }

  /** Writes a record, and notes what is wrong with it. */
  private static final class Writer {
    static final Set<Reason> TOLD =
        EnumSet.of(
            Reason.RECORD_NUMBER_NOT_SHORTEST,
            Reason.RECORD_ATTRIBUTES_RESERVED,
            Reason.RECORD_NULL_LENGTH_INVALID,
            Reason.RECORD_HEADER_KEY_NOT_UTF8);

    private final Random random;
    final Set<Reason> expected = EnumSet.noneOf(Reason.class);

    Writer(Random random) {
      this.random = random;
    }

    byte[] record() {
      RecordBytes record = new RecordBytes();
      if (random.nextInt(8) == 0) {
        record.attributes(1 << random.nextInt(8));
        expected.add(Reason.RECORD_ATTRIBUTES_RESERVED);
      }
      record.timestampDelta(number((int) (random.nextGaussian() * (1 << random.nextInt(22)))));
      record.offsetDelta(number(0));
      byte[] key = bytes();
      record.key(length(key), key);
      byte[] value = bytes();
      record.value(length(value), value);
      int headers = Math.max(0, random.nextInt(6) - 2);
      record.headerCount(number(headers));
      for (int i = 0; i < headers; i++) {
        byte[] headerKey = text();
        byte[] headerValue = bytes();
        record.headerPart(number(headerKey.length), headerKey);
        record.headerPart(length(headerValue), headerValue);
      }
      return record.toBytes();
    }

    /** The size of some bytes; of none a length of null, or below it. */
    private byte[] length(byte[] bytes) {
      if (bytes.length > 0 || random.nextBoolean()) {
        return number(bytes.length);
      }
      int size = random.nextInt(4) == 0 ? -2 - random.nextInt(90) : -1;
      if (size < -1) {
        expected.add(Reason.RECORD_NULL_LENGTH_INVALID);
      }
      return number(size);
    }

    private byte[] number(int number) {
      byte[] shortest = RecordBytes.varint(number, 1);
      if (random.nextInt(20) > 0) {
        return shortest;
      }
      expected.add(Reason.RECORD_NUMBER_NOT_SHORTEST);
      return RecordBytes.varint(number, shortest.length + 1);
    }

    private byte[] bytes() {
      byte[] bytes = new byte[SIZES[random.nextInt(random.nextInt(4) == 0 ? SIZES.length : 5)]];
      random.nextBytes(bytes);
      if (random.nextBoolean()) {
        // Bytes that look like a number in one byte too many.
        for (int i = 0; i < bytes.length; i++) {
          bytes[i] &= (byte) 0x81;
        }
      }
      return bytes;
    }

    private byte[] text() {
      byte[] text =
          "traceparent, of this or that, "
              .repeat(5)
              .substring(random.nextInt(150))
              .getBytes(StandardCharsets.UTF_8);
      if (text.length > 0 && random.nextInt(6) == 0) {
        text[random.nextInt(text.length)] |= (byte) 0x80;
        if (!isUtf8(text)) {
          expected.add(Reason.RECORD_HEADER_KEY_NOT_UTF8);
        }
      }
      return text;
    }

    private static boolean isUtf8(byte[] text) {
      try {
        StandardCharsets.UTF_8.newDecoder().decode(ByteBuffer.wrap(text));
        return true;
      } catch (CharacterCodingException e) {
        return false;
      }
    }
  }
}
