// SPDX-License-Identifier: Apache-2.0

package io.github.batchvalidator.differential;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.batchvalidator.differential.RebuildReferee.Task;
import io.github.batchvalidator.rule.Codec;
import io.github.batchvalidator.rule.Origin;
import io.github.batchvalidator.rule.TimestampType;
import io.github.batchvalidator.testing.BufferKind;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Rebuilds messages of magic 0 and 1 with each single fault, and compares with Kafka. */
@Tag("unvaried")
final class LegacyRebuildFaultsIT {
  private static final long WINDOW_MS = 1000;

  private final RebuildReferee referee = new RebuildReferee();
  private int judged;
  private int rebuilt;

  @AfterEach
  void close() {
    referee.close();
  }

  static Stream<LegacyGolden> goldens() {
    return LegacyGolden.all();
  }

  /** Each codec and magic that a log may have. */
  private static List<Task> tasks() {
    List<Task> tasks = new ArrayList<>();
    for (TimestampType type : TimestampType.values()) {
      for (int magic = 0; magic <= 2; magic++) {
        for (Codec codec : Codec.values()) {
          tasks.add(new Task(Task.policy(Origin.CLIENT, type, WINDOW_MS, 1, magic), codec, 3));
        }
      }
    }
    return tasks;
  }

  /** Each fault for some of the tasks, which take turns. */
  @ParameterizedTest
  @MethodSource("goldens")
  void faults(LegacyGolden golden) {
    List<Task> tasks = tasks();
    sweep(golden, Faults.modest(bytes -> judge(bytes, tasks.get(judged % tasks.size()))));
    assertEquals(golden.isReadable(), rebuilt > 0, rebuilt + " of " + judged);
  }

  @ParameterizedTest
  @MethodSource("goldens")
  @Tag("slow")
  void everyFaultForEveryTask(LegacyGolden golden) {
    for (Task task : tasks()) {
      sweep(golden, bytes -> judge(bytes, task));
    }
    assertTrue(judged > 10_000, "judged " + judged);
  }

  private static void sweep(LegacyGolden golden, Consumer<byte[]> judge) {
    Faults.everyBit(golden.bytes(), judge);
    Faults.everyLength(golden.bytes(), judge);
    if (golden.codec() != Codec.NONE) {
      Faults.everyInnerBit(golden, judge);
      Faults.everyInnerLength(golden, judge);
      Faults.everyStreamLength(golden, judge);
    }
  }

  private void judge(byte[] bytes, Task task) {
    judged++;
    rebuilt += referee.judge(task, BufferKind.HEAP, bytes);
  }
}
