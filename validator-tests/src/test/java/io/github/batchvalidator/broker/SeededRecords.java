// SPDX-License-Identifier: Apache-2.0

package io.github.batchvalidator.broker;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.header.internals.RecordHeader;
import org.jspecify.annotations.Nullable;

/** Records for one partition of a topic, the same ones for the same seed. */
final class SeededRecords {
  private static final int PARTITION = 0;
  private static final int MOST_RECORDS = 40;
  private static final int MOST_HEADERS = 4;
  private static final int MOST_WORDS = 60;
  private static final String[] WORDS = {
    "{\"id\":", "\"customer\":", "null", "true", ",", "2025-01-01", "\u00e9t\u00e9", "\u65e5\u672c"
  };

  private final String topic;
  private final Random random;
  private final long firstMs;

  SeededRecords(String topic, long seed, long firstMs) {
    this.topic = topic;
    random = new Random(seed);
    this.firstMs = firstMs;
  }

  /** Returns batches of all kinds of records, null keys, null values and headers among them. */
  List<List<ProducerRecord<byte[], byte[]>>> mixed(int batches) {
    List<List<ProducerRecord<byte[], byte[]>>> all = new ArrayList<>();
    for (int i = 0; i < batches; i++) {
      all.add(batch(rare() ? null : text(), 0));
    }
    return all;
  }

  /** Returns batches of records with keys, except for a few records in every second batch. */
  List<List<ProducerRecord<byte[], byte[]>>> withFewKeysMissing(int batches) {
    List<List<ProducerRecord<byte[], byte[]>>> all = new ArrayList<>();
    for (int i = 0; i < batches; i++) {
      List<ProducerRecord<byte[], byte[]>> batch = batch(text(), 0);
      for (int missing = i % 4; i % 2 == 1 && missing > 0; missing--) {
        batch.set(random.nextInt(batch.size()), record(null, 0));
      }
      all.add(batch);
    }
    return all;
  }

  /** Returns batches of which every second has a few records that lie so far from now. */
  List<List<ProducerRecord<byte[], byte[]>>> withFewOddTimes(int batches, long... oddMs) {
    List<List<ProducerRecord<byte[], byte[]>>> all = new ArrayList<>();
    for (int i = 0; i < batches; i++) {
      List<ProducerRecord<byte[], byte[]>> batch = batch(text(), 0);
      if (i % 2 == 1) {
        long distance = oddMs[i / 2 % oddMs.length];
        batch.set(random.nextInt(batch.size()), record(text(), distance));
      }
      all.add(batch);
    }
    return all;
  }

  /** Returns batches of one record whose value has so many bytes, half of them random. */
  List<List<ProducerRecord<byte[], byte[]>>> large(int batches, int bytes) {
    List<List<ProducerRecord<byte[], byte[]>>> all = new ArrayList<>();
    for (int i = 0; i < batches; i++) {
      byte[] value = new byte[bytes];
      random.nextBytes(value);
      Arrays.fill(value, bytes / 2, bytes, (byte) 'x');
      all.add(List.of(new ProducerRecord<>(topic, PARTITION, firstMs, text(), value)));
    }
    return all;
  }

  private List<ProducerRecord<byte[], byte[]>> batch(byte @Nullable [] key, long distanceMs) {
    int count = 1 + random.nextInt(MOST_RECORDS);
    List<ProducerRecord<byte[], byte[]>> batch = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      batch.add(record(key, distanceMs));
    }
    return batch;
  }

  private ProducerRecord<byte[], byte[]> record(byte @Nullable [] key, long distanceMs) {
    long timestamp = firstMs + distanceMs + random.nextInt(1000);
    byte[] value = rare() ? null : text();
    ProducerRecord<byte[], byte[]> record =
        new ProducerRecord<>(topic, PARTITION, timestamp, key, value);
    for (int i = random.nextInt(MOST_HEADERS); i > 0; i--) {
      record.headers().add(new RecordHeader("header-" + i, rare() ? null : text()));
    }
    return record;
  }

  private boolean rare() {
    return random.nextInt(6) == 0;
  }

  private byte[] text() {
    StringBuilder text = new StringBuilder();
    for (int i = random.nextInt(MOST_WORDS); i > 0; i--) {
      text.append(WORDS[random.nextInt(WORDS.length)]).append(random.nextInt(100));
    }
    return text.toString().getBytes(StandardCharsets.UTF_8);
  }
}
