// SPDX-License-Identifier: Apache-2.0

package io.github.batchvalidator.agent.recovery;

/** The methods that changed code of Kafka calls. Safe for use by multiple threads. */
public final class RecoveryHooks {
  private static final RecoveryRuntime RUNTIME = RecoveryRuntime.ofBroker();

  private RecoveryHooks() {}

  /**
   * Recovers a segment, at the entry of Kafka's {@code LogSegment.recover}.
   *
   * @param segment the {@code LogSegment}
   * @param state the {@code ProducerStateManager}
   * @param epochs the {@code LeaderEpochFileCache}
   * @return true if the segment is sound and recovered; false if Kafka's method has to recover it
   * @throws Throwable what Kafka's own code throws while it changes leader epochs and producers
   */
  public static boolean recover(Object segment, Object state, Object epochs) throws Throwable {
    return RUNTIME.recover(segment, state, epochs);
  }

  /** {@return the counts of this JVM} */
  static RecoveryCounts counts() {
    return RUNTIME.counts();
  }
}
