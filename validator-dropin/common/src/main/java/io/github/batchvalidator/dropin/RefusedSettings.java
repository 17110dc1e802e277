// SPDX-License-Identifier: Apache-2.0

package io.github.batchvalidator.dropin;

import java.util.concurrent.TimeUnit;
import org.apache.kafka.common.config.ConfigException;
import org.apache.kafka.common.errors.NotEnoughReplicasException;
import org.slf4j.Logger;

/**
 * The answer of a broker that runs with wrong settings, because its start could not be stopped (see
 * {@link StartCheck}).
 *
 * <p>Producers have to keep their records and retry until somebody restarts the broker with the
 * right settings. {@code NOT_ENOUGH_REPLICAS} does that without side effects. Kafka's produce path
 * passes it through, counts it as a failed request and logs it. It triggers no request for
 * metadata, as other retriable errors do, and takes no log directory offline. Coordinators answer
 * it with {@code COORDINATOR_NOT_AVAILABLE}, and transaction markers are sent again.
 */
final class RefusedSettings {
  private static final long REPEAT_MS = TimeUnit.MINUTES.toMillis(1);
  private static final String PREFIX = "Batch Validator refuses its settings: ";

  private final String error;
  private final long repeatMs;

  RefusedSettings(String error) {
    this(error, REPEAT_MS);
  }

  RefusedSettings(String error, long repeatMs) {
    this.error = error;
    this.repeatMs = repeatMs;
  }

  /** {@return the exception that stops the start of a broker} */
  static ConfigException atStart(ConfigException error) {
    return new ConfigException(PREFIX + error.getMessage());
  }

  /** {@return the exception for an append} */
  NotEnoughReplicasException answer() {
    return new NotEnoughReplicasException(PREFIX + error);
  }

  /** Logs the error now and then once per minute. */
  void logRepeatedly(String line, Logger log) {
    log(line, log);
    Thread thread = new Thread(() -> repeat(line, log), "batchvalidator-settings");
    thread.setDaemon(true);
    thread.start();
  }

  private void repeat(String line, Logger log) {
    try {
      while (true) {
        Thread.sleep(repeatMs);
        log(line, log);
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  private void log(String line, Logger log) {
    try {
      log.error(
          "Batch Validator for Kafka {} refuses its settings: {}. Every append fails until the"
              + " broker is restarted with the right ones",
          line,
          error);
    } catch (RuntimeException | Error e) {
      return; // for example without memory: the next line may succeed
    }
  }
}
