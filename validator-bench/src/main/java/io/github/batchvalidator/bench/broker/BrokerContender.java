// SPDX-License-Identifier: Apache-2.0

package io.github.batchvalidator.bench.broker;

import io.github.batchvalidator.dropin.management.DropInMXBean;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import javax.management.MalformedObjectNameException;

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
    void requireAtWork(BrokerBeans beans) {
      // no drop-in that could be asked
    }
  },

  /** With the drop-in of its line in front, as it comes. */
  DROP_IN,

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
      return counts.getOffLockStamped() > 0;
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

  /** Tells whether it takes part in a cell. */
  boolean meets(Cell cell) {
    return true;
  }

  /**
   * Tells whether the jars that the class under test was loaded from are those it is named after.
   */
  boolean isWhereItShouldBe(Set<String> jarsOfLogValidator) {
    return jarsOfLogValidator.stream().allMatch(jar -> jar.startsWith("validator-dropin-kafka-"));
  }

  /**
   * Asks a broker that took produces whether they went the way the contender is named after.
   *
   * @throws IllegalStateException if they did not
   */
  void requireAtWork(BrokerBeans beans) throws IOException, MalformedObjectNameException {
    DropInMXBean counts = beans.dropIn();
    if (!isAtWork(counts)) {
      throw new IllegalStateException(
          "%s with %s accepted %d batches and stamped %d of them off the lock"
              .formatted(
                  this, counts.getSettings(), counts.getAccepted(), counts.getOffLockStamped()));
    }
  }

  boolean isAtWork(DropInMXBean counts) {
    return counts.getOffLockStamped() == 0;
  }
}
