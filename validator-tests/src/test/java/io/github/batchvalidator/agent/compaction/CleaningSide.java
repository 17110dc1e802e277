// SPDX-License-Identifier: Apache-2.0

package io.github.batchvalidator.agent.compaction;

import io.github.batchvalidator.agent.stored.BrokerPath;
import io.github.batchvalidator.agent.stored.RecoveringLoader;
import io.github.batchvalidator.dropin.Lines;
import java.io.File;
import java.io.IOException;
import java.lang.reflect.Method;
import java.net.URLClassLoader;
import java.nio.file.Path;
import java.util.List;

/** The cleaner of a Kafka line in a class loader of its own, stock or with the agent. */
final class CleaningSide implements AutoCloseable {
  private static final int NEVER = -1;

  private final URLClassLoader loader;

  private CleaningSide(URLClassLoader loader) {
    this.loader = loader;
  }

  static CleaningSide stock(String version) throws Exception {
    return new CleaningSide(Lines.loader(BrokerPath.stock(version)));
  }

  /** Returns a side with the agent in a mode. */
  static CleaningSide guarded(String version, String mode) throws Exception {
    return guarded(BrokerPath.withAgent(version), mode);
  }

  /** Returns a side of a class path with the agent in a mode. */
  static CleaningSide guarded(List<Path> path, String mode) throws Exception {
    System.setProperty("batchvalidator.stored.compaction", mode);
    CleaningSide side = new CleaningSide(RecoveringLoader.of(path));
    side.driver("counts").invoke(null); // reads the mode
    System.clearProperty("batchvalidator.stored.compaction");
    return side;
  }

  private Method driver(String name, Class<?>... parameters) throws ReflectiveOperationException {
    return Class.forName(CleaningDriver.class.getName(), true, loader).getMethod(name, parameters);
  }

  /** Compacts a partition; offsets before a number count as compacted before. */
  String clean(Path partition, long firstDirty) throws ReflectiveOperationException {
    return clean(partition, firstDirty, NEVER);
  }

  /** Compacts a partition; the given call of Kafka's check whether to go on throws. */
  String clean(Path partition, long firstDirty, int stopAfter) throws ReflectiveOperationException {
    return (String)
        driver("clean", File.class, long.class, int.class)
            .invoke(null, partition.toFile(), firstDirty, stopAfter);
  }

  /** Compacts partitions {@code t-0}, {@code t-1}, ... by a thread of Kafka's cleaner. */
  String cleanByThread(Path root, int partitions) throws ReflectiveOperationException {
    return (String)
        driver("cleanByThread", File.class, int.class).invoke(null, root.toFile(), partitions);
  }

  /** Compacts a partition and returns the nanoseconds of CPU. */
  long cost(Path partition) throws ReflectiveOperationException {
    return (Long) driver("cost", File.class).invoke(null, partition.toFile());
  }

  String checkWithoutFiles() throws ReflectiveOperationException {
    return (String) driver("checkWithoutFiles").invoke(null);
  }

  String counts() throws ReflectiveOperationException {
    return (String) driver("counts").invoke(null);
  }

  @Override
  public void close() throws IOException {
    loader.close();
  }
}
