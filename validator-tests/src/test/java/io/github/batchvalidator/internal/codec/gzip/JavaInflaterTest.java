// SPDX-License-Identifier: Apache-2.0

package io.github.batchvalidator.internal.codec.gzip;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTimeoutPreemptively;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.batchvalidator.internal.codec.Payload;
import io.github.batchvalidator.rule.GzipInflater;
import io.github.batchvalidator.testing.streams.Bytes;
import io.github.batchvalidator.testing.streams.GzipStreams;
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
  void inflatersAreFoundByName(GzipInflater each) {
    assertEquals(each, GzipInflater.named(each.label()));
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "JDK", "Java", "auto ", "igzip"})
  void anUnknownNameHasNoInflater(String name) {
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
    assertEquals(inJava, JavaInflater.isMeantBy(GzipInflater.AUTO, vmInfo));
    assertTrue(JavaInflater.isMeantBy(GzipInflater.JAVA, vmInfo));
    assertFalse(JavaInflater.isMeantBy(GzipInflater.JDK, vmInfo));
  }

  /** A host must not write to a batch under inspection. If it does, no thread may hang. */
  @Test
  void bytesThatChangeBeforeTheJdkReadsThemAreAFault() {
    byte[] noise = new byte[300_000];
    new Random(7).nextBytes(noise);
    byte[] stored = GzipStreams.deflated(noise);
    Payload payload = new Payload().wrap(ByteBuffer.wrap(stored), 0, stored.length);
    try (JavaInflater inflater = new JavaInflater(1 << 16)) {
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

  /** Java hands out bytes where they are, the JDK's inflater from the first index on each time. */
  @ParameterizedTest
  @CsvSource({"true, 0, 2", "false, 20, 2", "false, 19, 0"})
  void onlyPayloadsThatMayNotBeCopiedAreLeftToTheJdk(boolean isArray, int memoryLimit, int from) {
    byte[] stored = Arrays.copyOf(GzipStreams.deflated(new byte[9]), 20);
    ByteBuffer buffer = isArray ? ByteBuffer.allocate(20) : ByteBuffer.allocateDirect(20);
    Payload payload = new Payload().wrap(buffer.put(0, stored), 0, stored.length);
    try (JavaInflater inflater = new JavaInflater(2)) {
      inflater.open(payload, memoryLimit);
      for (int times = 0; times < 2; times++) {
        inflater.start(0);
        assertEquals(2, inflater.inflate(2));
        assertEquals(2, inflater.inflate(2));
        assertEquals(from, inflater.from());
      }
    }
  }
}
