// SPDX-License-Identifier: Apache-2.0

package io.github.batchvalidator.internal.codec.gzip;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTimeoutPreemptively;

import io.github.batchvalidator.internal.codec.Bytes;
import io.github.batchvalidator.internal.codec.GzipStreams;
import io.github.batchvalidator.internal.codec.Payload;
import io.github.batchvalidator.rule.GzipInflater;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.Arrays;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

class JavaInflaterTest {
  @ParameterizedTest
  @EnumSource
  void isChosenByItsName(GzipInflater each) {
    assertEquals(each, GzipInflater.named(each.label()));
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "JDK", "Java", "auto ", "igzip"})
  void isNotGuessed(String name) {
    assertNull(GzipInflater.named(name));
  }

  @ParameterizedTest
  @CsvSource({
    "'mixed mode, sharing', true",
    "'mixed mode, emulated-client, sharing', true",
    "compiled mode, true",
    "'interpreted mode, sharing', false",
    "'', true"
  })
  void autoIsInJavaWhereThatIsCompiled(String vmInfo, boolean inJava) {
    int never = JavaInflater.leastBytes(GzipInflater.JDK, vmInfo);
    int auto = JavaInflater.leastBytes(GzipInflater.AUTO, vmInfo);
    assertEquals(inJava, auto < never, () -> "from " + auto);
    assertEquals(0, JavaInflater.leastBytes(GzipInflater.JAVA, vmInfo));
  }

  /** Nobody may write to a batch that is inspected; whoever does costs no thread. */
  @Test
  void bytesThatChangeBeforeTheJdkReadsThemAreAFault() {
    byte[] noise = new byte[300_000];
    new Random(7).nextBytes(noise);
    byte[] stored = GzipStreams.deflated(noise);
    Payload payload = new Payload().wrap(ByteBuffer.wrap(stored), 0, stored.length);
    try (JavaInflater inflater = new JavaInflater(1 << 16, 0)) {
      inflater.open(payload, Integer.MAX_VALUE);
      inflater.start(0);
      assertEquals(1 << 16, inflater.inflate(1 << 16));
      Arrays.fill(stored, (byte) 0xFF); // a block of no type
      System.arraycopy(Bytes.of(1, 0, 0, 0xFF, 0xFF), 0, stored, 0, 5); // an empty last block
      int fault = assertTimeoutPreemptively(Duration.ofSeconds(20), () -> firstFault(inflater));
      assertEquals(MemberInflater.CORRUPT, fault);
    }
  }

  private static int firstFault(JavaInflater inflater) {
    int bytes = 0;
    while (bytes >= 0) {
      bytes = inflater.inflate(1 << 16);
    }
    return bytes;
  }

  /** Java hands out bytes where they lie, the JDK's inflater each time from the first on. */
  @ParameterizedTest
  @CsvSource({"699, 700, false", "700, 700, true", "20, 0, true"})
  void smallPayloadsAreLeftToTheJdk(int storedBytes, int leastBytes, boolean inJava) {
    byte[] stored = Arrays.copyOf(GzipStreams.deflated(new byte[9]), storedBytes);
    Payload payload = new Payload().wrap(ByteBuffer.wrap(stored), 0, storedBytes);
    try (JavaInflater inflater = new JavaInflater(2, leastBytes)) {
      inflater.open(payload, Integer.MAX_VALUE);
      for (int times = 0; times < 2; times++) {
        inflater.start(0);
        assertEquals(2, inflater.inflate(2));
        assertEquals(2, inflater.inflate(2));
        assertEquals(inJava ? 2 : 0, inflater.from());
      }
    }
  }
}
