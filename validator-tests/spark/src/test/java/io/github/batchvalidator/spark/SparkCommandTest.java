// SPDX-License-Identifier: Apache-2.0

package io.github.batchvalidator.spark;

import static org.junit.jupiter.api.Assertions.assertEquals;

import org.apache.spark.SparkConf;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** The configuration of Spark. */
class SparkCommandTest {
  private static final String MASTER = "spark.master";
  private static final String USER_INTERFACE = "spark.ui.enabled";

  private static SparkConf with(String property, String value) {
    String before = System.setProperty(property, value);
    try {
      return SparkCommand.configuration();
    } finally {
      if (before == null) {
        System.clearProperty(property);
      } else {
        System.setProperty(property, before);
      }
    }
  }

  /** Others could read the names of topics and files there, without a password. */
  @ParameterizedTest
  @ValueSource(strings = {"local", "local[2]", "local[*]", "local[2,3]"})
  void anEmbeddedSparkServesThisMachineOnly(String master) {
    SparkConf configuration = with(MASTER, master);
    assertEquals(master, configuration.get(MASTER));
    assertEquals("false", configuration.get(USER_INTERFACE));
    assertEquals("127.0.0.1", configuration.get("spark.driver.host"));
    assertEquals("127.0.0.1", configuration.get("spark.driver.bindAddress"));
  }

  @ParameterizedTest
  @CsvSource({USER_INTERFACE + ", true", "spark.driver.bindAddress, 0.0.0.0"})
  void whatTheUserSetsIsKept(String property, String value) {
    SparkConf configuration = with(property, value);
    assertEquals("local[*]", configuration.get(MASTER));
    assertEquals(value, configuration.get(property));
  }

  @ParameterizedTest
  @ValueSource(strings = {"yarn", "spark://host:7077", "local-cluster[2,1,1024]"})
  void aClusterKeepsItsAddresses(String master) {
    SparkConf configuration = with(MASTER, master);
    assertEquals(master, configuration.get(MASTER));
    assertEquals("none", configuration.get(USER_INTERFACE, "none"));
    assertEquals("none", configuration.get("spark.driver.host", "none"));
    assertEquals("none", configuration.get("spark.driver.bindAddress", "none"));
  }
}
