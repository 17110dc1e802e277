// SPDX-License-Identifier: Apache-2.0

package io.github.batchvalidator.dropin;

import io.github.batchvalidator.dropin.settings.Settings;
import org.apache.kafka.common.config.ConfigException;

/**
 * A check of Kafka line and settings that stops the start of a broker. Without it, a broker with a
 * wrong setting would start, look healthy, and fail each append.
 *
 * <p>The {@code MetricsRecorder} of our {@code LogValidator} extends this interface. Kafka's {@code
 * UnifiedLog} has a class that implements it, and creates an instance for each log. A broker opens
 * its logs before it serves. Because this interface has a default method, a JVM initializes it with
 * the first such class (JLS 12.4.1), so an exception here fails the start.
 */
public interface StartCheck {
  /** Whether the check has passed, which was made with the initialization of this interface. */
  boolean PASSED = check();

  /** {@return true} A default method, because there would be no initialization without one. */
  default boolean hasPassedStartCheck() {
    return PASSED;
  }

  private static boolean check() {
    ClassLoader loader = StartCheck.class.getClassLoader();
    try {
      Class.forName("org.apache.kafka.storage.internals.log.LogValidator", true, loader);
    } catch (ClassNotFoundException e) {
      throw new LinkageError(e.getMessage(), e);
    }
    try {
      Settings.ofJvm();
      return true;
    } catch (ConfigException e) {
      throw RefusedSettings.atStart(e);
    }
  }
}
