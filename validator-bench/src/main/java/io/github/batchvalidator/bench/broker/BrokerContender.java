// SPDX-License-Identifier: Apache-2.0

package io.github.batchvalidator.bench.broker;

import io.github.batchvalidator.dropin.DropInMXBean;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;

/**
 * Whose broker is under load. What another contender is entered through stands in {@link
 * ValidatorFrames}.
 */
public enum BrokerContender {
  /** A stock broker. */
  KAFKA {
    @Override
    List<Path> classPath(BrokerJars jars, String line) throws IOException {
      return jars.stock(line);
    }

    @Override
    boolean isWhereItShouldBe(Set<String> jarsOfLogValidator) {
      return jarsOfLogValidator.stream().allMatch(jar -> jar.startsWith("kafka-storage-"));
    }

    @Override
    boolean hasDropIn() {
      return false;
    }
  },

  /** With the drop-in of its line in front, as it comes. */
  DROP_IN,

  /** The same, with gzip inflated in Java: it takes part where producers send gzip. */
  DROP_IN_JAVA_GZIP {
    @Override
    List<String> options(BrokerJars jars, String line) {
      return List.of("-Dbatchvalidator.gzip=java");
    }

    @Override
    boolean meets(Cell cell) {
      return cell.codec().equals("gzip");
    }

    @Override
    boolean isAtWork(DropInMXBean counts) {
      return super.isAtWork(counts) && counts.getSettings().contains("gzip=java");
    }
  },

  /** With the agent beside the drop-in: it takes part where producers wait for each other. */
  DROP_IN_AGENT {
    @Override
    List<String> options(BrokerJars jars, String line) {
      return List.of(jars.agent());
    }

    @Override
    boolean meets(Cell cell) {
      return cell.crowd().producers() > 1;
    }

    @Override
    boolean isAtWork(DropInMXBean counts) {
      return 2 * counts.getOffLockStamped() > counts.getAccepted();
    }
  };

  /** Returns the class path of the broker. */
  List<Path> classPath(BrokerJars jars, String line) throws IOException {
    return jars.withDropIn(line);
  }

  /** Returns options of its JVM that no other contender has. */
  List<String> options(BrokerJars jars, String line) {
    return List.of();
  }

  /** Tells whether our class stands in front of Kafka's. */
  boolean hasDropIn() {
    return true;
  }

  /** Tells whether it takes part in a cell. */
  boolean meets(Cell cell) {
    return true;
  }

  /** Tells whether the drop-in, where there is one, did what the contender is named after. */
  boolean isAtWork(DropInMXBean counts) {
    return counts.getOffLockStamped() == 0;
  }

  /**
   * Tells whether the jars that the class under test was loaded from are those it is named after.
   */
  boolean isWhereItShouldBe(Set<String> jarsOfLogValidator) {
    return jarsOfLogValidator.stream().allMatch(jar -> jar.startsWith("validator-dropin-kafka-"));
  }
}
