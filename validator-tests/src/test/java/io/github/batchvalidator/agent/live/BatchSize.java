// SPDX-License-Identifier: Apache-2.0

package io.github.batchvalidator.agent.live;

import io.github.batchvalidator.rule.Codec;
import io.github.batchvalidator.testing.Batches;
import java.util.Random;
import org.apache.kafka.common.record.internal.SimpleRecord;

/** The batches of a broker that is killed. */
enum BatchSize {
  /** One record of 200 bytes. */
  SMALL(1, 200),

  /** 1000 records of 1 KiB. */
  LARGE(1000, 1024);

  private final int records;
  private final int valueBytes;

  BatchSize(int records, int valueBytes) {
    this.records = records;
    this.valueBytes = valueBytes;
  }

  String label() {
    return records + " x " + valueBytes + " B";
  }

  /** Returns a batch that a broker accepts. */
  byte[] batch() {
    Random random = new Random(records);
    SimpleRecord[] all = new SimpleRecord[records];
    for (int i = 0; i < records; i++) {
      byte[] value = new byte[valueBytes];
      random.nextBytes(value);
      all[i] = new SimpleRecord(Batches.nowMs(), null, value);
    }
    return Batches.of(Codec.NONE, all).array();
  }
}
