// SPDX-License-Identifier: Apache-2.0

package io.github.batchvalidator.tiered;

import io.github.batchvalidator.lines.KafkaLine;
import java.io.File;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.stream.Collectors;

/** The wrapper around Kafka's {@code LocalTieredStorage}, as a broker is configured with it. */
public final class TieredPlugin {
  private static final Map<String, KafkaLine> TESTS =
      Map.of("4.1", KafkaLine.V4_1, "4.2", KafkaLine.V4_2, "4.3", KafkaLine.V4_3);
  private static final String MANAGER = "remote.log.storage.manager.class.name";
  private static final String LOCAL =
      "org.apache.kafka.server.log.remote.storage.LocalTieredStorage";

  private TieredPlugin() {}

  /** Returns whether Kafka's own tiered storage can be had for a line. */
  public static boolean isAvailable(String line) {
    return TESTS.containsKey(line);
  }

  /** Returns the jars of Kafka's own tiered storage, which is part of its tests. */
  public static List<Path> ofKafka(String line) {
    KafkaLine tests = Objects.requireNonNull(TESTS.get(line), line);
    return tests.tests().stream()
        .filter(jar -> jar.getFileName().toString().matches("kafka-(storage|clients)-.*"))
        .toList();
  }

  /** Returns the wrapper and Kafka's manager. */
  public static List<Path> jars(String line) {
    Path target = Path.of("..", "validator-tiered", "target").toAbsolutePath().normalize();
    List<Path> path = new ArrayList<>(List.of(target.resolve("tiered.jar")));
    path.addAll(ofKafka(line));
    return path;
  }

  /** Returns the same as the text of a setting. */
  public static String classPath(String line) {
    return jars(line).stream().map(Path::toString).collect(Collectors.joining(File.pathSeparator));
  }

  /** Returns the settings of a broker that is alone, with the wrapper. */
  public static Map<String, String> settings(Path storage, String type, String mode) {
    Map<String, String> settings = settingsOfKafka(storage);
    settings.put(MANAGER, "io.github.batchvalidator.tiered." + type);
    settings.put("rsm.config.batchvalidator.tiered.class", LOCAL);
    settings.put("rsm.config.batchvalidator.tiered.mode", mode);
    return settings;
  }

  /** Returns the settings of a broker that is alone, with Kafka's manager. */
  public static Map<String, String> settingsOfKafka(Path storage) {
    Map<String, String> settings = new HashMap<>();
    settings.put("remote.log.storage.system.enable", "true");
    settings.put(MANAGER, LOCAL);
    settings.put("rsm.config.dir", storage.toString());
    settings.put("remote.log.metadata.manager.listener.name", "PLAINTEXT");
    settings.put("rlmm.config.remote.log.metadata.topic.replication.factor", "1");
    settings.put("rlmm.config.remote.log.metadata.topic.num.partitions", "1");
    settings.put("remote.log.manager.task.interval.ms", "500");
    settings.put("log.retention.check.interval.ms", "500");
    settings.put("log.initial.task.delay.ms", "500");
    return settings;
  }
}
