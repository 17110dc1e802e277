// SPDX-License-Identifier: Apache-2.0

package io.github.batchvalidator.dropin;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.batchvalidator.testing.Proxies;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.apache.kafka.common.errors.RetriableException;
import org.junit.jupiter.api.Test;
import org.slf4j.Logger;

/** The answer of a broker whose wrong settings did not stop its start. */
class RefusedSettingsTest {
  private static final String ERROR = "Unknown setting batchvalidator.levle";

  @Test
  void producersRetryTheAnswerAndSeeTheMistake() {
    RetriableException answer =
        assertInstanceOf(RetriableException.class, new RefusedSettings(ERROR).answer());
    assertEquals("Batch Validator refuses its settings: " + ERROR, answer.getMessage());
  }

  @Test
  void theMistakeIsLoggedUntilTheRestart() throws InterruptedException {
    assertRepeated(() -> {});
  }

  @Test
  void aLogThatFailsDoesNotEndTheRepetition() throws InterruptedException {
    assertRepeated(
        () -> {
          throw new IllegalStateException("no space left");
        });
  }

  private static void assertRepeated(Runnable log) throws InterruptedException {
    CountDownLatch logged = new CountDownLatch(3);
    Logger logger =
        Proxies.of(
            Logger.class,
            (proxy, method, arguments) -> {
              assertEquals("error", method.getName());
              logged.countDown();
              if (logged.getCount() == 0) {
                Thread.currentThread().interrupt(); // ends the thread
              }
              log.run();
              return null;
            });
    new RefusedSettings(ERROR, 1).logRepeatedly("4.3", logger);
    assertTrue(logged.await(60, TimeUnit.SECONDS));
  }
}
