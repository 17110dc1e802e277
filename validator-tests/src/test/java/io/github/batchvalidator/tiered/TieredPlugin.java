// SPDX-License-Identifier: Apache-2.0

package io.github.batchvalidator.tiered;

import io.github.batchvalidator.lines.KafkaLine;
import java.io.File;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;

/** The wrapper around Kafka's {@code LocalTieredStorage}, as a broker is configured with it. */
public final class TieredPlugin {
  private TieredPlugin() {}

  /** Returns the jars of Kafka's own tiered storage, which is part of its tests. */
  public static List<Path> ofKafka() {
    return KafkaLine.V4_3.tests().stream()
        .filter(jar -> jar.getFileName().toString().matches("kafka-(storage|clients)-.*"))
        .toList();
  }

  /** Returns the wrapper and Kafka's manager. */
  public static List<Path> jars() {
    Path target = Path.of("..", "validator-tiered", "target").toAbsolutePath().normalize();
    List<Path> path = new ArrayList<>(List.of(target.resolve("tiered.jar")));
    path.addAll(ofKafka());
    return path;
  }

  /** Returns the same as the text of a setting. */
  public static String classPath() {
    return jars().stream().map(Path::toString).collect(Collectors.joining(File.pathSeparator));
  }

  /** Returns the settings of a broker that is alone. */
  public static Map<String, String> settings(Path storage, String type, String mode) {
    Map<String, String> settings = new HashMap<>();
    settings.put("remote.log.storage.system.enable", "true");
    settings.put(
        "remote.log.storage.manager.class.name", "io.github.batchvalidator.tiered." + type);
    settings.put(
        "rsm.config.batchvalidator.tiered.class",
        "org.apache.kafka.server.log.remote.storage.LocalTieredStorage");
    settings.put("rsm.config.batchvalidator.tiered.mode", mode);
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
