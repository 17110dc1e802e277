// SPDX-License-Identifier: Apache-2.0

package io.github.batchvalidator.dropin;

import io.github.batchvalidator.testing.Batches;
import io.github.batchvalidator.testkit.broker.ChildJvm;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** Runs a class in a separate JVM with the class path of a broker. */
public final class BrokerJvm {
  private BrokerJvm() {}

  /** Runs to the end, and returns what was written to both outputs. */
  public static String run(List<Path> path, List<String> options, List<String> mainAndArguments)
      throws IOException, InterruptedException {
    return ChildJvm.run(Lines.build(), path, options, mainAndArguments);
  }

  /** Returns the class path of a broker of a version with its drop-in, and the compiled tests. */
  public static List<Path> brokerWithTests(String version) {
    List<Path> path = new ArrayList<>(List.of(Lines.jar(Lines.lineOf(version))));
    path.addAll(Lines.kafka(version));
    path.addAll(tests());
    return path;
  }

  /** Returns the compiled tests, and the test kit that they use. */
  public static List<Path> tests() {
    String kit = Batches.class.getProtectionDomain().getCodeSource().getLocation().getPath();
    return List.of(Lines.build().resolve("test-classes"), Path.of(kit));
  }
}
