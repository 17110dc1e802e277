// SPDX-License-Identifier: Apache-2.0

package io.github.batchvalidator.agent.stored;

import io.github.batchvalidator.dropin.Lines;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** Class paths that can load Kafka's log and the drivers of the tests. */
public final class BrokerPath {
  private BrokerPath() {}

  /** Returns the class path of a stock version. */
  public static List<Path> stock(String version) throws Exception {
    List<Path> path = new ArrayList<>(Lines.kafka(version));
    // Kafka's log needs the library of metrics, which only a whole broker has.
    Lines.jars().stock("4.3").stream()
        .filter(jar -> jar.getFileName().toString().startsWith("metrics-core"))
        .forEach(path::add);
    path.add(testClasses());
    return path;
  }

  /** Returns the class path of a version with the agent. */
  public static List<Path> withAgent(String version) throws Exception {
    List<Path> path = stock(version);
    path.add(0, Lines.jars().agentJar());
    return path;
  }

  /** Returns the class path of a version with a drop-in first and an agent last. */
  public static List<Path> withDropIn(Path dropIn, String version, Path agent) throws Exception {
    List<Path> path = stock(version);
    path.add(0, dropIn);
    path.add(agent); // where a JVM has the jar of an agent
    return path;
  }

  private static Path testClasses() throws Exception {
    return Path.of(BrokerPath.class.getProtectionDomain().getCodeSource().getLocation().toURI());
  }
}
