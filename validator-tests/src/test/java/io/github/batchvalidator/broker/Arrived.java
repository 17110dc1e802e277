// SPDX-License-Identifier: Apache-2.0

package io.github.batchvalidator.broker;

import java.util.ArrayList;
import java.util.List;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.record.TimestampType;

/** A record that a consumer reads, or should read. */
record Arrived(long offset, TimestampType type, long timestamp, int leaderEpoch, Content content) {
  private static final int FIRST_EPOCH = 0;

  /** Returns what was read. */
  static List<Arrived> of(List<ConsumerRecord<byte[], byte[]>> read, BrokerRun run) {
    List<Arrived> all = new ArrayList<>();
    for (ConsumerRecord<byte[], byte[]> record : read) {
      boolean clock = record.timestampType() == TimestampType.LOG_APPEND_TIME;
      all.add(
          new Arrived(
              record.offset(),
              record.timestampType(),
              clock && run.includes(record.timestamp()) ? StoredBatch.NOW : record.timestamp(),
              record.leaderEpoch().orElse(-1),
              Content.of(record)));
    }
    return all;
  }

  /** Returns what should be read, after what was sent and where the broker said it went. */
  static List<Arrived> expected(Scenario scenario, Outcome outcome, boolean committed) {
    boolean clock = scenario.keepsAppendTime();
    TimestampType type = clock ? TimestampType.LOG_APPEND_TIME : TimestampType.CREATE_TIME;
    List<Arrived> all = new ArrayList<>();
    for (int i = 0; i < scenario.batches().size(); i++) {
      List<ProducerRecord<byte[], byte[]>> sent = scenario.batches().get(i);
      List<Answer> answers = outcome.answers().get(i);
      for (int k = 0; k < sent.size() && !(committed && scenario.aborts(i)); k++) {
        if (answers.get(k).accepted()) {
          long timestamp = clock ? StoredBatch.NOW : sent.get(k).timestamp();
          long offset = answers.get(k).offset();
          all.add(new Arrived(offset, type, timestamp, FIRST_EPOCH, Content.of(sent.get(k))));
        }
      }
    }
    return all;
  }
}
