// SPDX-License-Identifier: Apache-2.0

package io.github.batchvalidator.dropin;

import io.github.batchvalidator.dropin.line.LineAppend;
import io.github.batchvalidator.dropin.line.RecordLimit;
import io.github.batchvalidator.rule.Codec;
import io.github.batchvalidator.testing.Batches;
import java.nio.ByteBuffer;
import org.apache.kafka.common.record.internal.MemoryRecords;
import org.apache.kafka.common.utils.Time;
import org.apache.kafka.storage.internals.log.AppendOrigin;

/** Makes our validators of Kafka 4.3. */
public final class Validators {
  private Validators() {}

  /** Returns a validator of what clients send to a topic of magic 2. */
  static LineAppend of(ByteBuffer records, Codec source, Codec target, boolean compactedTopic) {
    AppendSettings settings = AppendSettings.of(AppendOrigin.CLIENT, 2, compactedTopic);
    return of(records, source, target, settings);
  }

  static LineAppend of(ByteBuffer records, Codec source, Codec target, AppendSettings settings) {
    return of(MemoryRecords.readableRecords(records), source, target, settings, Time.SYSTEM);
  }

  /** Returns a validator with a clock. */
  public static LineAppend of(
      MemoryRecords records, Codec source, Codec target, AppendSettings settings, Time time) {
    return new LineAppend(
        records,
        AppendSettings.PARTITION,
        time,
        Batches.compression(source).type(),
        Batches.compression(target),
        settings.compacted(),
        (byte) settings.magic(),
        settings.type(),
        settings.beforeMs(),
        settings.afterMs(),
        AppendSettings.LEADER_EPOCH,
        settings.origin(),
        RecordLimit.DEFAULT);
  }
}
