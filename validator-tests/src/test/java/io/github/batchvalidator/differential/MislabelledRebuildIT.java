// SPDX-License-Identifier: Apache-2.0

package io.github.batchvalidator.differential;

import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.batchvalidator.differential.RebuildReferee.Task;
import io.github.batchvalidator.rule.Codec;
import io.github.batchvalidator.rule.Origin;
import io.github.batchvalidator.rule.TimestampType;
import io.github.batchvalidator.testing.Batches;
import io.github.batchvalidator.testing.BufferKind;
import java.util.function.Consumer;
import org.apache.kafka.common.record.internal.SimpleRecord;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Rebuilds into another magic for which the caller says that the source is not compressed, true or
 * not. Kafka then reads all batches before it checks the first one.
 */
final class MislabelledRebuildIT {
  private final RebuildReferee referee = new RebuildReferee();
  private int rebuilt;

  @AfterEach
  void close() {
    referee.close();
  }

  private Consumer<byte[]> judge(int toMagic) {
    Task task =
        new Task(
            Task.policy(Origin.COORDINATOR, TimestampType.CREATE_TIME, Long.MAX_VALUE, 1, toMagic),
            Codec.NONE,
            3);
    return bytes -> rebuilt += referee.judge(task, BufferKind.HEAP, bytes, Codec.NONE);
  }

  /** Without headers, which messages of magic 0 and 1 cannot hold. */
  private static SimpleRecord record(int age, byte @Nullable [] value) {
    return new SimpleRecord(Batches.nowMs() - age, new byte[] {'k', 1}, value);
  }

  @ParameterizedTest
  @EnumSource(Codec.class)
  @Tag("unvaried")
  void faultsOfABatch(Codec codec) {
    byte[] golden =
        Batches.of(codec, record(1, null), record(7, new byte[20]), record(2, new byte[0])).array();
    Consumer<byte[]> judge = Faults.modest(judge(codec.id() % 2));
    judge.accept(golden);
    assertTrue(rebuilt > 0, "the sound one is written");
    Faults.everyBit(golden, judge);
    Faults.everyLength(golden, judge);
  }

  @ParameterizedTest
  @MethodSource("io.github.batchvalidator.differential.LegacyGolden#all")
  @Tag("unvaried")
  void faultsOfMessages(LegacyGolden golden) {
    Consumer<byte[]> judge = Faults.modest(judge(golden.magic() == 0 ? 1 : 2));
    Faults.everyBit(golden.bytes(), judge);
    Faults.everyLength(golden.bytes(), judge);
    if (golden.codec() != Codec.NONE) {
      Faults.everyInnerBit(golden, judge);
      Faults.everyInnerLength(golden, judge);
      Faults.everyStreamLength(golden, judge);
    }
    assertTrue(rebuilt > 0 || !golden.isReadable());
  }
}
