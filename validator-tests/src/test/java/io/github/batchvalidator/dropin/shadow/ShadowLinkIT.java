// SPDX-License-Identifier: Apache-2.0

package io.github.batchvalidator.dropin.shadow;

import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.batchvalidator.dropin.Lines;
import java.net.URLClassLoader;
import java.util.List;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** The search of shadow mode for Kafka's class, on class paths that start with a drop-in jar. */
class ShadowLinkIT {
  @ParameterizedTest
  @MethodSource("io.github.batchvalidator.dropin.Lines#versions")
  void findsKafkasClassAfterOurs(String version) throws Exception {
    try (URLClassLoader loader = Lines.withDropIn(Lines.lineOf(version), version)) {
      Class<?> stock = StockClass.load(loader);
      assertTrue(
          StockClass.root(stock).contains("kafka-storage-" + version + ".jar"),
          StockClass.root(stock));
      assertSame(loader, stock.getClassLoader().getParent());
    }
  }

  @ParameterizedTest
  @MethodSource("io.github.batchvalidator.dropin.Lines#lines")
  void answersItselfIfKafkasClassIsMissing(String line) throws Exception {
    try (URLClassLoader loader = Lines.loader(List.of(Lines.jar(line), Lines.jar(line)))) {
      Shadow none = Shadow.link(loader);
      assertFalse(none.isLinked());
      assertTrue(none.describe().contains("ANSWERS ITSELF"), none.describe());
      assertTrue(none.describe().contains("no LogValidator of Kafka's"), none.describe());
    }
    Shadow shadow = Shadow.link(ShadowLinkIT.class.getClassLoader());
    assertTrue(shadow.isLinked());
    assertTrue(shadow.describe().contains("in the shadow of"), shadow.describe());
  }
}
