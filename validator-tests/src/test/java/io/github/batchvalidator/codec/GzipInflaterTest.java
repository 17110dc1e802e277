// SPDX-License-Identifier: Apache-2.0

package io.github.batchvalidator.codec;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;

import org.junit.jupiter.api.Test;
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
    "'mixed mode, sharing', JAVA",
    "'mixed mode, emulated-client, sharing', JAVA",
    "compiled mode, JAVA",
    "'interpreted mode, sharing', JDK",
    "'', JAVA"
  })
  void theFastestDependsOnTheCompiler(String vmInfo, GzipInflater fastest) {
    assertEquals(fastest, GzipInflater.fastest(vmInfo));
  }

  @Test
  void autoIsTheFastest() {
    assertEquals(GzipInflater.fastest(), GzipInflater.named(GzipInflater.AUTO));
  }
}
