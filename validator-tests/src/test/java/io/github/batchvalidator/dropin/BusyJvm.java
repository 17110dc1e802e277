// SPDX-License-Identifier: Apache-2.0

package io.github.batchvalidator.dropin;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/**
 * A JVM like that of a broker that appends on many threads at once.
 *
 * @param dropIn true with the drop-in jar, false with the stock class
 * @param explicitGc what becomes of a request for a collection
 * @param threads that append at once
 * @param virtual kind of the threads; needs JDK 21
 */
record BusyJvm(boolean dropIn, ExplicitGc explicitGc, int threads, boolean virtual) {
  /** The version of Kafka, the one that the tests are compiled with. */
  static final String KAFKA = System.getProperty("kafka.version");

  /** What {@code kafka-server-start.sh} gives a broker. */
  private static final List<String> HEAP = List.of("-Xms1g", "-Xmx1g");

  /** Those of {@code kafka-run-class.sh} but {@link ExplicitGc}. */
  private static final List<String> KAFKA_FLAGS =
      List.of(
          "-XX:+UseG1GC",
          "-XX:MaxGCPauseMillis=20",
          "-XX:InitiatingHeapOccupancyPercent=35",
          "-XX:MaxInlineLevel=15");

  /**
   * What the JVM does when it is asked for a collection. The JDK asks for one when direct memory
   * reaches its limit, since the collector alone frees direct buffers.
   */
  enum ExplicitGc {
    /** The default of {@code kafka-run-class.sh}. */
    CONCURRENT("-XX:+ExplicitGCInvokesConcurrent"),

    /** What some operators add. */
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

  /** Appends batches of workloads, in turn, for so many seconds. */
  BusyFigures run(int seconds, List<String> workloads) throws IOException, InterruptedException {
    List<Path> path = new ArrayList<>();
    if (dropIn) {
      path.add(Lines.jar(Lines.lineOf(KAFKA)));
    }
    path.addAll(Lines.kafka(KAFKA));
    path.add(Lines.build().resolve("test-classes"));
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
      // With fewer carriers no more appends run at once, since an append seldom gives one back.
      options.add("-Djdk.virtualThreadScheduler.parallelism=" + threads);
      options.add("-Djdk.virtualThreadScheduler.maxPoolSize=" + threads);
    }
    return options;
  }
}
