// SPDX-License-Identifier: Apache-2.0

package io.github.batchvalidator.lines;

import io.github.batchvalidator.rule.Codec;
import java.lang.reflect.Constructor;
import java.lang.reflect.Method;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/** The arguments of a line's constructors. */
final class LineArguments {
  private static final int COMMON = 12;
  private static final int PARTITION = 3;
  private static final String OLD_BROKERS = "IBP_2_0_IV1";

  private final LineClasses classes;
  private final boolean asksForBrokerVersion;
  private final Constructor<?> newPartition;
  private final @Nullable Object latestVersion;
  private Object partition;

  /** Kafka's settings of codecs, which do not change: a broker makes them once per topic. */
  private final Map<CodecLevel, Object> compressions = new ConcurrentHashMap<>();

  LineArguments(LineClasses classes, KafkaLine line) throws ReflectiveOperationException {
    this.classes = classes;
    this.asksForBrokerVersion = line.asksForBrokerVersion();
    newPartition = classes.find("TopicPartition").getConstructor(String.class, int.class);
    latestVersion =
        asksForBrokerVersion
            ? classes.find("MetadataVersion").getMethod("latestProduction").invoke(null)
            : null;
    partition = newPartition.newInstance("topic", PARTITION);
  }

  /** Sets the topic of the next appends. */
  void topic(String name) throws ReflectiveOperationException {
    partition = newPartition.newInstance(name, PARTITION);
  }

  /** Returns how many the constructor without a record limit takes. */
  int parameters() {
    return COMMON + (asksForBrokerVersion ? 1 : 0);
  }

  int withLimit() {
    return COMMON + 1;
  }

  @Nullable Object[] of(Settings settings, Object records, boolean limited)
      throws ReflectiveOperationException {
    List<@Nullable Object> all = new ArrayList<>();
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
      all.add(settings.oldBrokers() ? oldVersion() : latestVersion);
    }
    if (limited) {
      all.add(settings.recordLimit());
    }
    return all.toArray();
  }

  private Object oldVersion() {
    return classes.constant("MetadataVersion", OLD_BROKERS);
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
