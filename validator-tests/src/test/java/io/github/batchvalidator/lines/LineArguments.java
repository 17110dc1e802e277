// SPDX-License-Identifier: Apache-2.0

package io.github.batchvalidator.lines;

import io.github.batchvalidator.rule.Codec;
import java.lang.reflect.Method;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/** The arguments of a line's constructors. */
final class LineArguments {
  private static final int COMMON = 12;
  private static final String OLD_BROKERS = "IBP_2_0_IV1";

  private final LineClasses classes;
  private final boolean asksForBrokerVersion;
  private final Object partition;

  /** Kafka's settings of codecs, which do not change: a broker makes them once per topic. */
  private final Map<CodecLevel, Object> compressions = new ConcurrentHashMap<>();

  LineArguments(LineClasses classes, KafkaLine line) throws ReflectiveOperationException {
    this.classes = classes;
    this.asksForBrokerVersion = line.asksForBrokerVersion();
    partition =
        classes
            .find("TopicPartition")
            .getConstructor(String.class, int.class)
            .newInstance("topic", 3);
  }

  /** Returns how many the constructor without a record limit takes. */
  int parameters() {
    return COMMON + (asksForBrokerVersion ? 1 : 0);
  }

  int withLimit() {
    return COMMON + 1;
  }

  Object[] of(Settings settings, Object records, boolean limited)
      throws ReflectiveOperationException {
    List<Object> all = new ArrayList<>();
    all.add(records);
    all.add(partition);
    all.add(classes.stoppedTime(settings.nowMs()));
    all.add(classes.constant("CompressionType", settings.source().name()));
    all.add(compression(new CodecLevel(settings.target(), settings.level())));
    all.add(settings.compacted());
    all.add(settings.toMagic());
    all.add(classes.constant("TimestampType", settings.type().name()));
    all.add(settings.beforeMs());
    all.add(settings.afterMs());
    all.add(settings.leaderEpoch());
    all.add(classes.constant("AppendOrigin", settings.origin()));
    if (asksForBrokerVersion) {
      all.add(brokerVersion(settings.oldBrokers()));
    }
    if (limited) {
      all.add(settings.recordLimit());
    }
    return all.toArray();
  }

  private Object brokerVersion(boolean old) throws ReflectiveOperationException {
    return old
        ? classes.constant("MetadataVersion", OLD_BROKERS)
        : classes.find("MetadataVersion").getMethod("latestProduction").invoke(null);
  }

  private record CodecLevel(Codec codec, int level) {}

  private Object compression(CodecLevel wanted) throws ReflectiveOperationException {
    Object compression = compressions.get(wanted);
    if (compression == null) {
      compression = newCompression(wanted.codec, wanted.level);
      compressions.put(wanted, compression);
    }
    return compression;
  }

  private Object newCompression(Codec codec, int level) throws ReflectiveOperationException {
    Class<?> compression = classes.find("Compression");
    Object builder = compression.getMethod(codec.name().toLowerCase(Locale.ROOT)).invoke(null);
    if (level != Settings.DEFAULT_LEVEL) {
      Method setter = builder.getClass().getMethod("level", int.class);
      setter.invoke(builder, level);
    }
    return builder.getClass().getMethod("build").invoke(builder);
  }
}
