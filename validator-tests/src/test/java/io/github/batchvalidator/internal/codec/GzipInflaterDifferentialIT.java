// SPDX-License-Identifier: Apache-2.0

package io.github.batchvalidator.internal.codec;

import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.batchvalidator.internal.payload.WindowDecoders;
import io.github.batchvalidator.rule.Codec;
import io.github.batchvalidator.rule.GzipInflater;
import java.util.Base64;
import java.util.List;
import java.util.Random;
import java.util.zip.DataFormatException;
import java.util.zip.Inflater;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** On mutated streams all inflaters give the same bytes, the same fault and the same position. */
@Tag("unvaried")
class GzipInflaterDifferentialIT {
  private static final long SEED = 20_261_121L;
  private static final int MUTANTS = 120_000;
  private static final int LARGE_MUTANTS = 1_000;
  private static final int LARGE_BYTES = 250_000;

  private final Random random = new Random(SEED);
  private final Decoders jdk = WindowDecoders.fastest(GzipInflater.JDK);
  private final Decoders java = WindowDecoders.fastest(GzipInflater.JAVA);
  private final Decoders auto = WindowDecoders.fastest(GzipInflater.AUTO);
  private final Inflater inflater = new Inflater(true);
  private final byte[] inflated = new byte[2 * LARGE_BYTES];

  @AfterEach
  void close() {
    jdk.close();
    java.close();
    auto.close();
    inflater.end();
  }

  @Test
  void smallMutantsAreJudgedAlike() {
    compare(MUTANTS, 400);
  }

  /** Of several windows each, so that faults lie behind bytes that were handed out. */
  @Test
  void largeMutantsAreJudgedAlike() {
    compare(LARGE_MUTANTS, LARGE_BYTES);
  }

  private void compare(int mutants, int mostPlainBytes) {
    int clean = 0;
    for (int i = 0; i < mutants; i++) {
      byte[] stored = mutant(plain(1 + random.nextInt(mostPlainBytes)));
      Outcome expected = Outcome.of(DecoderContract.decoder(jdk, Codec.GZIP), stored);
      for (Decoders each : List.of(java, auto)) {
        Outcome outcome = Outcome.of(DecoderContract.decoder(each, Codec.GZIP), stored);
        assertTrue(
            outcome.equalTo(expected),
            () ->
                outcome + ", JDK " + expected + ": " + Base64.getEncoder().encodeToString(stored));
      }
      clean += expected.isClean() ? 1 : 0;
    }
    String share = clean + " of " + mutants + " are clean";
    assertTrue(clean > mutants / 10 && clean < mutants * 9 / 10, share);
  }

  /** Literals and matches, near and far. */
  private byte[] plain(int length) {
    byte[] plain = new byte[length];
    int alphabet = 1 + random.nextInt(1 << random.nextInt(9));
    int far = 1 + random.nextInt(40_000);
    for (int at = 0; at < length; ) {
      int distance = 1 + random.nextInt(random.nextBoolean() ? 16 : far);
      if (distance > at || random.nextInt(3) == 0) {
        plain[at++] = (byte) random.nextInt(alphabet);
        continue;
      }
      int end = Math.min(length, at + 1 + random.nextInt(40));
      for (; at < end; at++) {
        plain[at] = plain[at - distance];
      }
    }
    return plain;
  }

  /** Flips bits where blocks start or anywhere. Mostly the trailer fits what zlib reads then. */
  private byte[] mutant(byte[] plain) {
    byte[] deflated = GzipStreams.deflated(plain, random.nextInt(10), random.nextInt(3));
    int within = random.nextBoolean() ? Math.min(100, deflated.length) : deflated.length;
    for (int flips = random.nextInt(3); flips > 0; flips--) {
      deflated[random.nextInt(within)] ^= (byte) (1 << random.nextInt(Byte.SIZE));
    }
    byte[] trailer = GzipStreams.trailer(zlib(deflated, plain));
    byte[] stored = Bytes.concat(GzipStreams.header(0), deflated, trailer);
    return switch (random.nextInt(10)) {
      case 0 -> Bytes.concat(stored, stored);
      case 1 -> Bytes.cut(stored, random.nextInt(stored.length));
      case 2 -> Bytes.damaged(stored, random.nextInt(stored.length));
      default -> stored;
    };
  }

  private byte[] zlib(byte[] deflated, byte[] otherwise) {
    inflater.reset();
    inflater.setInput(deflated);
    try {
      int bytes = inflater.inflate(inflated);
      return inflater.finished() ? Bytes.cut(inflated, bytes) : otherwise;
    } catch (DataFormatException e) {
      return otherwise;
    }
  }
}
