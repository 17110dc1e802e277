// SPDX-License-Identifier: Apache-2.0

package io.github.batchvalidator.chaos;

import io.github.batchvalidator.bench.broker.BrokerJars;
import io.github.batchvalidator.dropin.Lines;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;

/** The jars and the agent of a broker, in the order of a rolling upgrade. */
enum Build {
  STOCK,
  JAR,
  JAR_AND_AGENT;

  private static final BrokerJars JARS = Lines.jars();

  List<Path> classPath(String line) throws IOException {
    return this == STOCK ? JARS.stock(line) : JARS.withDropIn(line);
  }

  List<String> options(Path policy) {
    String file = "-Dbatchvalidator.policy=" + policy;
    return switch (this) {
      case STOCK -> List.of();
      case JAR -> List.of(file);
      case JAR_AND_AGENT -> List.of(file, JARS.agent());
    };
  }

  /** Returns the next step of an upgrade, after which stock follows again. */
  Build next() {
    return switch (this) {
      case STOCK -> JAR;
      case JAR -> JAR_AND_AGENT;
      case JAR_AND_AGENT -> STOCK;
    };
  }
}
