// SPDX-License-Identifier: Apache-2.0

package io.github.batchvalidator.broker;

import io.github.batchvalidator.broker.Scenario.Producing;
import io.github.batchvalidator.rule.Codec;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.TimeUnit;

/** All that clients do with a broker; each scenario has a separate topic. */
final class Scenarios {
  private static final long SEED = 20_251_121;
  private static final int BATCHES = 12;
  private static final int LARGE_BYTES = 1_000_000;
  private static final int TOO_LARGE_BYTES = 2_400_000;
  private static final long HOUR_MS = TimeUnit.HOURS.toMillis(1);
  private static final long DAY_MS = TimeUnit.DAYS.toMillis(1);

  private final long firstMs;
  private final List<Scenario> all = new ArrayList<>();

  private Scenarios(long firstMs) {
    this.firstMs = firstMs;
  }

  /**
   * Returns the scenarios, always the same ones.
   *
   * @param firstMs time of the first record, shortly before now: brokers compare it with their
   *     clock
   */
  static List<Scenario> of(long firstMs) {
    Scenarios scenarios = new Scenarios(firstMs);
    for (Codec codec : Codec.values()) {
      scenarios.addOfEachCodec(codec);
    }
    scenarios.addOtherTopicCodecs();
    return scenarios.all;
  }

  private void addOfEachCodec(Codec codec) {
    String label = label(codec);
    add("plain-" + label, Map.of(), codec, Producing.PLAIN);
    add("idempotent-" + label, Map.of(), codec, Producing.IDEMPOTENT);
    add("transactions-" + label, Map.of(), codec, Producing.TRANSACTIONAL);
    Map<String, String> appendTime = Map.of("message.timestamp.type", "LogAppendTime");
    add("append-time-" + label, appendTime, codec, Producing.IDEMPOTENT);
    addCompacted("compacted-" + label, Map.of("cleanup.policy", "compact"), codec);
    addTimes("times-" + label, codec);
    String large = "large-" + label;
    all.add(
        new Scenario(
            large, Map.of(), codec, Producing.IDEMPOTENT, records(large).large(2, LARGE_BYTES), 0));
    String tooLarge = "too-large-" + label;
    all.add(
        new Scenario(
            tooLarge,
            Map.of(),
            codec,
            Producing.PLAIN,
            records(tooLarge).large(1, TOO_LARGE_BYTES),
            1));
  }

  private void addOtherTopicCodecs() {
    addRebuilt(Codec.LZ4, Codec.ZSTD);
    addRebuilt(Codec.GZIP, Codec.LZ4);
    addRebuilt(Codec.ZSTD, Codec.NONE);
    addRebuilt(Codec.NONE, Codec.GZIP);
    addRebuilt(Codec.ZSTD, Codec.SNAPPY);
    add(
        "rebuilt-append-time",
        Map.of("compression.type", "zstd", "message.timestamp.type", "LogAppendTime"),
        Codec.GZIP,
        Producing.IDEMPOTENT);
    addCompacted(
        "compacted-rebuilt",
        Map.of("compression.type", "lz4", "cleanup.policy", "compact"),
        Codec.SNAPPY);
  }

  private void addRebuilt(Codec from, Codec to) {
    String name = to == Codec.NONE ? "uncompressed" : label(to);
    add(
        "rebuilt-" + label(from) + "-" + label(to),
        Map.of("compression.type", name),
        from,
        Producing.IDEMPOTENT);
  }

  private void add(String topic, Map<String, String> config, Codec codec, Producing producing) {
    all.add(new Scenario(topic, config, codec, producing, records(topic).mixed(BATCHES), 0));
  }

  private void addCompacted(String topic, Map<String, String> config, Codec codec) {
    all.add(
        new Scenario(
            topic,
            config,
            codec,
            Producing.PLAIN,
            records(topic).withFewKeysMissing(BATCHES),
            BATCHES / 2));
  }

  private void addTimes(String topic, Codec codec) {
    Map<String, String> config =
        Map.of(
            "message.timestamp.before.max.ms", Long.toString(HOUR_MS),
            "message.timestamp.after.max.ms", Long.toString(HOUR_MS));
    all.add(
        new Scenario(
            topic,
            config,
            codec,
            Producing.IDEMPOTENT,
            records(topic).withFewOddTimes(BATCHES, DAY_MS, -DAY_MS),
            BATCHES / 2));
  }

  private SeededRecords records(String topic) {
    return new SeededRecords(topic, SEED + topic.hashCode(), firstMs);
  }

  private static String label(Codec codec) {
    return codec.name().toLowerCase(Locale.ROOT);
  }
}
