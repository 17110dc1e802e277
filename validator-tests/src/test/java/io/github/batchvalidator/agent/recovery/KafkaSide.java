// SPDX-License-Identifier: Apache-2.0

package io.github.batchvalidator.agent.recovery;

import io.github.batchvalidator.agent.stored.RecoveringLoader;
import java.io.File;
import java.io.IOException;
import java.lang.reflect.Method;
import java.net.URLClassLoader;
import java.nio.file.Path;
import java.util.List;

/** A Kafka line in a class loader of its own, stock or with the agent's change. */
final class KafkaSide implements AutoCloseable {
  private final URLClassLoader loader;
  private final Method load;

  KafkaSide(URLClassLoader loader) throws ReflectiveOperationException {
    this.loader = loader;
    load =
        driver()
            .getMethod(
                "load", File.class, boolean.class, long.class, long.class, int.class, int.class);
  }

  private Class<?> driver() throws ClassNotFoundException {
    return Class.forName(RecoveryDriver.class.getName(), true, loader);
  }

  /** Returns a side with the agent. */
  static KafkaSide changed(List<Path> path) throws Exception {
    System.setProperty("batchvalidator.stored.keep", "enforce");
    return new KafkaSide(RecoveringLoader.of(path));
  }

  /** Returns a side with the agent that knows {@link KillPoints}. */
  static KafkaSide killed(List<Path> path) throws Exception {
    System.setProperty("batchvalidator.stored.keep", "enforce");
    return new KafkaSide(KillPointLoader.ofKafka(path));
  }

  /** Returns {@link KillPoints#hits}. */
  int[] hits() throws ReflectiveOperationException {
    return (int[]) points().getMethod("hits").invoke(null);
  }

  /** Calls {@link KillPoints#arm}. */
  void arm(int site, int hit, Path original, Path copy) throws ReflectiveOperationException {
    points()
        .getMethod("arm", int.class, int.class, File.class, File.class)
        .invoke(null, site, hit, original.toFile(), copy.toFile());
  }

  private Class<?> points() throws ClassNotFoundException {
    return Class.forName(KillPoints.class.getName(), true, loader);
  }

  /** Returns what {@link RecoveryDriver#load} returns. */
  String load(Path directory, CrashedPartition crashed, boolean hadCleanShutdown)
      throws ReflectiveOperationException {
    return (String)
        load.invoke(
            null,
            directory.toFile(),
            hadCleanShutdown,
            crashed.recoveryPoint,
            crashed.logStart,
            crashed.indexInterval,
            crashed.indexBytes);
  }

  /** Returns the number of segments that the agent recovered, and of those it left to Kafka. */
  long[] counts() throws ReflectiveOperationException {
    return (long[]) driver().getMethod("counts").invoke(null);
  }

  String reasons() throws ReflectiveOperationException {
    return (String) driver().getMethod("reasons").invoke(null);
  }

  /** Returns {@link RecoveryCostDriver#recover}. */
  Method costDriver() throws ReflectiveOperationException {
    return Class.forName(RecoveryCostDriver.class.getName(), true, loader)
        .getMethod("recover", File.class);
  }

  @Override
  public void close() throws IOException {
    loader.close();
  }
}
