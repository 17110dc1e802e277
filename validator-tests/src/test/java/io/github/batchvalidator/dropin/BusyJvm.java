// SPDX-License-Identifier: Apache-2.0

package io.github.batchvalidator.dropin;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/**
 * A JVM with the class path and flags of a broker, for {@link BusyAppends}.
 *
 * @param dropIn true with the drop-in jar, false with the stock class
 * @param explicitGc response to {@code System.gc()}
 * @param threads that append at once
 * @param virtual kind of the threads; needs JDK 21
 */
record BusyJvm(boolean dropIn, ExplicitGc explicitGc, int threads, boolean virtual) {
  /** The version of Kafka that the tests are compiled with. */
  static final String KAFKA = System.getProperty("kafka.version");

  /** The heap that {@code kafka-server-start.sh} sets. */
  private static final List<String> HEAP = List.of("-Xms1g", "-Xmx1g");

  /** The flags of {@code kafka-run-class.sh} without that of {@link ExplicitGc}. */
  private static final List<String> KAFKA_FLAGS =
      List.of(
          "-XX:+UseG1GC",
          "-XX:MaxGCPauseMillis=20",
          "-XX:InitiatingHeapOccupancyPercent=35",
          "-XX:MaxInlineLevel=15");

  /**
   * The JVM's response to {@code System.gc()}. The JDK calls it when direct memory reaches its
   * limit, because only a collection frees direct buffers.
   */
  enum ExplicitGc {
    /** The default of {@code kafka-run-class.sh}. */
    CONCURRENT("-XX:+ExplicitGCInvokesConcurrent"),

    /** A flag that some operators add. */
    DISABLED("-XX:+DisableExplicitGC");

    private final String flag;

    ExplicitGc(String flag) {
      this.flag = flag;
    }

    String flag() {
      return flag;
    }
  }

  /** {@return the same JVM with the drop-in jar} */
  BusyJvm withDropIn() {
    return new BusyJvm(true, explicitGc, threads, virtual);
  }

  /** Runs {@link BusyAppends} and returns its figures. */
  BusyFigures run(int seconds, List<String> workloads) throws IOException, InterruptedException {
    List<Path> path = new ArrayList<>();
    if (dropIn) {
      path.add(Lines.jar(Lines.lineOf(KAFKA)));
    }
    path.addAll(Lines.kafka(KAFKA));
    path.addAll(BrokerJvm.tests());
    List<String> call = new ArrayList<>();
    call.add(BusyAppends.class.getName());
    call.addAll(List.of("" + threads, virtual ? "virtual" : "platform", "" + seconds));
    call.addAll(workloads);
    return BusyFigures.parse(BrokerJvm.run(path, options(), call));
  }

  private List<String> options() {
    List<String> options = new ArrayList<>(HEAP);
    options.addAll(KAFKA_FLAGS);
    options.add(explicitGc.flag);
    options.add("--enable-native-access=ALL-UNNAMED");
    if (virtual) {
      // An append rarely releases its carrier, so fewer carriers would mean fewer concurrent
      // appends.
      options.add("-Djdk.virtualThreadScheduler.parallelism=" + threads);
      options.add("-Djdk.virtualThreadScheduler.maxPoolSize=" + threads);
    }
    return options;
  }
}
