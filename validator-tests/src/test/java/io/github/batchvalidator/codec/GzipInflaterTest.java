// SPDX-License-Identifier: Apache-2.0

package io.github.batchvalidator.codec;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;

import java.nio.ByteBuffer;
import java.util.Arrays;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

class GzipInflaterTest {
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
    int never = GzipInflater.JDK.leastBytes(vmInfo);
    int auto = GzipInflater.AUTO.leastBytes(vmInfo);
    assertEquals(inJava, auto < never, () -> "from " + auto);
    assertEquals(0, GzipInflater.JAVA.leastBytes(vmInfo));
  }

  /** Java hands out bytes where they lie, the JDK's inflater each time from the first on. */
  @ParameterizedTest
  @CsvSource({"699, 700, false", "700, 700, true", "20, 0, true"})
  void smallPayloadsAreLeftToTheJdk(int storedBytes, int leastBytes, boolean inJava) {
    byte[] stored = Arrays.copyOf(GzipStreams.deflated(new byte[9]), storedBytes);
    Payload payload = new Payload().wrap(ByteBuffer.wrap(stored), 0, storedBytes);
    try (JavaInflater inflater = new JavaInflater(2, leastBytes)) {
      inflater.open(payload);
      for (int times = 0; times < 2; times++) {
        inflater.start(0);
        assertEquals(2, inflater.inflate(2));
        assertEquals(2, inflater.inflate(2));
        assertEquals(inJava ? 2 : 0, inflater.from());
      }
    }
  }
}
