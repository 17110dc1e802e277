// SPDX-License-Identifier: Apache-2.0

package io.github.batchvalidator.dropin;

import static org.junit.jupiter.api.Assertions.assertDoesNotThrow;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertSame;

import io.github.batchvalidator.rule.Limits;
import java.util.List;
import org.apache.kafka.common.record.TimestampType;
import org.apache.kafka.storage.internals.log.AppendOrigin;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The policies, workers and announcement that all appends of a broker share. */
class DropInTest {
  @Test
  void sharesPoliciesOfItsSettingsAndWorkers() {
    assertSame(DropIn.policies(), DropIn.policies());
    assertEquals(
        Limits.UNBOUNDED_AS_KAFKA,
        DropIn.policies()
            .of(AppendOrigin.CLIENT, TimestampType.CREATE_TIME, 1, 2, false, (byte) 2)
            .limits());
    Worker worker = DropIn.workers().acquire();
    DropIn.workers().release(worker);
    assertSame(worker, DropIn.workers().acquire());
    DropIn.workers().release(worker);
  }

  /** A class that cannot be initialized would refuse all appends from then on. */
  @ParameterizedTest
  @ValueSource(classes = {IllegalStateException.class, NoClassDefFoundError.class})
  void aLogThatFailsDoesNotKeepLogValidatorFromBeingLoaded(Class<? extends Throwable> kind) {
    FailingLog log = new FailingLog(kind);
    assertDoesNotThrow(() -> DropIn.announce("4.3", log.logger()));
    assertEquals(List.of("info"), log.called());
  }
}
