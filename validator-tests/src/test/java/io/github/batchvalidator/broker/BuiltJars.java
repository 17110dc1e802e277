// SPDX-License-Identifier: Apache-2.0

package io.github.batchvalidator.broker;

import io.github.batchvalidator.bench.broker.BrokerJars;
import io.github.batchvalidator.dropin.Lines;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;

/** The jars of this build. */
final class BuiltJars {
  private static final BrokerJars JARS = Lines.jars();

  private BuiltJars() {}

  /** Returns the lines whose brokers the build has put here. */
  static List<String> lines() {
    return List.of(System.getProperty("broker.lines").split(",", -1));
  }

  /** Returns the class path of a stock broker. */
  static List<Path> stock(String line) throws IOException {
    return JARS.stock(line);
  }

  /** Returns the option that gives a JVM the agent. */
  static String agent() {
    return JARS.agent();
  }

  /** Returns the class path of a broker with the drop-in of its line. */
  static List<Path> ours(String line) throws IOException {
    return JARS.withDropIn(line);
  }
}
